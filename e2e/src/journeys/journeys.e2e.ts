import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import {
  closeCart,
  expect,
  expectAccessible,
  follow,
  giveRoleWithProfile,
  expectMenu,
  notification,
  openCart,
  openMenu,
  picture,
  record,
  test,
} from '../support/clinic.ts';
import { dayFromNow } from '../support/days.ts';
import { fillRegistration, logIn, logInAs, logInWithForm, logOut, trySigningIn } from '../support/log-in.ts';
import { menus } from '../support/menus.ts';
import { confirmAddress } from '../support/people.ts';

// Serial: each test continues where the previous one left the clinic.
test.describe.configure({ mode: 'serial' });

const password = 'Secret-77';
const street = '12 Lake Road, Dhanmondi';

/** The clinic may have been used before, so every run brings new people, on a separate day. */
const run = Date.now();

/** Devices and browsers use the same clinic at the same time, each with its own people, days and medicines. */
function cast(project: string) {
  const index = ['desktop', 'phone', 'firefox'].indexOf(project);
  return {
    firstName: 'Nora',
    lastName: ['Desk', 'Field', 'Fox'][index] ?? '',
    email: `nora.${project}.${run.toString(36)}@mail.example`,
    day: dayFromNow(100 + 3 * (Math.floor(run / 1000) % 100) + index),
    medicines: medicines[index] ?? medicines[0],
  };
}

/** From the end of the alphabet: other tests order what the store shows first. */
const medicines = [
  ['Metformin 850 mg', 'Montelukast 10 mg'],
  ['Omeprazole 20 mg', 'Salbutamol inhaler 100 mcg'],
  ['Vitamin D3 20,000 IU', 'Povidone-iodine solution'],
] as const;

type Stock = Readonly<{ name: string; quantity: number }>;
let ordered: readonly [Stock, Stock];

