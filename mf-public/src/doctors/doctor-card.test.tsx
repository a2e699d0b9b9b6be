import { QueryClientProvider, queryClient } from '@clinic/app-kit/host';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { DoctorCard } from './doctor-card.tsx';

beforeAll(() => prepareEnvironment());

const doctor: Doctor = {
  _id: 'd'.repeat(24),
  id: 'd'.repeat(24),
  name: 'Dr. Grey',
  email: 'grey@clinic.example',
  qualification: 'MD',
  education: 'Dartmouth',
  specialization: 'Cardiologist',
  specialty: 'Cardiologist',
  experience: 9,
  location: 'Level 3',
  image: '',
  isAvailable: true,
  availableTimes: ['09:00'],
  rating: 4.5,
  nextFree: { date: '2100-01-05', time: '09:00' },
  nextFreeTimes: ['09:00'],
  daysOff: [],
};

test.each([
  ['a doctor with a free time', {}, true],
  ['a fully booked doctor', { nextFree: null, nextFreeTimes: [] }, false],
  ['a doctor who takes no appointments', { isAvailable: false, nextFree: null, nextFreeTimes: [] }, false],
])('the badge says of %s whether they are available', (_, more, available) => {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <DoctorCard doctor={{ ...doctor, ...more }} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(screen.queryByText('Available') !== null).toBe(available);
});
