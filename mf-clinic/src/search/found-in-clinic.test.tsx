import { problemResponse } from '@clinic/app-kit/test-gateway';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { prepareBrowser } from '../testing/browser.ts';
import { show } from '../testing/waitlist.tsx';
import { FoundInClinic } from './found-in-clinic.tsx';

prepareBrowser();

const patient = {
  appointment: 'b'.repeat(24),
  patientname: 'Ann Lee',
  patientemail: 'ann@mail.example',
  age: 40,
  address: '',
  number: '+880 1711 000001',
  date: '2100-01-05',
  doctorname: 'Dr. Grey',
};

test('the desk finds everybody; what fails says so, and the other kind is still shown', async () => {
  let works = false;
  const asked = await show(
    <FoundInClinic q="ann" />,
    {
      'GET /appoinments/patients': () => Response.json([patient]),
      'GET /appoinments': () => (works ? Response.json([]) : problemResponse('not_found', 404)),
    },
    { role: 'admin' },
  );
  const found = await screen.findByRole('link', { name: /^Ann Lee/ });
  expect(found.getAttribute('href')).toBe('/dash/appoinments?q=ann%40mail.example');
  expect(found.textContent).toContain('+880 1711 000001');
  works = true;
  await userEvent.click(await screen.findByRole('button', { name: 'Retry: Appointments' }, { timeout: 10_000 }));
  const visits = screen.getByRole('region', { name: 'Appointments' });
  expect(await within(visits).findByText('None found')).toBeTruthy();
  expect(asked.find(({ call }) => call === 'GET /appoinments/patients')?.query).toBe('q=ann');
}, 20_000);

test('a doctor finds their own, a patient nothing', async () => {
  const answers = {
    'GET /appoinments/patients': () => Response.json([patient]),
    'GET /appoinments': () => Response.json([]),
  };
  const asked = await show(<FoundInClinic q="ann" />, answers, { role: 'doctor' });
  expect((await screen.findByRole('link', { name: /^Ann Lee/ })).getAttribute('href')).toBe(
    '/dash/doctorAppoinments?q=ann%40mail.example',
  );
  const queries = asked.filter(({ call }) => call in answers).map(({ query }) => new URLSearchParams(query));
  expect(queries.map((query) => query.get('email'))).toEqual(['ann@mail.example', 'ann@mail.example']);
});