test('a patient registers, books a doctor and orders medicines', async ({ page, request }, { project }) => {
  const nora = cast(project.name);
  const fullName = `${nora.firstName} ${nora.lastName}`;

  await test.step('register', async () => {
    await page.goto('/');
    await openMenu(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Login' }).click();
    await page.getByRole('link', { name: 'Create an account' }).click();
    await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible();
    await page.getByRole('button', { name: 'Create My Account' }).click();
    await expect(page.getByText('First name is required')).toBeVisible();
    await expectAccessible(page);
    await fillRegistration(page, { ...nora, password });
    await picture(page, 'register');
    await page.getByRole('button', { name: 'Create My Account' }).click();
    await expect(notification(page, 'User created and saved to DB')).toBeVisible();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { name: 'Your Health, Our Priority' })).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'home');
  });

  await test.step('log out and in again', async () => {
    await logOut(page);
    await trySigningIn(page, nora.email, 'not-the-password');
    await expect(notification(page, /^Login failed: /)).toBeVisible();
    await picture(page, 'login refused');
    await expectAccessible(page);
    await logInWithForm(page, nora.email, password, '/dash/patient');
    await expect(page.getByRole('heading', { name: 'All My Appoinments' })).toBeVisible();
    await expect(page.getByText('No coming appointments')).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'patient without appointments');
    await expectMenu(page, menus.patient);
  });

  await test.step('book', async () => {
    // Eighteen, and those added by other tests.
    const doctors = (await (await request.get('/doctors')).json()) as readonly Doctor[];
    expect(doctors.length).toBeGreaterThanOrEqual(18);
    await page.goto('/ourDoctors');
    await expect(page.getByRole('heading', { name: /^Showing \d+ doctor\(s\)$/ })).toBeVisible();
    await page.getByRole('searchbox').fill('akter');
    await expect(page.getByRole('heading', { name: 'Showing 1 doctor(s)' })).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'one doctor found');
    await page.getByRole('link', { name: 'Book Appointment' }).click();
    await expect(page).toHaveURL(/\/appoinment\/[0-9a-f]{24}$/);
    await expect(page.getByLabel('Patient name')).toHaveValue(fullName);
    await expect(page.getByLabel('Age')).toHaveValue(/^3\d$/);
    await expect(page.getByLabel('Phone number')).toHaveValue('+880 1555 777000');
    for (const label of ['Age', 'Phone number']) await page.getByLabel(label).fill('');
    await page.getByRole('button', { name: 'Book Appointment' }).click();
    for (const message of [
      'Age is required',
      'Phone number is required',
      'Address is required',
      'Date is required',
      'Time is required',
    ]) {
      await expect(page.getByText(message)).toBeVisible();
    }
    await page.getByLabel('Age').fill('0');
    await expect(page.getByText('Age must be positive')).toBeVisible();
    await page.getByLabel('Age').fill('36');
    await page.getByLabel('Phone number').fill('+880 1555 777000');
    await page.getByLabel('Address').fill(street);
    await page.getByLabel('Date').fill(nora.day);
    await page.getByRole('radio', { name: '9:30 AM' }).check();
    await expectAccessible(page);
    await picture(page, 'booking');
    await page.getByRole('button', { name: 'Book Appointment' }).click();
    await expect(notification(page, 'appoinment created')).toBeVisible();
    await expect(page).toHaveURL('/dash/doctorAppoinments');
    await expect(page.getByRole('heading', { name: 'Record' })).toBeVisible();
    await expect(record(page, 'Record', 'Dr. Tahmina Akter')).toContainText('Pending');
    await follow(page, 'Dashboard', 'My Appointments');
    await expect(record(page, 'All My Appoinments', 'Dr. Tahmina Akter')).toContainText('Pending');
    await expectAccessible(page);
    await picture(page, 'patient with appointment');
  });

  await test.step('order medicines', async () => {
    const catalogue = (await (await request.get('/medicine')).json()) as Medicine[];
    const stockOf = (name: string): Stock => {
      const found = catalogue.find(({ medicine }) => medicine.name === name);
      return { name, quantity: Number(found?.medicine.quantity.$numberInt) };
    };
    ordered = [stockOf(nora.medicines[0]), stockOf(nora.medicines[1])];
    const [first, second] = ordered;

    await page.goto('/medicinestore');
    for (const [medicine, presses] of [
      [first, 2],
      [second, 1],
    ] as const) {
      await page.getByRole('searchbox').fill(medicine.name);
      const card = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: medicine.name, exact: true }) });
      await card.getByRole('button', { name: `Add to Cart: ${medicine.name}` }).click();
      const again = card.getByRole('button', { name: `In the cart: ${medicine.name}` });
      // In a slow browser the message could be gone by the time the click returns.
      await Promise.all([expect(notification(page, 'Item is already in the cart!')).toBeVisible(), again.click()]);
      await openCart(page);
      for (let press = 0; press < presses; press += 1)
        await page.getByRole('button', { name: `One ${medicine.name} more`, exact: true }).click();
      await closeCart(page);
    }
    await openCart(page);
    await expect(page.getByRole('heading', { name: 'Cart (2)' })).toBeVisible();
    await page.getByRole('button', { name: `One ${second.name} less`, exact: true }).click();
    await page.getByLabel('Phone').fill('+880 1555 777000');
    await page.getByLabel('Address').fill(street);
    await expectAccessible(page);
    await picture(page, 'cart');
    await page.getByRole('button', { name: 'Place Order' }).click();
    await expect(notification(page, 'order created')).toBeVisible();
    await page.goto('/dash/myorders');
    const order = record(page, 'My Orders', first.name);
    await expect(order).toContainText(`3 × ${first.name}`);
    await expect(order).toContainText(`1 × ${second.name}`);
    await expect(order).toContainText('pending');
    await expect(order).toContainText('৳');
    await expectAccessible(page);
    await picture(page, 'my orders');
  });
});

