import { request as requests, type APIRequestContext, type Browser, type Page } from '@playwright/test';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { expect, record, test } from '../support/clinic.ts';
import { dayFromNow } from '../support/days.ts';
import { firebase, ours, read, signIn } from '../support/people.ts';
import { openOwnClinic, type OpenClinic } from '../support/start-clinic.ts';

// Puts script into every text that a user can enter, on every page that shows it, and into addresses. It must be shown as text. The
// content security policy would stop it anyway; a blocked attempt also fails the test.

/** A separate clinic, because no other test wants doctors with such names. */
let clinic: OpenClinic;
test.beforeAll(async () => {
  clinic = await openOwnClinic();
});
test.afterAll(() => clinic.close());

/** Ends every text, so that it can be found. */
const run = `zz${Date.now().toString(36)}`;

const hostile = (field: string): string =>
  `${run}${field} <img src=x onerror=alert(1)><script>alert(2)</script> "'><svg onload=alert(3)> {{7*7}} \${7*7}`;

/** Registers somebody with hostile names. */
async function register(
  api: APIRequestContext,
  email: string,
): Promise<{ readonly email: string; readonly password: string }> {
  const password = 'Secret-77';
  const { idToken } = await firebase<{ idToken: string }>(api, 'signUp', { email, password, returnSecureToken: true });
  const data = {
    firstName: hostile('first'),
    lastName: hostile('last'),
    email,
    phone: '+880 1555 777003',
    dateOfBirth: '1990-04-01',
  };
  await read(await api.post('/users', { data, headers: { ...ours, authorization: `Bearer ${idToken}` } }));
  return { email, password };
}

/** A browser of a signed-in person, or of a stranger. */
async function pageOf(
  browser: Browser,
  account?: { readonly email: string; readonly password: string },
): Promise<Page> {
  const context = await browser.newContext({ baseURL: clinic.url });
  await context.addInitScript(() => {
    const stopped: string[] = [];
    Reflect.set(globalThis, 'stopped', stopped);
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      stopped.push(`${effectiveDirective} ${blockedURI}`),
    );
    for (const name of ['alert', 'confirm', 'prompt'])
      Reflect.set(globalThis, name, (text: string) => stopped.push(`${name} ${text}`));
  });
  if (account) await signIn(context.request, account);
  return context.newPage();
}

/** Expects that none of the texts became markup, and that nothing was blocked or ran. */
async function expectOnlyText(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    stopped: Reflect.get(globalThis, 'stopped') as string[],
    markup: [
      ...document.querySelectorAll(
        'img[src="x"], svg[onload], [onerror], [onload], [onmouseover], a[href^="javascript:" i], script:not([src]):not([type$="json"])',
      ),
    ].map(({ outerHTML }) => outerHTML),
  }));
  expect(found, page.url()).toEqual({ stopped: [], markup: [] });
}

/** Opens a page, waits for a hostile text, and checks it. */
async function expectShown(page: Page, address: string, word: string): Promise<void> {
  await page.goto(address);
  await expect(
    page.getByText(`${word} <img src=x onerror=alert(1)><script>alert(2)</script>`).filter({ visible: true }).first(),
    address,
  ).toBeVisible();
  await expectOnlyText(page);
}

