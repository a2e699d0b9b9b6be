// Front-ends of the previous release stay deployed while services are upgraded, so changes made with them must still work.
import { type Browser, type Page } from '@playwright/test';
import type { User } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { demoAccounts, demoPassword, demoPatients } from '@clinic/demo-data/people';
import { errorsOf, expect, notification, record } from '../support/clinic.ts';
import { dayFromNow, freeDaysFrom } from '../support/days.ts';
import { registerPatient, signIn, type Patient } from '../support/people.ts';
import { openTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import type { Remote } from '../support/scenarios.ts';
import { test } from '../support/first-use.ts';

/** Makes the names of data that a test leaves behind unique. */
const run = Date.now().toString(36);

/** Somebody who works with one old remote in today's shell; a console error fails the test. */
async function withOld(
  remote: Remote,
  { browser, baseURL }: { browser: Browser; baseURL: string | undefined },
  work: (
    open: (who: keyof typeof demoAccounts | 'newcomer') => Promise<{ page: Page; who: Pick<Patient, 'email'> }>,
  ) => Promise<void>,
): Promise<void> {
  const testEnv: TestEnvironment = await openTestEnvironment(String(baseURL), { previous: [remote] });
  const errors: (readonly string[])[] = [];
  try {
    await work(async (as) => {
      const context = await browser.newContext({ baseURL: testEnv.url });
      errors.push(errorsOf(context));
      const who =
        as === 'newcomer'
          ? await registerPatient(context.request, 'Olga', remote)
          : { email: demoAccounts[as], password: demoPassword };
      await signIn(context.request, who);
      return { page: await context.newPage(), who };
    });
    expect(errors.flat(), 'errors in the consoles').toEqual([]);
  } finally {
    for (const context of browser.contexts()) await context.close();
    await testEnv.close();
  }
}

const read = async <T>(page: Page, path: string): Promise<T> => (await (await page.request.get(path)).json()) as T;

test('with the previous release of the pharmacy, people order, and staff ship, restock, edit and add medicines', async ({
  browser,
  baseURL,
}) => {
  await withOld('mf-pharmacy', { browser, baseURL }, async (open) => {
    const { page: staff } = await open('pharmacist');
    const name = `Oldapin ${run}`;
    const find = async (): Promise<Medicine | undefined> =>
      (await read<Medicine[]>(staff, `/medicine?q=${encodeURIComponent(name)}`)).find(
        ({ medicine }) => medicine.name === name,
      );

    await test.step('add', async () => {
      await staff.goto('/dash/addmedicine');
      await staff.getByLabel('Medicine Name').fill(name);
      await staff.getByLabel('Quantity').fill('40');
      await staff.getByLabel('Expiry Date').fill(dayFromNow(500));
      await staff.getByLabel('Price per Unit').fill('2.50');
      await staff.getByRole('button', { name: 'Add Medicine', exact: true }).click();
      await expect.poll(async () => (await find())?.medicine.quantity.$numberInt).toBe('40');
    });

    const { page: customer, who } = await open('newcomer');
    const mine = async (): Promise<readonly Order[]> => read<Order[]>(customer, `/orderMedi?email=${who.email}`);
    await test.step('order', async () => {
      await customer.goto('/medicinestore');
      await customer.getByRole('searchbox').fill(name);
      await customer
        .getByRole('listitem')
        .filter({ hasText: name })
        .getByRole('button', { name: 'Add to Cart' })
        .click();
      await customer.getByRole('button', { name: `One ${name} more`, exact: true }).click();
      await customer.getByLabel('Phone').fill('+880 1555 777000');
      await customer.getByLabel('Address').fill('House 9, Lake Road');
      await customer.getByRole('button', { name: 'Place Order' }).click();
      await expect(notification(customer, 'order created')).toBeVisible();
      expect((await mine()).map(({ status, items }) => [status, items.map(({ quantity }) => quantity)])).toEqual([
        ['pending', [2]],
      ]);
      expect((await find())?.medicine.quantity.$numberInt).toBe('38');
    });

    await test.step('ship', async () => {
      await staff.goto('/dash/orders');
      await record(staff, 'Orders', `2 × ${name}`)
        .getByRole('combobox', { name: /Status/ })
        .selectOption('Shipped');
      await expect(notification(staff, /Shipped/)).toBeVisible();
      expect((await mine()).map(({ status }) => status)).toEqual(['Shipped']);
    });

    await test.step('restock and edit', async () => {
      await staff.goto(`/dash/medicine?q=${encodeURIComponent(name)}`);
      const dialog = staff.getByRole('dialog');
      await staff.getByRole('button', { name: `Restock ${name}` }).click();
      await dialog.getByLabel(/^Units (?:that came in|received)/).fill('5');
      await dialog.getByRole('button', { name: 'Add to stock' }).click();
      await expect(notification(staff, `${name}: 43 in stock now.`)).toBeVisible();
      await staff.getByRole('button', { name: `Edit ${name}` }).click();
      await dialog.getByLabel('Manufacturer').fill('Yesterday Ltd');
      await dialog.getByLabel('Price per Unit').fill('3');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(notification(staff, new RegExp(`^${name} (?:was changed|is updated)\\.`))).toBeVisible();
      const medicine = (await find())?.medicine;
      expect([medicine?.quantity.$numberInt, medicine?.manufacturer, medicine?.pricePerUnit.$numberDouble]).toEqual([
        '43',
        'Yesterday Ltd',
        '3.0',
      ]);
    });
  });
});

test('with the previous release of the clinic, a patient books and cancels, and the doctor confirms and keeps the profile', async ({
  browser,
  baseURL,
}) => {
  await withOld('mf-clinic', { browser, baseURL }, async (open) => {
    const { page: doctor } = await open('doctor');
    const profile = async (): Promise<Doctor | undefined> =>
      (await read<Doctor[]>(doctor, `/doc-pharma/${demoAccounts.doctor}`))[0];
    const own = await profile();
    const { page: patient, who } = await open('newcomer');
    const mine = async (): Promise<readonly string[]> =>
      (await read<Appointment[]>(patient, `/appoinments?email=${who.email}`)).map(({ status }) => String(status));

    await test.step('book twice', async () => {
      for (const day of await freeDaysFrom(patient.request, own?._id ?? '', 20, 2)) {
        await patient.goto(`/appoinment/${own?._id}`);
        await patient.getByLabel('Age').fill('36');
        await patient.getByLabel('Phone number').fill('+880 1555 777000');
        await patient.getByLabel('Address').fill('House 9, Lake Road');
        await patient.getByLabel('Date').fill(day);
        await patient.getByRole('radio').first().check();
        await patient.getByRole('button', { name: 'Book Appointment' }).click();
        await expect(notification(patient, 'appoinment created')).toBeVisible();
        await expect(patient).toHaveURL('/dash/doctorAppoinments');
      }
      expect(await mine()).toEqual(['Pending', 'Pending']);
    });

    await test.step('confirm', async () => {
      await doctor.goto('/dash/appointmentRecord');
      await doctor.getByRole('searchbox').fill(who.email);
      await record(doctor, 'CurrentAppoinments', who.email)
        .getByRole('combobox', { name: /^Status of/ })
        .selectOption('Confirmed');
      await expect.poll(async () => (await mine()).toSorted()).toEqual(['Confirmed', 'Pending']);
    });

    await test.step('cancel', async () => {
      await patient.goto('/dash/doctorAppoinments');
      await patient
        .getByRole('combobox', { name: /^Status of/ })
        .first()
        .selectOption('Cancelled');
      await patient.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click();
      await expect.poll(mine).toContain('Cancelled');
    });

    await test.step('set working times', async () => {
      const times = async (): Promise<readonly string[] | undefined> => (await profile())?.availableTimes;
      const form = doctor.getByRole('form', { name: 'My times' });
      await doctor.goto('/dash/dProfile');
      await form.getByLabel('Another time').fill('08:15');
      await form.getByRole('button', { name: 'Add' }).click();
      await form.getByRole('button', { name: 'Save my times' }).click();
      await expect.poll(times).toContain('08:15');
      // Its form starts again when the saved profile arrives, and would drop what was removed before.
      await doctor.goto('/dash/dProfile');
      await form.getByRole('button', { name: 'Remove 8:15 AM' }).click();
      await form.getByRole('button', { name: 'Save my times' }).click();
      await expect.poll(times).not.toContain('08:15');
    });
  });
});

test('with the previous release of the administration, an admin changes users and profiles', async ({
  browser,
  baseURL,
}) => {
  await withOld('mf-admin', { browser, baseURL }, async (open) => {
    const { page } = await open('admin');
    // Staff roles need a confirmed address, which demo accounts have. Everything is restored afterwards.
    const [somebody] = demoPatients.slice(-2);
    if (!somebody) throw new Error('the demo has too few patients');
    const fullName = `${somebody.firstName} ${somebody.lastName}`;
    const user = (): Promise<User> => read(page, `/users/${somebody.email}`);

    await test.step('role and account', async () => {
      await page.goto('/dash/admin');
      await page.getByRole('searchbox').fill(somebody.email);
      // The search replaces the rows, with whatever is chosen in them.
      await expect(page.getByRole('heading', { name: /\( 1 \)/ })).toBeVisible();
      const row = record(page, 'Users', somebody.email);
      const roleOf = row.getByRole('combobox', { name: /^Role of/ });
      for (const [label, role] of [
        ['Pharmasicts', 'pharmacist'],
        ['Patient', 'patient'],
      ] as const) {
        await roleOf.selectOption({ label });
        await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click();
        await expect(notification(page, `${fullName} is now ${label}`)).toBeVisible();
        expect((await user()).role).toBe(role);
        await expect(roleOf).toHaveValue(role);
      }
      const account = page.getByRole('dialog', { name: `Account of ${fullName}` });
      await row.getByRole('button', { name: `Account of ${fullName}` }).click();
      await account.getByRole('button', { name: 'Log out everywhere' }).click();
      await expect(notification(page, `${fullName} is logged out everywhere`)).toBeVisible();
      await row.getByRole('button', { name: `Account of ${fullName}` }).click();
      await account.getByRole('button', { name: 'Switch off' }).click();
      await expect(notification(page, `${fullName} can’t log in any more`)).toBeVisible();
      await expect(row).toContainText('Disabled');
      await row.getByRole('button', { name: `Account of ${fullName}` }).click();
      await account.getByRole('button', { name: 'Switch on again' }).click();
      await expect(row).not.toContainText('Disabled');
    });

    const name = `Dr. Old ${run}`;
    const email = `old.${run}@mail.example`;
    await test.step('profiles', async () => {
      await page.goto('/dash/createProfile');
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Qualification').fill('MBBS, MD');
      await page.getByLabel('Specialization').fill('Dermatology');
      await page.getByLabel('Experience (years)').fill('7');
      await page.getByRole('button', { name: 'Create profile' }).click();
      await expect(notification(page, 'doctor profile created successfully!')).toBeVisible();
      await page.goto(`/dash/doctors?q=${encodeURIComponent(name)}`);
      await record(page, 'Doctors', name)
        .getByRole('button', { name: `Profile of ${name}` })
        .click();
      const dialog = page.getByRole('dialog', { name });
      await dialog.getByLabel('Location').fill('Level 2');
      await dialog.getByRole('button', { name: 'Save profile' }).click();
      await expect(notification(page, `The profile of ${name} is saved`)).toBeVisible();
      await dialog.getByLabel('Another time').fill('13:30');
      await dialog.getByRole('group', { name: 'Times of day' }).getByRole('button', { name: 'Add' }).click();
      await dialog.getByRole('button', { name: 'Save times' }).click();
      await expect(notification(page, `The times of ${name} are saved`)).toBeVisible();
      const [made] = await read<Doctor[]>(page, `/doc-pharma/${email}`);
      expect([made?.location, made?.availableTimes]).toEqual(['Level 2', ['13:30']]);
    });
  });
});
