import { TOTP } from 'otpauth';
import { expectToFitPhone } from '../support/appearance.ts';
import { expect, expectAccessible, follow, notification, openMenu, picture, test } from '../support/clinic.ts';
import { fillRegistration, logIn, logOut, trySigningIn } from '../support/log-in.ts';
import { followMail } from '../support/mailbox.ts';
import { confirmAddress, registerPatient } from '../support/people.ts';

const banner = 'Confirm your email address';

test('a new patient is asked to confirm the address, does so with the demo’s mailbox, and isn’t asked again', async ({
  page,
}, { project }) => {
  const email = `mira.${project.name}.${Date.now()}@mail.example`;
  await page.goto('/register');
  await fillRegistration(page, { firstName: 'Mira', lastName: 'Live', email, password: 'Secret-77' });
  await page.getByRole('button', { name: 'Create My Account' }).click();
  await expect(notification(page, 'User created and saved to DB')).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByText('One more step: confirm your email address')).toBeVisible();
  await follow(page, 'Main', 'Dashboard');
  await expect(page).toHaveURL('/dash/patient');
  await expect(page.getByText(banner)).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'account banner');

  await page.getByRole('link', { name: 'Open the demo mailbox' }).click();
  await expect(page.getByRole('heading', { name: 'Demo mailbox' })).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'account demo mailbox');
  await followMail(page, 'Confirm your email address', 'Confirm this address');
  await expect(page.getByRole('heading', { name: banner })).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Email/ })).toHaveValue(email);
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'account confirm');
  await page.getByLabel('Password', { exact: true }).fill('Secret-77');
  await page.getByRole('button', { name: 'Log in and confirm' }).click();
  await expect(notification(page, 'Your email address is confirmed')).toBeVisible();
  await expect(page).toHaveURL('/dash/patient');
  await expect(page.getByText(banner)).toHaveCount(0);
  // Details from the registration stay: the person who registered also reads the mail.
  await openMenu(page);
  await expect(page.getByText('Mira Live').filter({ visible: true }).first()).toBeVisible();
});

test('a new password by mail logs the other browser out', async ({ page, browser, request }, { project }) => {
  const patient = await registerPatient(request, 'Runa', project.name);
  const elsewhere = await browser.newContext();
  const otherPage = await elsewhere.newPage();
  await logIn(otherPage, patient.email, patient.password, '/dash/patient');

  await page.goto('/login');
  await page.getByLabel('Email').fill(patient.email);
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forgot your password?' });
  await expect(dialog.getByLabel('Your email')).toHaveValue(patient.email);
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'forgot password');
  await dialog.getByRole('button', { name: 'Send the link' }).click();
  await expect(notification(page, 'Check your email')).toBeVisible();
  await page.goto(`/mailbox?q=${encodeURIComponent(patient.email)}`);
  await followMail(page, 'Choose a new password', 'Choose a new password');
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'account new password');
  await page.getByLabel('New password').fill('Three-other-words');
  await page.getByRole('button', { name: 'Set the password and log in' }).click();
  await expect(notification(page, 'Your new password is set')).toBeVisible();
  await expect(page).toHaveURL('/dash/patient');

  await expect(otherPage).toHaveURL('/login');
  await expect(otherPage.getByText('You’ve been logged out on all devices.')).toBeVisible();
  await trySigningIn(otherPage, patient.email, patient.password);
  await expect(notification(otherPage, 'Login failed: the email address or password isn’t right.')).toBeVisible();
  await elsewhere.close();
});

test('a second step is set up with an authenticator app, asked for at the login, and replaced by a recovery code', async ({
  page,
  request,
}, { project }) => {
  const patient = await registerPatient(request, 'Tania', project.name);
  await confirmAddress(request, patient);
  await logIn(page, patient.email, patient.password, '/dash/account');
  await page.getByRole('button', { name: 'Set up the second step' }).click();
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  await page.getByText('I can’t scan it').click();
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'account second step');
  const secret = (await page.locator('[data-secret]').innerText()).replaceAll(' ', '');
  // A code works once, so the login below uses the next one early.
  const code = (steps: number): string => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
  await page.getByLabel('Enter the six-digit code from the app').fill(code(0));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes.first()).toBeVisible();
  const recovery = await codes.first().innerText();
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'account recovery codes');
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(page.getByText(recovery)).toHaveCount(0);
  await logOut(page);

  await trySigningIn(page, patient.email, patient.password);
  const dialog = page.getByRole('dialog', { name: 'Enter your code' });
  await dialog.getByLabel('Six-digit code').fill('000000');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await expectToFitPhone(page);
  await picture(page, 'account enter code');
  await dialog.getByLabel('Six-digit code').fill(code(1));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL('/dash/patient');
  await logOut(page);

  await trySigningIn(page, patient.email, patient.password);
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click();
  await dialog.getByLabel('Recovery code').fill(recovery);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL('/dash/patient');
});