test('the doctor finds the appointment and confirms it', async ({ page }, { project }) => {
  const nora = cast(project.name);
  const patient = nora.email;
  await logInAs(page, 'doctor', '/dash/doctorAppoinments');
  await expectMenu(page, menus.doctor);
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Records' }).click();
  await page.getByRole('searchbox').fill(patient);
  await expect(record(page, 'Record', patient)).toContainText('Pending');
  await expectAccessible(page);
  await picture(page, 'doctor record');

  await follow(page, 'Dashboard', 'Current Appointment');
  await expect(page.getByRole('heading', { name: 'CurrentAppoinments' })).toBeVisible();
  await page.getByRole('searchbox').fill(patient);
  await expectAccessible(page);
  await picture(page, 'doctor current');
  await record(page, 'CurrentAppoinments', patient)
    .getByRole('combobox', { name: /^Status of/ })
    .selectOption('Confirmed');
  await expect(record(page, 'CurrentAppoinments', patient)).toHaveCount(0);
  await expect(page.getByText('No appointments match')).toBeVisible();

  await page.goto(`/dash/doctorAppoinments?q=${encodeURIComponent(patient)}`);
  await expect(record(page, 'Record', patient).getByRole('combobox', { name: /^Status of/ })).toHaveValue('Confirmed');
});

test('the pharmacist ships the order, and the stock has gone down by the ordered quantity', async ({ page }) => {
  const [first, second] = ordered;
  await logInAs(page, 'pharmacist', '/dash/orders');
  await expectMenu(page, menus.pharmacist);
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Orders' }).click();
  const order = record(page, 'Orders', `3 × ${first.name}`);
  await expect(order).toContainText(street);
  await expectAccessible(page);
  await picture(page, 'orders');
  await order.getByRole('combobox', { name: /Status/ }).selectOption('Shipped');
  await expect(notification(page, /Shipped/)).toBeVisible();
  await page.reload();
  await expect(record(page, 'Orders', `3 × ${first.name}`).getByRole('combobox', { name: /Status/ })).toHaveValue(
    'Shipped',
  );

  for (const [medicine, taken] of [
    [first, 3],
    [second, 1],
  ] as const) {
    await page.goto(`/dash/medicine?q=${encodeURIComponent(medicine.name)}`);
    await expect(record(page, 'Medicine Inventory', medicine.name)).toContainText(String(medicine.quantity - taken));
  }
});

test('the admin makes the new user a pharmacist, and their open menu follows', async ({ page, browser, request }, {
  project,
}) => {
  const nora = cast(project.name);
  await confirmAddress(request, { email: nora.email, password });
  const theirPage = await browser.newPage();
  await logIn(theirPage, nora.email, password, '/dash/patient');
  await expectMenu(theirPage, menus.patient);

  await logInAs(page, 'admin', '/dash/admin');
  await expect(page.getByRole('heading', { name: 'All Users' })).toBeVisible();
  await expectMenu(page, menus.admin);
  await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'All Users' }).click();
  await picture(page, 'users');
  await expectAccessible(page);
  await page.getByRole('searchbox').fill(nora.email);
  const row = record(page, 'Users', nora.email);
  const role = row.getByRole('combobox', { name: `Role of ${nora.firstName} ${nora.lastName}` });
  await expect(role).toHaveValue('patient');
  await giveRoleWithProfile(page, row, 'Pharmasicts');
  await expect(notification(page, /is now Pharmasicts/)).toBeVisible();
  await expect(role).toHaveValue('pharmacist');

  // Their open page follows without a reload, and leads on, which closes a menu that is being read.
  await expect(theirPage.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
  await expectMenu(theirPage, menus.pharmacist);
  await theirPage.goto('/dash');
  await expect(theirPage).toHaveURL('/dash/orders');
  await theirPage.close();

  for (const [path, heading] of [
    ['/dash/doctors', 'Doctors'],
    ['/dash/pharmacists', 'Pharmacists'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.getByText('Loading...')).toHaveCount(0);
    await expectAccessible(page);
    await picture(page, path);
  }
});
