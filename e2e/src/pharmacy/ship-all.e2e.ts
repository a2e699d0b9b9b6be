import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { expect, expectAccessible, notification, test } from '../support/clinic.ts';
import { Effort } from '../support/effort.ts';
import { signIn } from '../support/people.ts';
import { openOwnClinic, type OpenClinic } from '../support/start-clinic.ts';

// In a clinic of its own: other tests wait for their pending orders.
let clinic: OpenClinic;
test.beforeAll(async () => {
  clinic = await openOwnClinic();
});
test.afterAll(() => clinic.close());

test('a pharmacist ships all that waits', async ({ playwright, browser }) => {
  const api = await playwright.request.newContext({ baseURL: clinic.url });
  await signIn(api, { email: demoAccounts.pharmacist, password: demoPassword });
  const pending = async () => (await (await api.get('/orderMedi?status=pending')).json()) as Order[];
  const usual = (await pending()).filter(({ unusual }) => !unusual);
  expect(usual.length).toBeGreaterThan(0);

  const context = await browser.newContext({ baseURL: clinic.url, storageState: await api.storageState() });
  const page = await context.newPage();
  await page.goto('/dash/orders');
  const effort = new Effort();
  await effort.click(page.getByRole('button', { name: 'Ship pending orders' }));
  const dialog = page.getByRole('dialog', { name: 'Ship pending orders' });
  const ship = dialog.getByRole('button', { name: /^Ship \d+ orders?$/ });
  await expect(ship).toHaveText(`Ship ${usual.length} ${usual.length === 1 ? 'order' : 'orders'}`);
  await expectAccessible(page);
  await effort.click(ship);
  await expect(notification(page, / on the way$/)).toBeVisible();
  effort.expectToBe('ship all that waits', { clicks: 2, fields: 0 });
  const left = new Set((await pending()).map(({ _id }) => _id));
  expect(usual.filter(({ _id }) => left.has(_id))).toEqual([]);
  await context.close();
  await api.dispose();
});
