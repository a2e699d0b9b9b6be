import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { expect, test } from '@playwright/test';
import { Select } from 'selenium-webdriver/lib/select.js';
import { freeDayFrom } from '../support/days.ts';
import { fillLists } from '../support/full-lists.ts';
import { lasting, layoutFaults } from '../support/layout-faults.ts';
import { pathsFor, visitors, widthsElsewhere } from '../support/pages.ts';
import { openWebKit, type WebKitPage } from './webkit.ts';

// Playwright can't drive WebKitGTK, so these tests go through its WebDriver. They share one window, one after the other.
test.describe.configure({ mode: 'serial' });

const password = 'Secret-77';
const street = '12 Lake Road, Dhanmondi';
const nora = `nora.webkit.${Date.now().toString(36)}@mail.example`;
let page: WebKitPage;

test.beforeAll(async ({ baseURL }) => {
  page = await openWebKit(baseURL ?? '');
  await page.resize(1280, 950);
});
test.afterEach(async () => {
  const info = test.info();
  if (info.status === info.expectedStatus) return;
  const body = Buffer.from(await page.driver.takeScreenshot(), 'base64');
  await info.attach('screenshot', { body, contentType: 'image/png' });
});
test.afterAll(() => page.close());

async function logIn(email: string, secret: string = demoPassword): Promise<void> {
  await page.forget();
  await page.open('/login');
  await page.type('Email', email);
  await page.type('Password', secret);
  await page.click('button', 'Sign In');
  await page.find('button', 'Logout');
  await ledTo(/^\/dash\/\w/);
}

/** Waits until the page has led on by itself: WebKit drops a document that is asked for just before that. */
async function ledTo(path: RegExp): Promise<void> {
  await expect.poll(() => page.run(() => location.pathname)).toMatch(path);
}

/** Books what is chosen. The form fills itself in from the registration, except the address. */
async function book(): Promise<void> {
  const age = () => page.run(() => document.querySelector<HTMLInputElement>('[name="age"]')?.value);
  await expect.poll(age).toMatch(/\d/);
  await page.type('Address', street);
  await page.click('button', 'Book Appointment');
  await page.see('appoinment created');
}

/** Chooses an option of a status or role. */
async function choose(name: RegExp, option: string): Promise<void> {
  const selector = await page.find('combobox', name);
  await new Select(selector).selectByVisibleText(option);
}

test('a patient registers, books, moves and cancels', async ({ request }) => {
  await page.open('/register');
  await page.click('button', 'Create My Account');
  await page.see('First name is required');
  await page.type('First Name', 'Nora');
  await page.type('Last Name', 'Kit');
  await page.type('Email', nora);
  await page.type('Phone', '+880 1555 777000');
  // Month, day and year are three parts of the field.
  await page.type('Date of Birth', '04/01/1990');
  await page.type('Password', password);
  await page.click('button', 'Create My Account');
  await page.see('User created and saved to DB');
  await ledTo(/^\/$/);

  await page.open('/ourDoctors');
  // Other engines book cardiologists meanwhile.
  await choose(/^Specialty$/, 'Orthopedic Surgery');
  // Today's appointments may be too close to move or to cancel.
  await choose(/^Day$/, 'Tomorrow');
  const slot = await page.find('link', /[AP]M tomorrow, book with /);
  const [, doctor = ''] = /appoinment\/(\w+)/.exec((await slot.getAttribute('href')) ?? '') ?? [];
  await page.click('link', /[AP]M tomorrow, book with /);
  await book();

  await page.click('button', /^Reschedule/);
  const [year, month, day] = (await freeDayFrom(request, doctor, 2)).split('-');
  await page.type('Date', `${month}/${day}/${year}`);
  await page.click('radio', /[AP]M$/);
  await page.click('button', 'Reschedule');
  await page.see(/ moved to .+ at \d+:\d\d [AP]M$/);

  await page.click('button', /^Cancel: /);
  await page.click('button', 'Cancel appointment');
  await page.see(/: Cancelled$/);
});

test('the patient orders medicines', async () => {
  await page.open('/medicinestore');
  await page.click('button', /^Add to Cart: /);
  await page.type('Phone', '+880 1555 777000');
  await page.type('Address', street);
  await page.click('button', 'Place Order');
  await page.see('order created');
  await page.open('/dash/myorders');
  await page.see('pending');
});

test('a doctor confirms an appointment', async () => {
  await page.open('/ourDoctors?q=Tahmina');
  await page.click('link', /\d+:\d\d [AP]M/);
  await book();
  await ledTo(/^\/dash\//);
  await logIn(demoAccounts.doctor);
  await page.open(`/dash/appointmentRecord?q=${encodeURIComponent(nora)}`);
  await choose(/^Status of/, 'Confirmed');
  await page.see('No appointments match');
});

test('a pharmacist ships the order, and an admin finds its customer', async () => {
  await logIn(demoAccounts.pharmacist);
  await page.open(`/dash/orders?q=${encodeURIComponent(nora)}`);
  await choose(/^Status of/, 'Shipped');
  await page.see(/Shipped/);
  await logIn(demoAccounts.admin);
  await page.open(`/dash/admin?q=${encodeURIComponent(nora)}`);
  await page.find('combobox', 'Role of Nora Kit');
});

test('logging out closes the guarded pages', async () => {
  await page.click('button', 'Logout');
  await page.find('link', 'Login');
  await page.open('/dash/myorders');
  expect(new URL(await page.driver.getCurrentUrl()).pathname).toBe('/login');
});

for (const role of visitors)
  test(`nothing is cut off, broken or covered on any page of ${role ?? 'a visitor'}, at any width`, async ({
    baseURL,
  }) => {
    await page.resize(widthsElsewhere[0], 900);
    if (role === 'patient') {
      const { email, password: secret } = await fillLists(baseURL);
      await logIn(email, secret);
    } else if (role) await logIn(demoAccounts[role]);
    else await page.forget();
    const faults: string[] = [];
    for (const path of pathsFor(role)) {
      await page.resize(widthsElsewhere[0], 900);
      await page.open(path);
      for (const width of widthsElsewhere) {
        await page.resize(width, 900);
        faults.push(
          ...(await lasting(() => page.run(layoutFaults))).map((fault) => `${path} at ${width} px: ${fault}`),
        );
      }
    }
    expect(faults).toEqual([]);
  });

test('an empty date doesn’t look filled in', async () => {
  await page.forget();
  await page.open('/register');
  // Styles of the field's parts can't be read, and pictures of single elements are blank.
  await page.run(() => void (document.documentElement.style.overflow = 'hidden'));
  const become = (type: string) =>
    page.run((next) => document.querySelector('[name="dateOfBirth"]')?.setAttribute('type', next), type);
  const likeText = async () => {
    await become('date');
    const date = await page.driver.takeScreenshot();
    await become('text');
    return date === (await page.driver.takeScreenshot());
  };
  await expect.poll(likeText).toBe(true);
  await become('date');
  const empty = await page.driver.takeScreenshot();
  await page.type('Date of Birth', '04/01/1990');
  await page.click('heading', 'Create Your Account');
  expect((await page.driver.takeScreenshot()) === empty).toBe(false);
});
