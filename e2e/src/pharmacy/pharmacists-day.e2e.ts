import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import type { StockCheck } from '@clinic/svc-pharmacy/contract/stock-schemas';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, notification, onAnyDevice, picture, test } from '../support/clinic.ts';
import { ours, read, signIn } from '../support/people.ts';
import { openOwnClinic, type OpenClinic } from '../support/start-clinic.ts';

// In a clinic of its own: it ships what others wait for, and changes the demo's stock.
let clinic: OpenClinic;
test.beforeAll(async () => {
  clinic = await openOwnClinic();
});
test.afterAll(() => clinic.close());

// A whole day takes longer than a test of one screen.
test.describe.configure({ timeout: 300_000 });

const widths = [
  ['tablet', 820],
  ['desk', 1280],
] as const;

/** Names differ by device, because both days happen in one clinic. */
const medicineFor = (device: string, name: string, more: object = {}) => ({
  medicine: {
    name: `${name} ${device}`,
    quantity: 12,
    unit: 'bottle',
    expiryDate: '2999-12-31',
    pricePerUnit: 4,
    ...more,
  },
});

for (const [device, width] of widths) {
  test(`a pharmacist’s day on a ${device}`, onAnyDevice, async ({ playwright, browser }) => {
    const api = await playwright.request.newContext({ baseURL: clinic.url });
    await signIn(api, { email: demoAccounts.pharmacist, password: demoPassword });
    const context = await browser.newContext({
      baseURL: clinic.url,
      storageState: await api.storageState(),
      viewport: { width, height: 900 },
    });
    const page = await context.newPage();
    const add = (data: object) =>
      api.post('/medicine', { data, headers: ours }).then((answer) => read<Medicine>(answer));
    const bottle = await add(medicineFor(device, 'Cough bottle'));
    const antibiotic = await add(medicineFor(device, 'Amoxicillin counter', { prescriptionOnly: true, unit: 'strip' }));
    const old = await add(medicineFor(device, 'Old drops', { expiryDate: '2020-01-01' }));
    await placeOrders(api, demoAccounts.pharmacist, bottle, 6);

    await test.step('ship six orders with slips', async () => {
      await page.goto('/dash/orders?q=Courier');
      await page.getByRole('button', { name: 'Ship pending orders' }).click();
      const dialog = page.getByRole('dialog', { name: 'Ship pending orders' });
      await expect(dialog.getByText(`Courier Test, `).first()).toBeVisible();
      // Orders that are collected at the counter aren't chosen at first.
      for (const all of [true, false]) await dialog.getByRole('checkbox', { name: /^All \d+/ }).setChecked(all);
      for (const row of (await dialog.getByRole('listitem').filter({ hasText: 'Courier Test' }).all()).slice(0, 6))
        await row.getByRole('checkbox').setChecked(true);
      await page.evaluate(() => {
        globalThis.print = () => undefined;
      });
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Print packing slips' }).click();
      await picture(page, `ship ${device}`);
      await dialog.getByRole('button', { name: 'Ship 6 orders' }).click();
      await expect(notification(page, '6 orders are on the way')).toBeVisible();
    });

    await test.step('write off a broken bottle', async () => {
      await page.goto(`/dash/medicine?q=${encodeURIComponent(bottle.medicine.name)}`);
      await act(page, bottle.medicine.name, 'Adjust stock');
      const dialog = page.getByRole('dialog', { name: `Adjust the stock of ${bottle.medicine.name}` });
      await dialog.getByLabel('Reason').selectOption('Broken');
      await dialog.getByLabel('Units').fill('1');
      await dialog.getByLabel('Note').fill('Dropped while packing');
      await expect(dialog.getByText('Then 5 bottles in stock (−1).')).toBeVisible();
      await expectAccessible(page);
      await picture(page, `adjust ${device}`);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(notification(page, `${bottle.medicine.name}: 5 in stock now.`)).toBeVisible();
      await act(page, bottle.medicine.name, 'Movements');
      const movements = page.getByRole('dialog', { name: `Stock movements of ${bottle.medicine.name}` });
      await expect(movements.getByText('Broken: −1, then 5')).toBeVisible();
      await expect(movements.getByText(/^Ordered #[0-9A-F]{6}: −1, then 6$/)).toBeVisible();
      await expectAccessible(page);
      await picture(page, `movements ${device}`);
      await movements.getByRole('button', { name: 'Close' }).click();
    });

    await test.step('write off what has expired, and archive it', async () => {
      await page.goto(`/dash/medicine?expiry=expired&q=${encodeURIComponent(old.medicine.name)}`);
      await expect(page.getByText('Expired', { exact: true }).filter({ visible: true }).first()).toBeVisible();
      await page.getByRole('button', { name: `Write off what is left of ${old.medicine.name}` }).click();
      const dialog = page.getByRole('dialog', { name: `Adjust the stock of ${old.medicine.name}` });
      await expect(dialog.getByLabel('Units')).toHaveValue('12');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(notification(page, `${old.medicine.name}: 0 in stock now.`)).toBeVisible();
      await act(page, old.medicine.name, 'Archive');
      await expectAccessible(page);
      await picture(page, `archive ${device}`);
      await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
      await expect(page.getByText('No medicines match')).toBeVisible();
      await page.getByRole('combobox', { name: 'Show' }).selectOption('Archived');
      await expect(page.getByText('Archived', { exact: true }).filter({ visible: true }).last()).toBeVisible();
      await picture(page, `archived ${device}`);
    });

    await test.step('enter an order at the counter, with its prescription', async () => {
      await page.goto('/dash/orders');
      await page.getByRole('button', { name: 'Counter order' }).click();
      const dialog = page.getByRole('dialog', { name: 'Counter order' });
      await dialog.getByRole('button', { name: 'Enter order' }).click();
      await expect(dialog.getByText('Prescriber is required')).toBeVisible();
      await expectAccessible(page);
      await picture(page, `counter missing ${device}`);
      await dialog.getByLabel('Date of the prescription').fill('2026-01-15');
      await dialog.getByLabel('Prescriber').fill('Dr. Sara Rahman');
      await dialog.getByLabel('Patient’s name').fill(`Counter Patient ${device}`);
      await dialog.getByLabel('Patient’s email').fill(demoAccounts.patient);
      await dialog.getByLabel('Patient’s phone').fill('+880 1555 777010');
      await dialog.getByRole('searchbox', { name: 'Find a medicine' }).fill(antibiotic.medicine.name);
      await dialog.getByRole('button', { name: `Add ${antibiotic.medicine.name}` }).click();
      await dialog.getByRole('spinbutton', { name: antibiotic.medicine.name }).fill('2');
      await expectAccessible(page);
      await picture(page, `counter ${device}`);
      await dialog.getByRole('button', { name: 'Enter order' }).click();
      await expect(notification(page, /^Order #[0-9A-F]{6} is entered\.$/)).toBeVisible();
      await page.getByRole('searchbox', { name: 'Search orders' }).fill(`Counter Patient ${device}`);
      await expect(
        page.getByText('Prescription of Jan 15, 2026 by Dr. Sara Rahman').filter({ visible: true }).first(),
      ).toBeVisible();
      await expect(page.getByText('Collected at our pharmacy counter').filter({ visible: true }).first()).toBeVisible();
      await expectAccessible(page);
      await picture(page, `orders ${device}`);
    });

    await test.step('the books agree', async () => {
      const admin = await playwright.request.newContext({ baseURL: clinic.url });
      await signIn(admin, { email: demoAccounts.admin, password: demoPassword });
      const check = await read<StockCheck>(await admin.get('/medicine/stock-check'));
      expect([check.different, check.first]).toEqual([0, []]);
      await admin.dispose();
    });
    await context.close();
    await api.dispose();
  });
}

type Api = Parameters<typeof signIn>[0];

/** Orders of one bottle each. */
async function placeOrders(api: Api, email: string, { medicine }: Medicine, count: number): Promise<void> {
  for (let placed = 0; placed < count; placed += 1)
    await read<Order>(
      await api.post('/orderMedi', {
        headers: ours,
        data: {
          items: [{ medicineId: medicine.medicineId, quantity: 1 }],
          deliveryAddress: '5 Lake Road',
          customeremail: email,
          customerPhone: '+880 1555 777010',
          recipientName: 'Courier Test',
        },
      }),
    );
}

/** Presses an action of a row: on cards it is there, in tables behind a menu. */
async function act(page: Page, name: string, label: string): Promise<void> {
  const button = page.getByRole('button', { name: `${label}: ${name}` });
  const more = page.getByRole('button', { name: `More actions: ${name}` });
  await expect(button.or(more).filter({ visible: true }).first()).toBeVisible();
  if (!(await button.isVisible())) await more.click();
  await button.click();
}
