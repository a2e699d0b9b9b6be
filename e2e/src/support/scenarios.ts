import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import type { Browser, Page } from '@playwright/test';
import { errorsOf, expect, notification, pressAction, record } from './clinic.ts';
import { dayFromNow } from './days.ts';
import { registerPatient, signIn } from './people.ts';
import type { FrontEnd, TestEnvironment } from './test-environment.ts';

/** A remote of the product. */
export type Remote = Exclude<FrontEnd, 'shell'>;

/** A scenario through the screens of one remote. */
interface Scenario {
  /** `nobody` is a visitor without an account; `newcomer` has a new one, and may leave data behind. */
  readonly as: keyof typeof demoAccounts | 'nobody' | 'newcomer';
  readonly go: (page: Page) => Promise<void>;
}

/** Opens a page and expects this title and all of these texts. */
async function open(page: Page, path: string, title: string, ...texts: readonly (string | RegExp)[]): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1, name: title }), path).toBeVisible();
  await expect(page.getByText('Loading...'), path).toHaveCount(0);
  for (const text of texts) await expect(page.getByText(text).filter({ visible: true }).first(), path).toBeVisible();
}

async function expectMessages(page: Page, ...messages: readonly string[]): Promise<void> {
  for (const message of messages) await expect(page.getByText(message, { exact: true })).toBeVisible();
}

/**
 * The main screens of each remote with their specified texts, for each role that has any there. They also run with the
 * previous release, so they expect only texts that it has too.
 */
export const scenarios: Readonly<Record<Remote, readonly Scenario[]>> = {
  'mf-public': [
    {
      as: 'nobody',
      async go(page) {
        await open(
          page,
          '/',
          'Your Health, Our Priority',
          'Our Medical Services',
          'Meet Our Expert Doctors',
          'What Our Patients Say',
          'Frequently Asked Questions',
        );
        await open(page, '/about', 'About', 'Our Mission', 'Our Vision');
        await open(page, '/services', 'Services', 'Cardiology');
        await open(page, '/ourDoctors', 'Doctors', /^Showing \d+ doctor\(s\)$/);
        await page.getByRole('searchbox').fill('akter');
        await expect(page.getByRole('heading', { name: 'Showing 1 doctor(s)' })).toBeVisible();
        await expect(page.getByRole('link', { name: 'Book Appointment' })).toBeVisible();
      },
    },
  ],
  'mf-clinic': [
    {
      as: 'newcomer',
      async go(page) {
        const doctors = (await (await page.request.get('/doctors')).json()) as readonly Doctor[];
        const doctor = doctors.findLast(({ isAvailable, availableTimes }) => isAvailable && availableTimes.length > 0);
        await open(
          page,
          `/appoinment/${doctor?._id}`,
          'Book Appointment',
          `With ${doctor?.name}, ${doctor?.specialty}`,
        );
        // Today's front-end fills in what it knows.
        await page.waitForLoadState('networkidle');
        for (const label of ['Age', 'Phone number', 'Address']) await page.getByLabel(label).fill('');
        await page.getByRole('button', { name: 'Book Appointment' }).click();
        await expectMessages(
          page,
          'Age is required',
          'Phone number is required',
          'Address is required',
          'Date is required',
          'Time is required',
        );
        await page.getByLabel('Age').fill('36');
        await page.getByLabel('Phone number').fill('+880 1555 777000');
        await page.getByLabel('Address').fill('House 9, Lake Road');
        // A separate day, so that nobody else books the same time.
        await page.getByLabel('Date').fill(dayFromNow(400 + (Math.floor(Date.now() / 1000) % 300)));
        await page.getByRole('radio').first().check();
        await page.getByRole('button', { name: 'Book Appointment' }).click();
        await expect(notification(page, 'appoinment created')).toBeVisible();
        await expect(page).toHaveURL('/dash/doctorAppoinments');
        await open(page, '/dash/patient', 'All My Appoinments');
        const own = record(page, 'All My Appoinments', String(doctor?.name));
        await expect(own).toContainText('Pending');
      },
    },
    {
      as: 'doctor',
      async go(page) {
        await open(page, '/dash/doctorAppoinments', 'Record', 'Patient');
        await open(page, '/dash/appointmentRecord', 'CurrentAppoinments');
        await open(page, '/dash/dProfile', 'My Profile', 'Days off');
      },
    },
    { as: 'admin', go: (page) => open(page, '/dash/appoinments', 'Appointments', 'Doctor') },
  ],
  'mf-pharmacy': [
    {
      as: 'nobody',
      async go(page) {
        await open(page, '/medicinestore', 'Pharmacy');
        await page.getByRole('button', { name: 'Add to Cart', disabled: false }).first().click();
        await expect(page.getByRole('heading', { name: 'Cart (1)' })).toBeVisible();
      },
    },
    {
      as: 'newcomer',
      go: (page) => open(page, '/dash/myorders', 'My Orders', /^You (?:have not|haven’t) ordered anything yet$/),
    },
    {
      as: 'pharmacist',
      async go(page) {
        await open(page, '/dash/orders', 'Orders');
        await expect(page.getByRole('combobox', { name: /Status/ }).first()).toBeVisible();
        await open(page, '/dash/medicine', 'Medicine Inventory', /^Total medicines: \d+$/);
        await pressAction(page, /^Edit /);
        await expect(page.getByRole('dialog').getByLabel('Manufacturer')).toBeVisible();
        await open(page, '/dash/addmedicine', 'Add New Medicine');
        await page.getByRole('button', { name: 'Add Medicine', exact: true }).click();
        await expectMessages(
          page,
          'Name is required',
          'Quantity is required',
          'Expiry date is required',
          'Price is required',
        );
      },
    },
    {
      as: 'admin',
      go: (page) => open(page, '/dash/overview', 'Overview', 'Revenue by day', 'Stock at risk', 'Medicines at risk'),
    },
  ],
  'mf-admin': [
    {
      as: 'admin',
      async go(page) {
        await open(page, '/dash/admin', 'All Users');
        await page.getByRole('searchbox').fill(demoAccounts.pharmacist);
        await record(page, 'Users', demoAccounts.pharmacist)
          .getByRole('button', { name: /^Account of / })
          .click();
        await expect(page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' })).toBeVisible();
        await open(page, '/dash/doctors?q=tahmina', 'Doctors', 'Dr. Tahmina Akter');
        await open(page, '/dash/pharmacists', 'Pharmacists');
        await open(page, '/dash/createProfile', 'Create Profile');
        await open(
          page,
          '/dash/overview',
          'Overview',
          'Users by role',
          'Appointments by specialty',
          'Medicines at risk',
        );
        await open(page, '/dash/history', 'History', 'Before and after');
      },
    },
    {
      as: 'doctor',
      go: (page) => open(page, '/dash/account', 'My Account', 'Your data'),
    },
  ],
};

/** Runs all scenarios of a remote; a console error fails the test. */
export async function runScenarios(remote: Remote, testEnv: TestEnvironment, browser: Browser): Promise<void> {
  for (const { as, go } of scenarios[remote]) {
    const context = await browser.newContext({ baseURL: testEnv.url });
    const errors = errorsOf(context);
    if (as === 'newcomer') await signIn(context.request, await registerPatient(context.request, 'Nadia', remote));
    else if (as !== 'nobody') await signIn(context.request, { email: demoAccounts[as], password: demoPassword });
    await go(await context.newPage());
    expect(errors, `errors in the console of ${as}`).toEqual([]);
    await context.close();
  }
}