test('user input is text on every page that shows it', async ({ browser }, { project }) => {
  const request = await requests.newContext({ baseURL: clinic.url });
  const staff = (role: 'admin' | 'doctor' | 'pharmacist') =>
    pageOf(browser, { email: demoAccounts[role], password: demoPassword });
  const account = await register(request, `${run}.${project.name}@mail.example`);
  const [patient, doctor, pharmacist, admin, stranger] = await Promise.all([
    pageOf(browser, account),
    staff('doctor'),
    staff('pharmacist'),
    staff('admin'),
    pageOf(browser),
  ]);
  const change = async <T>(page: Page, method: 'post' | 'patch', path: string, data: object): Promise<T> =>
    read<T>(await page.request[method](path, { data, headers: ours }));
  const { name: device } = project;

  await test.step('everybody writes', async () => {
    const texts = { qualification: hostile('qualification'), specialization: hostile('specialization'), experience: 3 };
    const made = await change<Doctor>(admin, 'post', '/doc-pharma', {
      ...texts,
      name: hostile('doctor'),
      email: `${run}.${device}@clinic.example`,
      role: 'doctor',
    });
    await change(admin, 'patch', `/doctors/${made._id}/profile`, {
      education: hostile('education'),
      location: hostile('location'),
    });
    await change(admin, 'post', '/doc-pharma', {
      ...texts,
      name: hostile('pharmacist'),
      email: `${run}.${device}.2@clinic.example`,
      role: 'pharmacist',
    });
    const medicine = {
      name: hostile('medicine'),
      manufacturer: hostile('manufacturer'),
      quantity: 50,
      unit: 'box',
      expiryDate: dayFromNow(400),
      pricePerUnit: 1,
    };
    const {
      medicine: { medicineId },
    } = await change<Medicine>(pharmacist, 'post', '/medicine', { medicine });
    const [theDoctor] = await read<Doctor[]>(await stranger.request.get(`/doctors?email=${demoAccounts.doctor}`));
    expect(theDoctor?.nextFree).toBeTruthy();
    await change(patient, 'post', '/appoinments', {
      patientname: hostile('patient'),
      patientemail: account.email,
      age: 30,
      address: hostile('address'),
      number: '+880 1555 777003',
      ...theDoctor?.nextFree,
      doctoremail: demoAccounts.doctor,
    });
    await change(patient, 'post', '/orderMedi', {
      items: [{ medicineId, quantity: 1 }],
      deliveryAddress: hostile('delivery'),
      customeremail: account.email,
      customerPhone: '+880 1555 777003',
    });
  });

  await test.step('strangers read', async () => {
    await expectShown(stranger, `/ourDoctors?q=${run}doctor`, `${run}doctor`);
    const facts = await stranger.locator('script[type="application/ld+json"]').allTextContents();
    expect(facts.some((text) => JSON.stringify(JSON.parse(text)).includes(`${run}doctor <img`))).toBe(true);
    await expectShown(stranger, `/medicinestore?q=${run}medicine`, `${run}medicine`);
  });
  await test.step('the patient reads', async () => {
    await expectShown(patient, '/dash/patient', `${run}patient`);
    await expectShown(patient, '/dash/myorders', `${run}medicine`);
    await expectShown(patient, '/dash/account', `${run}first`);
  });
  await test.step('the doctor reads', async () => {
    await expectShown(doctor, `/dash/doctorAppoinments?q=${run}patient`, `${run}patient`);
    await expectShown(doctor, `/dash/appointmentRecord?q=${run}patient`, `${run}patient`);
  });
  await test.step('the pharmacist reads', async () => {
    await expectShown(pharmacist, `/dash/orders?q=${encodeURIComponent(account.email)}`, `${run}medicine`);
    await expectShown(pharmacist, `/dash/medicine?q=${run}medicine`, `${run}medicine`);
  });
  await test.step('the admin reads', async () => {
    await expectShown(admin, `/dash/admin?q=${encodeURIComponent(account.email)}`, `${run}first`);
    await expectShown(admin, `/dash/doctors?q=${run}doctor`, `${run}doctor`);
    await expectShown(admin, `/dash/pharmacists?q=${run}pharmacist`, `${run}pharmacist`);
    await expectShown(admin, `/dash/appoinments?q=${run}patient`, `${run}patient`);
    await admin.goto(`/dash/history?q=${encodeURIComponent(account.email)}`);
    await expect(record(admin, 'History', 'Booked')).toBeVisible();
    // Long changes fold.
    await admin.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
    await expect(admin.getByText(`${run}address <img src=x`).filter({ visible: true }).first()).toBeVisible();
    await expectOnlyText(admin);
  });
  await test.step('the admin deletes', async () => {
    await admin.goto(`/dash/admin?q=${encodeURIComponent(account.email)}`);
    await record(admin, 'Users', account.email)
      .getByRole('button', { name: /^Account of / })
      .click();
    await expectOnlyText(admin);
    await admin.getByRole('button', { name: 'Delete …' }).click();
    const dialog = admin.getByRole('dialog', { name: /^Delete / });
    await expect(dialog).toContainText(`${run}first <img src=x`);
    await dialog.getByLabel(/^Type .* to confirm/).fill(hostile('confirmation'));
    await dialog.getByRole('button', { name: /^Delete / }).click();
    await expect(dialog.getByText('This isn’t their email address')).toBeVisible();
    await expectOnlyText(admin);
    await dialog.getByLabel(/^Type .* to confirm/).fill(account.email);
    await dialog.getByRole('button', { name: /^Delete / }).click();
    await expect(dialog.getByText(/ is deleted$/)).toContainText(`${run}first <img src=x`);
    await expectOnlyText(admin);
    // The patient's own page, which notices that the session has ended.
    await patient.goto('/dash/account');
    await expect(patient).toHaveURL(/\/login/);
    await expectOnlyText(patient);
  });
  for (const page of [patient, doctor, pharmacist, admin, stranger]) await page.context().close();
  await request.dispose();
});

