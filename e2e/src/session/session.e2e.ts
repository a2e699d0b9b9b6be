import { expect, type Page } from '@playwright/test';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { follow, notification, openMenu } from '../support/clinic.ts';
import { fillRegistration, logInAs, logInHere, logOut } from '../support/log-in.ts';
import { test as base } from '../support/first-use.ts';

/** These tests simulate outages, which the browser logs; uncaught errors still fail. */
const test = base.extend<{ caughtErrors: undefined }>({
  caughtErrors: [
    async ({ context }, provide) => {
      const errors: string[] = [];
      context.on('weberror', (error) => errors.push(String(error.error())));
      await provide(undefined);
      expect(errors, 'uncaught errors').toEqual([]);
    },
    { auto: true },
  ],
});

const password = 'Secret-77';

/** Fills in /register for a new person. @returns their email */
async function startRegistration(page: Page): Promise<string> {
  // Unique, for repeated runs on one clinic.
  const email = `mina.${test.info().project.name}.${Date.now()}@mail.example`;
  await page.goto('/register');
  await fillRegistration(page, { firstName: 'Mina', lastName: 'Rahim', email, password });
  return email;
}

/** Responses of our services from now on, as `GET /users 200`. */
function watchCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (response.request().resourceType() === 'fetch')
      calls.push(`${response.request().method()} ${pathname} ${response.status()}`);
  });
  return calls;
}

const refreshes = (calls: readonly string[]): readonly string[] =>
  calls.filter((call) => call.startsWith('POST /jwt/refresh'));

test('a half-saved registration continues where it stopped', async ({ page }) => {
  await page.route(
    '**/users',
    (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    { times: 1 },
  );
  const email = await startRegistration(page);
  await page.getByRole('button', { name: 'Create My Account' }).dblclick();
  await expect(notification(page, 'Something went wrong')).toBeVisible();
  await expect(page.getByLabel('First Name')).toHaveValue('Mina');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password);
  await page.getByRole('button', { name: 'Create My Account' }).click();
  await expect(notification(page, 'User created and saved to DB')).toBeVisible();
  await expect(page).toHaveURL('/');
  await logOut(page);
  await logInHere(page, { email, password });
  await expect(page).toHaveURL('/dash/patient');
  await openMenu(page);
  await expect(page.getByText('Mina Rahim', { exact: true }).filter({ visible: true })).toBeVisible();
});

test('an expired access token is renewed once, without the visitor noticing', async ({ page, context }) => {
  await logInAs(page, 'admin', '/dash/admin');
  await expect(page.getByText(demoAccounts.patient)).toBeVisible();
  await context.clearCookies({ name: 'clinic_session' });
  const calls = watchCalls(page);
  // Role and list are requested at the same time.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await follow(page, 'Dashboard', 'Orders');
  await expect(page.getByRole('heading', { name: /^Orders/ })).toBeVisible();
  await expect.poll(() => calls).toContain('GET /orderMedi 200');
  expect(refreshes(calls)).toEqual(['POST /jwt/refresh 200']);
});

test('an expired session leads to the login and back to the same place', async ({ page, context }) => {
  await logInAs(page, 'patient', '/dash/patient');
  // An open page may notice it first, and would then show the message.
  await page.goto('about:blank');
  await context.clearCookies({ name: /^clinic_/ });
  await page.goto('/dash/myorders?status=Shipped');
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await logInHere(page, { email: demoAccounts.patient, password: demoPassword });
  await expect(page).toHaveURL('/dash/myorders?status=Shipped');
});

test('other tabs follow a logout and a login', async ({ page, context }) => {
  await logInAs(page, 'doctor', '/dash/doctorAppoinments');
  const other = await context.newPage();
  await other.goto('/dash/appointmentRecord');
  await expect(other.getByRole('heading', { name: 'CurrentAppoinments' })).toBeVisible();
  await logOut(page);
  await expect(other).toHaveURL('/login');
  await page.getByRole('button', { name: 'PHARMACIST', exact: true }).click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL('/dash/orders');
  await expect(other).toHaveURL('/dash/orders');
});

test('a lost connection neither logs in nor out, and what failed can be retried', async ({ page, context }) => {
  await test.step('a log-in without a connection', async () => {
    await page.goto('/login');
    await page.getByRole('button', { name: 'PATIENT' }).click();
    // The sign-in code has been prefetched.
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(notification(page, 'Login failed: the login service isn’t responding')).toBeVisible();
    await context.setOffline(false);
  });

  await test.step('a failed role lookup', async () => {
    const role = `**/users/${encodeURIComponent(demoAccounts.patient)}`;
    await page.route(role, (route) => route.abort());
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByText('We couldn’t open your dashboard')).toBeVisible();
    await page.unroute(role);
    await page.getByRole('main').getByRole('button', { name: 'Retry' }).click();
    await expect(page).toHaveURL('/dash/patient');
  });

  await test.step('a log-out without a connection', async () => {
    await context.setOffline(true);
    await openMenu(page);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(notification(page, 'Logout failed')).toBeVisible();
    await context.setOffline(false);
  });

  await test.step('a session that can’t be checked', async () => {
    await page.route('**/jwt/session', (route) => route.abort());
    await page.reload();
    await expect(page.getByText('Loading, please wait a moment...')).toBeVisible();
    await expect(page.getByText('We can’t check if you’re logged in right now')).toBeVisible();
    await page.unroute('**/jwt/session');
    // It recovers without a reload.
    await expect(page.getByRole('heading', { name: 'All My Appoinments' })).toBeVisible();
  });
});
