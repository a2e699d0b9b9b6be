import { muteExpectedLogs } from '@clinic/app-kit/test-environment';
import { prepareEnvironment, startTestClinic, shownNotifications, type TestClinic } from '@clinic/app-kit/test-clinic';
import { problemAnswer } from '@clinic/app-kit/test-server';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage } from '../testing/open-page.tsx';
import { RegisterPage } from './register-page.tsx';

let clinic: TestClinic;

beforeAll(prepareEnvironment);
muteExpectedLogs('Registration failed');
afterEach(() => clinic.close());

test('a registration that isn’t saved says that something went wrong, and why; the next attempt saves it', async () => {
  clinic = await startTestClinic();
  const saved = clinic.answers['POST /users'];
  clinic.answers['POST /users'] = () => problemAnswer('unavailable', { detail: 'The users can’t be reached.' });
  await openPage(clinic, '/register', <RegisterPage />);
  const fields = {
    'First Name': 'Ada',
    'Last Name': 'Byron',
    Email: 'ada@mail.example',
    Phone: '+880 1555 010999',
    'Date of Birth': '1990-01-31',
    Password: 'Secret-77',
  };
  for (const [label, text] of Object.entries(fields)) await userEvent.type(await screen.findByLabelText(label), text);
  await userEvent.click(screen.getByRole('button', { name: 'Create My Account' }));
  await waitFor(() => expect(shownNotifications()).toEqual(['Something went wrong: The users can’t be reached.']));

  if (saved) clinic.answers['POST /users'] = saved;
  await userEvent.click(screen.getByRole('button', { name: 'Create My Account' }));
  await waitFor(() => expect(shownNotifications()).toContain('User created and saved to DB'));
});
