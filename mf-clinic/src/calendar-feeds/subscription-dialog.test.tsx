import {
  arrive,
  muteExpectedLogs,
  prepareEnvironment,
  proveWhenAsked,
  startTestClinic,
  type TestClinic,
} from '@clinic/app-kit/test-clinic';
import { renderRoutes } from '@clinic/app-kit/test-pages';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SubscriptionDialog } from './subscription-dialog.tsx';

const feed = '/appoinments/calendar-feed';
const press = async (name: string): Promise<void> => userEvent.click(await screen.findByRole('button', { name }));
let clinic: TestClinic;

beforeAll(prepareEnvironment);
muteExpectedLogs();
afterEach(() => clinic.close());

test('asks who it is before it makes or replaces the secret address, and shows it then', async () => {
  clinic = await startTestClinic({
    email: 'ann@mail.example',
    firstName: 'Ann',
    lastName: 'Lee',
    role: 'patient',
    emailVerified: true,
  });
  const proof = proveWhenAsked(clinic);
  let made = 0;
  clinic.answers[`GET ${feed}`] = () => ({ json: made === 0 ? {} : { since: '2026-11-20T08:00:00.000Z' } });
  clinic.answers[`POST ${feed}`] = proof.guarded(() => ({
    status: 201,
    json: { path: `/calendar-feed/${String((made += 1))}.ics` },
  }));
  await arrive(clinic);
  await renderRoutes([{ path: '/', element: <SubscriptionDialog onClose={() => undefined} /> }], '/');
  await press('Make an address');
  expect(await screen.findByLabelText('Secret address')).toHaveProperty(
    'value',
    `${location.origin}/calendar-feed/1.ics`,
  );
  proof.expire();
  await press('Replace the address');
  await press('Replace the address');
  expect(await screen.findByDisplayValue(`${location.origin}/calendar-feed/2.ics`)).toBeTruthy();
  expect(proof.asked()).toBe(2);
  proof.stop();
});
