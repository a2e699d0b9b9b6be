import { prepareEnvironment, startTestClinic, type TestClinic } from '@clinic/app-kit/test-clinic';
import { QueryClientProvider, queryClient, session } from '@clinic/app-kit/host';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { Notices } from './notices.tsx';

let clinic: TestClinic;
beforeAll(prepareEnvironment);
afterEach(() => clinic.close());

async function open(state: unknown, registered = true): Promise<void> {
  clinic = await startTestClinic({
    email: 'ann@mail.example',
    firstName: 'Ann',
    lastName: 'Lee',
    role: 'patient',
    emailVerified: false,
  });
  document.cookie = 'signed_in=1';
  await session.load();
  const router = createMemoryRouter([{ path: '/', element: <Notices registered={registered} /> }], {
    initialEntries: [{ pathname: '/', state }],
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByText(/onfirm your email address$/);
}

test('leads back to the booking that a registration interrupted, with the chosen time', async () => {
  await open({ registered: true, from: '/appoinment/abc?date=2026-12-01&time=09:30' });
  expect(screen.getByRole('link', { name: 'Continue booking' }).getAttribute('href')).toBe(
    '/appoinment/abc?date=2026-12-01&time=09:30',
  );
});

test('never leads to another site, and says nothing if nothing was interrupted', async () => {
  await open({ registered: true, from: '//evil.example/appoinment/' });
  expect(screen.queryByRole('link', { name: /^Continue/ })).toBeNull();
  await clinic.close();
  await open({ registered: true });
  expect(screen.queryByRole('link', { name: /^Continue/ })).toBeNull();
});
