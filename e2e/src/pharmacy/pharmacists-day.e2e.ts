import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import type { StockCheck } from '@clinic/svc-pharmacy/contract/stock-schemas';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, notification, onAnyDevice, picture, test } from '../support/clinic.ts';
import { Effort } from '../support/effort.ts';
import { ours, read, registerPatient, signIn } from '../support/people.ts';

const medicineFor = (name: string, more: object = {}) => ({
  medicine: {
    name,
    quantity: 12,
    unit: 'bottle',
    expiryDate: '2999-12-31',
    pricePerUnit: 4,
    ...more,
  },
});

test('a pharmacist’s day on a tablet', onAnyDevice, async ({ page, request }, { project }) => {
  // Unique, for repeated runs on one clinic.
  const run = Date.now().toString(36);
  const customer = await registerPatient(request, 'Nadia', project.name);
  const api = page.request;
  await signIn(api, { email: demoAccounts.pharmacist, password: demoPassword });
  await page.setViewportSize({ width: 820, height: 900 });
  const add = (data: object) => api.post('/medicine', { data, headers: ours }).then((answer) => read<Medicine>(answer));
  const bottle = await add(medicineFor(`Cough bottle ${run}`));
  const antibiotic = await add(medicineFor(`Amoxicillin ${run}`, { prescriptionOnly: true, unit: 'strip' }));
  const old = await add(medicineFor(`Old drops ${run}`, { expiryDate: '2020-01-01' }));
  const recipient = `Courier ${run}`;
  await placeOrders(api, recipient, bottle, 6);

  await test.step('ship all that waits, with slips', async () => {
    const isPending = (url: URL): boolean =>
      url.pathname === '/orderMedi' && url.searchParams.get('status') === 'pending';
    // Others wait, too, for other tests.
    await page.route(isPending, async (route) => {
      const response = await route.fetch();
      const orders = (await response.json()) as Order[];
      await route.fulfill({ response, json: orders.filter(({ recipientName }) => recipientName === recipient) });
    });
    await page.goto('/dash/orders');
    const effort = new Effort();
    await effort.click(page.getByRole('button', { name: 'Ship pending orders' }));
    const dialog = page.getByRole('dialog', { name: 'Ship pending orders' });
    const ship = dialog.getByRole('button', { name: /^Ship \d+ orders?$/ });
    await expect(ship).toHaveText('Ship 6 orders');
    await expect(dialog.getByText(`${recipient}, `)).toHaveCount(6);
    await page.evaluate(() => {
      globalThis.print = () => void dispatchEvent(new Event('afterprint'));
    });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Print packing slips' }).click();
    await picture(page, 'ship');
    await effort.click(ship);
    await expect(notification(page, '6 orders are on the way')).toBeVisible();
    effort.expectToBe('ship all that waits', { clicks: 2, fields: 0 });
    const shipped = await read<Order[]>(await api.get(`/orderMedi?q=${encodeURIComponent(recipient)}`));
    expect(shipped.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'Shipped'));
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
    await picture(page, 'adjust');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(notification(page, `${bottle.medicine.name}: 5 in stock now.`)).toBeVisible();
    await act(page, bottle.medicine.name, 'Movements');
    const movements = page.getByRole('dialog', { name: `Stock movements of ${bottle.medicine.name}` });
    await expect(movements.getByText('Broken: −1, then 5')).toBeVisible();
    await expect(movements.getByText(/^Ordered #[0-9A-F]{6}: −1, then 6$/)).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'movements');
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
    await picture(page, 'archive');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await expect(page.getByText('No medicines match')).toBeVisible();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Archived');
    await expect(page.getByText('Archived', { exact: true }).filter({ visible: true }).last()).toBeVisible();
    await picture(page, 'archived');
  });

  await test.step('enter an order at the counter, with its prescription', async () => {
    const patient = `Counter ${run}`;
    await page.goto('/dash/orders');
    await page.getByRole('button', { name: 'Counter order' }).click();
    const dialog = page.getByRole('dialog', { name: 'Counter order' });
    await dialog.getByRole('button', { name: 'Enter order' }).click();
    await expect(dialog.getByText('Prescriber is required')).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'counter missing');
    await dialog.getByLabel('Date of the prescription').fill('2026-01-15');
    await dialog.getByLabel('Prescriber').fill('Dr. Sara Rahman');
    await dialog.getByLabel('Patient’s name').fill(patient);
    await dialog.getByLabel('Patient’s email').fill(customer.email);
    await dialog.getByLabel('Patient’s phone').fill('+880 1555 777010');
    await dialog.getByRole('searchbox', { name: 'Find a medicine' }).fill(antibiotic.medicine.name);
    await dialog.getByRole('button', { name: `Add ${antibiotic.medicine.name}` }).click();
    await dialog.getByRole('spinbutton', { name: antibiotic.medicine.name }).fill('2');
    await expectAccessible(page);
    await picture(page, 'counter');
    await dialog.getByRole('button', { name: 'Enter order' }).click();
    const question = page.getByRole('alertdialog', { name: 'This is an account in another name' });
    await expect(question).toBeVisible();
    await expectAccessible(page);
    await question.getByRole('button', { name: `Enter for ${patient}` }).click();
    await expect(notification(page, /^Order #[0-9A-F]{6} is entered\.$/)).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search orders' }).fill(patient);
    await expect(
      page.getByText('Prescription of Jan 15, 2026 by Dr. Sara Rahman').filter({ visible: true }).first(),
    ).toBeVisible();
    await expect(page.getByText('Collected at our pharmacy counter').filter({ visible: true }).first()).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'orders');
  });

  await test.step('the books agree', async () => {
    await signIn(request, { email: demoAccounts.admin, password: demoPassword });
    const check = await read<StockCheck>(await request.get('/medicine/stock-check'));
    expect([check.different, check.first]).toEqual([0, []]);
  });
});

type Api = Parameters<typeof signIn>[0];

/** Orders of one bottle each. */
async function placeOrders(api: Api, recipientName: string, { medicine }: Medicine, count: number): Promise<void> {
  for (let placed = 0; placed < count; placed += 1)
    await read<Order>(
      await api.post('/orderMedi', {
        headers: ours,
        data: {
          items: [{ medicineId: medicine.medicineId, quantity: 1 }],
          deliveryAddress: '5 Lake Road',
          customeremail: demoAccounts.pharmacist,
          customerPhone: '+880 1555 777010',
          recipientName,
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
