import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { expectToFitPhone } from '../support/appearance.ts';
import {
  expect,
  expectAccessible,
  follow,
  expectMenu,
  notification,
  openMenu,
  picture,
  test as base,
} from '../support/clinic.ts';
import { dayFromNow } from '../support/days.ts';
import { logIn, logInHere, logInWithForm, logOut, trySigningIn } from '../support/log-in.ts';
import { menus } from '../support/menus.ts';
import { confirmAddress, openOffice, registerPatient, type Office, type Patient } from '../support/people.ts';

/** An admin in a separate context, and a patient nobody else uses. */
const test = base.extend<{ office: Office; patient: Patient }>({
  office: async ({ baseURL }, provide) => {
    const office = await openOffice(baseURL);
    await provide(office);
    await office.close();
  },
  patient: async ({ request }, provide, { project }) => {
    await provide(await registerPatient(request, 'Lina', project.name));
  },
});

test('with a Google account a known person signs in, and somebody new; or nobody', async ({
  page,
  patient,
  request,
}) => {
  // Not the demo's patient: the first time, it ends the sessions of before, which other tests use.
  await confirmAddress(request, patient);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  const chooser = page.getByRole('dialog', { name: 'Choose a Google account' });
  await expect(chooser).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'google chooser');
  await test.step('none is chosen', async () => {
    await page.keyboard.press('Escape');
    await expect(chooser).toBeHidden();
    await expect(notification(page, 'Login failed: no Google account was chosen.')).toBeVisible();
  });
  await test.step('of somebody new', async () => {
    await page.getByRole('button', { name: 'Continue with Google' }).click();
    await chooser.getByRole('button', { name: 'rina.das@mail.example' }).click();
    await expect(page).toHaveURL('/');
    await follow(page, 'Main', 'Dashboard');
    await expect(page).toHaveURL('/dash/patient');
    await logOut(page);
  });
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await chooser.getByLabel('Name').fill('Lina of Google');
  await chooser.getByLabel('Google email').fill(patient.email);
  await chooser.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page).toHaveURL('/');
  await follow(page, 'Main', 'Dashboard');
  await expect(page).toHaveURL('/dash/patient');
  await openMenu(page);
  await expect(page.getByText('Lina Live').filter({ visible: true }).first()).toBeVisible();
});

test('a password reset doesn’t reveal whether an address is known', async ({ page }) => {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByLabel('Your email').fill('nobody.at.all@mail.example');
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(notification(page, 'Check your email')).toBeVisible();
  await trySigningIn(page, 'nobody.at.all@mail.example', 'Secret-77');
  await expect(notification(page, 'Login failed: the email address or password isn’t right.')).toBeVisible();
});

test('after too many wrong passwords even the right one has to wait', async ({ page, patient }) => {
  const guess = (password: string) =>
    page.request.post('/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo-key', {
      data: { email: patient.email, password, returnSecureToken: true },
    });
  const statuses = [];
  for (let one = 1; one <= 11; one += 1) statuses.push((await guess(`Guess-${one}`)).status());
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  await trySigningIn(page, patient.email, patient.password);
  await expect(
    notification(page, 'Login failed: there were too many attempts. Wait a few minutes, or reset your password.'),
  ).toBeVisible();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
  await expectAccessible(page);
  await picture(page, 'too many attempts');
});

test('a browser that has logged in before gets in while strangers guess the password', async ({
  page,
  patient,
  playwright,
  baseURL,
}) => {
  await logInWithForm(page, patient.email, patient.password, '/dash/patient');
  await logOut(page);
  // From the same IP address, too.
  const stranger = await playwright.request.newContext({ baseURL: String(baseURL) });
  const guess = (password: string) =>
    stranger.post('/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo-key', {
      data: { email: patient.email, password, returnSecureToken: true },
    });
  let status = 400;
  for (let one = 1; status === 400; one += 1) status = (await guess(`Guess-${one}`)).status();
  expect(status).toBe(429);
  expect((await guess(patient.password)).status()).toBe(429);
  await stranger.dispose();
  const device = (await page.context().cookies(new URL('/identitytoolkit.googleapis.com/', page.url()).href)).find(
    ({ name }) => name.startsWith('clinic_device_'),
  );
  expect(device).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/identitytoolkit.googleapis.com' });
  await logInWithForm(page, patient.email, patient.password, '/dash/patient');
});

test('a session that expires in the middle of a booking costs a login, not the typed text', async ({
  page,
  context,
  request,
  patient,
}) => {
  const doctors = (await (await request.get('/doctors')).json()) as Doctor[];
  const doctor = doctors.find(({ email }) => email === 'priya.nair@clinic.example') ?? doctors[0];
  // Opened later, the live line would notice the expired session first.
  const live = page.waitForResponse('**/live**');
  await logIn(page, patient.email, patient.password, `/appoinment/${doctor?._id}`);
  await live;
  // Filled in from the registration: wait, so that it doesn't mix with what the test types.
  await expect(page.getByLabel('Age')).toHaveValue(/^\d+$/);
  await page.getByLabel('Age').fill('34');
  await page.getByLabel('Phone number').fill('+880 1555 777002');
  await page.getByLabel('Address').fill('7 Green Road, third floor');
  await page.getByLabel('Date').fill(dayFromNow(50));
  const times = page.getByRole('radio');
  await times.first().check();

  // The form's own call detects the expired session, not the page's regular poll.
  await page.route('**/jwt/session', () => new Promise(() => undefined));
  await context.clearCookies({ name: /^clinic_/ });
  // A list that is loaded again may be quicker, and the button gone: a press that waited for it would come after the login.
  await expect(async () => {
    if (new URL(page.url()).pathname !== '/login')
      await page.getByRole('button', { name: 'Book Appointment' }).click({ timeout: 2_000 });
    await expect(page).toHaveURL('/login', { timeout: 2_000 });
  }).toPass();
  await expect(page.getByText('Your session has ended. Log in again to continue where you were.')).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'session ended');
  await page.unrouteAll({ behavior: 'ignoreErrors' });

  await logInHere(page, patient);
  await expect(page).toHaveURL(`/appoinment/${doctor?._id}`);
  await expect(page.getByLabel('Patient name')).toHaveValue('Lina Live');
  await expect(page.getByLabel('Age')).toHaveValue('34');
  await expect(page.getByLabel('Address')).toHaveValue('7 Green Road, third floor');
  await expect(times.first()).toBeChecked();
  await page.getByRole('button', { name: 'Book Appointment' }).click();
  await expect(notification(page, 'appoinment created')).toBeVisible();
});

test('a new role takes effect live: menu, first page, and closed pages', async ({ page, office, patient, request }) => {
  await confirmAddress(request, patient);
  await logIn(page, patient.email, patient.password, '/dash/patient');
  await expectMenu(page, menus.patient);

  await office.changeRole(patient.email, 'pharmacist');
  await expect(page).toHaveURL('/dash/orders');
  await expect(notification(page, 'You’re now a pharmacist.')).toBeVisible();
  await expectMenu(page, menus.pharmacist);
  await picture(page, 'new role');

  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'All Medicine' }).click();
  await expect(page.getByRole('heading', { name: 'Medicine Inventory' })).toBeVisible();
  await office.changeRole(patient.email, 'patient');
  await expect(page.getByRole('heading', { name: 'You can’t open ‘Medicine Inventory’' })).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'lost role');
  await page.getByRole('link', { name: 'Back to your dashboard' }).click();
  await expect(page).toHaveURL('/dash/patient');
});