test('script in addresses does nothing', async ({ browser }) => {
  const page = await pageOf(browser);
  const script = encodeURIComponent('"><img src=x onerror=alert(1)><script>alert(2)</script>');
  const addresses = [
    `/?q=${script}`,
    `/ourDoctors?q=${script}`,
    `/ourDoctors?specialty=${script}&sort=${script}`,
    `/medicinestore?q=${script}&status=${script}`,
    `/no/such/${script.replaceAll('%2F', '')}`,
    `/about?${script}=${script}#${script}`,
    `/login?from=javascript:alert(1)`,
    `/login?from=//evil.example&next=//evil.example&redirect=https://evil.example`,
    `/register?email=${script}`,
    `/appointments?x=${script}`,
    `/dash/history?person=${script}`,
    '/#javascript:alert(1)',
    `/?remote-override=mf-public@javascript:alert(1)`,
    `/?__proto__[x]=${script}&constructor.prototype.x=${script}`,
  ];
  for (const address of addresses) {
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBeLessThan(500);
    await expect(page.getByRole('heading').first(), address).toBeVisible();
    await expectOnlyText(page);
    expect(new URL(page.url()).origin).toBe(clinic.url);
    expect(await page.evaluate(() => 'x' in {})).toBe(false);
  }
  await page.context().close();
});

test('picture and email addresses never become code, whatever a service returns', async ({ browser }) => {
  const page = await pageOf(browser);
  await page.route(/\/doctors(\?|$)/, async (route) => {
    const response = await route.fetch();
    const doctors = (await response.json()) as Doctor[];
    await route.fulfill({
      response,
      json: doctors.map((doctor, index) => ({
        ...doctor,
        name: `${doctor.name} ${index}`,
        image: index % 2 ? 'javascript:alert(1)' : 'data:text/html,<script>alert(1)</script>',
        email: 'javascript:alert(1)',
      })),
    });
  });
  await page.goto('/ourDoctors');
  await expect(page.getByRole('article').first()).toBeVisible();
  for (const link of await page.locator('main a').all())
    expect(await link.getAttribute('href')).toMatch(/^(mailto:|\/)/);
  const { stopped } = await page.evaluate(() => ({ stopped: Reflect.get(globalThis, 'stopped') as string[] }));
  // The browser doesn't even request an invalid picture address.
  for (const one of stopped) expect(one).toMatch(/^img-src /);
  await page.context().close();
});

test('a forged history entry leads to no other site after the login', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByLabel('Email')).toBeVisible();
  // Others are in shell/src/guards/remembered-place.test.ts.
  await page.evaluate(() => history.replaceState({ usr: { from: '//evil.example/x' }, key: 'evil', idx: 0 }, ''));
  await page.reload();
  await page.getByRole('button', { name: 'PATIENT', exact: true }).click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL('/dash/patient');
});
