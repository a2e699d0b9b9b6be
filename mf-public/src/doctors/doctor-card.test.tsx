import { QueryClientProvider, queryClient } from '@clinic/app-kit/host';
import { badgesIn, combinations } from '@clinic/app-kit/test-combinations';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import { availabilityOf } from '@clinic/svc-clinic/contract/availability';
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

test('the badge agrees with the free times, whatever the response says', () => {
  const cases = combinations<Pick<Doctor, 'isAvailable' | 'availableTimes' | 'nextFree' | 'nextFreeTimes'>>({
    isAvailable: [true, false],
    availableTimes: [[], ['09:00']],
    // The second is from before midnight.
    nextFree: [null, { date: '2000-01-04', time: '09:00' }, { date: '2100-01-05', time: '09:00' }],
    nextFreeTimes: [[], ['09:00']],
  });
  for (const more of cases) {
    const { container, unmount } = render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <DoctorCard doctor={{ ...doctor, ...more }} />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    const { textContent } = container;
    const stale = textContent.includes('Looking for the next free time');
    const bookable = /Next free:|Times by arrangement/.test(textContent);
    expect({ ...more, badges: badgesIn(container) }).toEqual({ ...more, badges: bookable ? ['Available'] : [] });
    expect(bookable).toBe(availabilityOf({ ...doctor, ...more }) === 'Available' && !stale);
    expect(bookable || !screen.queryByRole('link', { name: /, book with/ })).toBe(true);
    expect(screen.queryByRole('link', { name: /^Book Appointment/ }) !== null).toBe(more.isAvailable);
    unmount();
  }
});
