import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import type { Page } from '@playwright/test';
import {
  expect,
  expectAccessible,
  notification,
  onAnyDevice,
  openCart,
  picture,
  pressAction,
  record,
  test,
} from '../support/clinic.ts';
import { dayFromNow } from '../support/days.ts';
import { logInAs } from '../support/log-in.ts';
import { signIn } from '../support/people.ts';

// Serial: the patient buys what the pharmacist has stocked.
test.describe.configure({ mode: 'serial' });

const header = 'Medicine ID,Name,Manufacturer,Quantity,Unit,Expiry date,Price per unit';

/** Unique, so that medicines of an earlier run on the same data don't interfere. */
const run = Date.now().toString(36).slice(-4);

const mark = `Rose ${run}`;
const names = {
  plenty: `${mark} balm`,
  few: `${mark} drops`,
  formula: `=${mark.replace(' ', '')}()`,
  old: `${mark} powder`,
  id: `E2E-${mark.toUpperCase().replace(' ', '-')}`,
};

async function addToCart(page: Page, name: string): Promise<void> {
  await page.getByRole('searchbox').fill(name);
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
  await card.getByRole('button', { name: 'Add to Cart' }).click();
}

test('a pharmacist imports medicines, sees the invalid lines first, and exports them safely', async ({ page }) => {
  await logInAs(page, 'pharmacist', '/dash/addmedicine');
  const lines = [
    header,
    `${names.id},${names.plenty},Maker,40,bottle,2999-01-31,2.50`,
    `,${names.few},Maker,3,bottle,${dayFromNow(30)},1.00`,
    `,${names.formula},Maker,5,box,2999-01-31,1.00`,
    `,${names.old},Maker,5,box,2020-01-31,1.00`,
    ',,Maker,many,barrel,31.12.2027,-1',
    `${names.id},Again,Maker,1,box,2999-01-31,1.00`,
  ];
  await page
    .getByLabel('Choose a CSV file')
    .setInputFiles({ name: 'medicines.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  await expect(page.getByText('2 lines can’t be imported')).toBeVisible();
  const wrong = page.getByRole('region', { name: 'Problem' });
  for (const problem of [
    'Name is required',
    'Quantity must be a number',
    'Unit must be one of',
    'Expiry date must be a date',
    'Price must be 0 or more',
  ])
    await expect(wrong).toContainText(problem);
  await expect(wrong.getByRole('listitem').filter({ hasText: 'Line 7' })).toContainText(
    `The ID ${names.id} is already on line 2`,
  );
  await expectAccessible(page);
  await picture(page, 'import');
  await page.getByRole('button', { name: 'Import 4 medicines' }).click();
  await expect(page.getByText('4 medicines were imported')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'See the inventory' }).click();
  await page.getByRole('searchbox').fill(names.formula);
  await expect(record(page, 'Medicine Inventory', names.formula)).toContainText('Low Stock');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const text = await (await (await saved).createReadStream()).toArray();
  expect(Buffer.concat(text as Buffer[]).toString()).toContain(`"'${names.formula}"`);

  await page.goto(`/dash/medicine?expiry=soon&q=${encodeURIComponent(names.few)}`);
  await expect(record(page, 'Medicine Inventory', names.few)).toContainText('Expires soon');
  await page.getByRole('combobox', { name: 'Expiry' }).selectOption('Expired');
  await page.getByRole('searchbox').fill(names.old);
  await expect(record(page, 'Medicine Inventory', names.old)).toContainText('Expired');
  await expectAccessible(page);
  await picture(page, 'expired');
});

test(
  'the second of two people who edit one medicine is warned, and the timeline shows everything',
  onAnyDevice,
  async ({ page, request }) => {
    await logInAs(page, 'pharmacist', `/dash/medicine?q=${encodeURIComponent(names.plenty)}`);
    await pressAction(page, `Edit ${names.plenty}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Manufacturer').fill('Mine');
    await expectAccessible(page);

    const [{ _id }] = (await (await request.get(`/medicine?medicineIds=${names.id}`)).json()) as [Medicine];
    const theirs = await page.request.patch(`/medicine/${_id.$oid}`, {
      data: { pricePerUnit: 3 },
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    expect(theirs.status()).toBe(200);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Someone else has changed this medicine')).toBeVisible();
    await expect(dialog.getByText('Price $2.50 → $3.00')).toBeVisible();
    await expectAccessible(page);
    await picture(page, 'edited by two');
    await dialog.getByRole('button', { name: 'Keep my changes' }).click();
    await expect(dialog.getByLabel('Price per Unit')).toHaveValue('3');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(notification(page, `${names.plenty} is updated.`)).toBeVisible();
    await expect(record(page, 'Medicine Inventory', names.plenty)).toContainText('$3.00');

    await page.getByRole('button', { name: `Restock ${names.plenty}` }).click();
    await dialog.getByLabel('Units received').fill('5');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add to stock' }).click();
    await expect(notification(page, `${names.plenty}: 45 in stock now.`)).toBeVisible();
    await pressAction(page, `History of ${names.plenty}`);
    const timeline = dialog.getByRole('listitem');
    await expect(timeline).toHaveText([
      /^Restocked: \+5, now 45/,
      /^Edited: Manufacturer “Maker” → “Mine”/,
      /^Edited: Price \$2\.50 → \$3\.00/,
      /^Added with 40 in stock/,
    ]);
    await expectAccessible(page);
    await picture(page, 'stock movements');
  },
);

test('a visitor’s cart survives the login', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/medicinestore');
  await page.getByRole('searchbox').fill(names.old);
  await expect(
    page.getByRole('listitem').filter({ hasText: names.old }).getByRole('button', { name: 'Add to Cart' }),
  ).toBeDisabled();
  await addToCart(page, names.few);
  await addToCart(page, names.plenty);
  await openCart(page);
  const more = page.getByRole('button', { name: `One ${names.few} more`, exact: true });
  await more.click();
  await more.click();
  await expect(page.getByText('We only have 3 bottles left.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Login Please To Order Medicine' }).click();
  await page.getByRole('button', { name: 'PATIENT', exact: true }).click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/\/medicinestore/);
  await openCart(page);
  await expect(page.getByRole('heading', { name: 'Cart (2)' })).toBeVisible();
  await page.getByLabel('Phone').fill('+880 1555 010400');
  await page.getByLabel('Address').fill(`House 14, ${names.plenty} Street`);
  await expectAccessible(page);
  await picture(page, 'cart');
  await page.getByRole('button', { name: 'Place Order' }).dblclick();
  await expect(page.getByText('order created').filter({ visible: true }).first()).toBeVisible();
  await page.goto(`/dash/myorders?q=${encodeURIComponent(names.few)}`);
  await expect(page.getByText(`3 × ${names.few}`)).toHaveCount(1);
});

test('the patient sees without a reload that the admin ships the order, and reorders what is available', async ({
  page,
  browser,
}) => {
  await logInAs(page, 'patient', `/dash/myorders?q=${encodeURIComponent(names.few)}`);
  const mine = record(page, 'My Orders', names.few);
  await expect(mine).toContainText('pending');
  await expectAccessible(page);

  const theirs = await browser.newContext();
  const office = await theirs.newPage();
  const number = /#[0-9A-F]{6}/.exec(await mine.innerText())?.[0] ?? '';
  await logInAs(office, 'admin', `/dash/orders?days=1&q=${encodeURIComponent(number)}`);
  const theirView = record(office, 'Orders', number);
  await expect(theirView).toContainText(`3 × ${names.few}`);
  await expectAccessible(office);
  await picture(office, 'one order found');
  const status = theirView.getByRole('combobox', { name: /^Status/ });
  // Whoever reads the choices by keyboard hasn't chosen one.
  await status.press('ArrowDown');
  await expect(status).toHaveValue('pending');
  await status.press('Escape');
  await status.selectOption('Shipped');
  await expect(notification(office, `Order ${number} is now Shipped.`)).toBeVisible();
  await expect(mine).toContainText('Shipped');
  await theirs.close();

  await mine.getByRole('button', { name: `Order again: order ${number}` }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Some items aren’t available' })).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveText([new RegExp(`${names.few}.*Out of stock`)]);
  await expectAccessible(page);
  await picture(page, 'order again');
  await dialog.getByRole('button', { name: 'Go to the cart' }).click();
  await expect(page.getByRole('heading', { name: 'Cart (1)' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: `Quantity of ${names.plenty}` })).toHaveValue('1');
  await expectAccessible(page);
});

test('a changed price is confirmed before anything is ordered, and the next user of the browser finds their own cart', async ({
  page,
  request,
  browser,
}) => {
  await logInAs(page, 'patient', '/medicinestore');
  await addToCart(page, names.formula);
  // The customer is on another page when the price changes.
  await page.getByRole('searchbox').fill('Paracetamol');
  await expect(page.getByRole('heading', { name: names.formula, exact: true })).toHaveCount(0);
  const [found] = (await (await request.get(`/medicine?limit=1&q=${encodeURIComponent(names.formula)}`)).json()) as [
    Medicine,
  ];
  const office = await browser.newContext();
  await signIn(office.request, { email: demoAccounts.pharmacist, password: demoPassword });
  expect(
    (
      await office.request.patch(`/medicine/${found._id.$oid}`, {
        data: { pricePerUnit: 9 },
        headers: { 'Sec-Fetch-Site': 'same-origin' },
      })
    ).status(),
  ).toBe(200);
  await office.close();

  await expect(page.getByText(`${names.formula}: was $1.00, now $9.00 per box`)).toBeVisible();
  await expectAccessible(page);
  await picture(page, 'price changed');
  await page.getByLabel('Phone').fill('+880 1555 010400');
  await page.getByLabel('Address').fill('House 14, Lake Road');
  await expect(page.getByRole('button', { name: 'Place Order' })).toBeDisabled();
  await page.getByRole('button', { name: /^Accept the new price/ }).click();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page.getByText('order created').filter({ visible: true }).first()).toBeVisible();
  await page.goto(`/dash/myorders?q=${encodeURIComponent(names.formula)}`);
  await expect(record(page, 'My Orders', names.formula)).toContainText('Held until');

  await page.goto('/medicinestore');
  await addToCart(page, names.formula);
  await expect(page.getByRole('heading', { name: 'Cart (1)' })).toBeVisible();
  // A request in flight would be rejected without them, and log that.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto('/medicinestore');
  await expect(page.getByRole('heading', { name: 'Cart (0)' })).toBeVisible();
  await logInAs(page, 'doctor', '/medicinestore');
  await expect(page.getByRole('heading', { name: 'Cart (0)' })).toBeVisible();
  await page.goto('about:blank');
  await page.context().clearCookies();
  await logInAs(page, 'patient', '/medicinestore');
  await expect(page.getByRole('heading', { name: 'Cart (1)' })).toBeVisible();
});

test(
  'on a phone the whole button that orders is in view while a message stands below the cart',
  onAnyDevice,
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await logInAs(page, 'patient', '/dash/myorders?q=Cetirizine');
    await page
      .getByRole('button', { name: /^Order again/ })
      .first()
      .click();
    await expect(page.getByText(/^We’ve added the items of order/)).toBeVisible();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Place Order' })).toBeInViewport({ ratio: 1 });
  },
);
