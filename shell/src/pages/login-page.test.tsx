import { QueryClientProvider, queryClient } from '@clinic/app-kit/host';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';

const config = {
  emulator: false,
  firebase: { apiKey: 'k', authDomain: 'd.example', projectId: 'p' },
  clinicTimeZone: 'Asia/Dhaka',
};
let demoMode = false;

jest.mock('@clinic/app-kit', () => ({
  ...jest.requireActual<object>('@clinic/app-kit'),
  useConfig: () => ({ ...config, demoMode }),
}));

beforeAll(prepareEnvironment);

async function showLogin(): Promise<void> {
  const { LoginPage } = await import('./login-page.tsx');
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <LoginPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByRole('button', { name: 'Sign In' });
}

const demoButtons = (): (string | null)[] =>
  screen.queryAllByRole('button', { name: /^[A-Z]+$/ }).map(({ textContent }) => textContent);

test('a demo offers the four accounts', async () => {
  demoMode = true;
  await showLogin();
  await screen.findByRole('button', { name: 'PATIENT' });
  expect(demoButtons()).toEqual(['ADMIN', 'DOCTOR', 'PHARMACIST', 'PATIENT']);
});

test('outside a demo there are no accounts to pick', async () => {
  demoMode = false;
  await showLogin();
  expect(demoButtons()).toEqual([]);
  expect(screen.queryByText('Demo accounts')).toBeNull();
});
