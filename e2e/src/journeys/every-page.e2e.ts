import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import { followAddress, openPage, setWidth } from '../support/appearance.ts';
import { expect, test } from '../support/clinic.ts';
import { fillLists } from '../support/full-lists.ts';
import { layoutFaultsOf } from '../support/layout-faults.ts';
import { pathsFor, visitors, widths, widthsElsewhere } from '../support/pages.ts';
import { signIn, type Patient } from '../support/people.ts';

let person: Patient;
test.beforeAll(async ({ baseURL }) => {
  person = await fillLists(baseURL);
});

for (const role of visitors)
  test(`nothing is cut off, broken or covered on any page of ${role ?? 'a visitor'}, at any width`, async ({
    page,
    browserName,
  }) => {
    if (role === 'patient') await signIn(page.request, person);
    else if (role) await signIn(page.request, { email: demoAccounts[role], password: demoPassword });
    const faults: string[] = [];
    await openPage(page, '/about');
    const narrowing = browserName === 'chromium' ? widths : widthsElsewhere;
    for (const [at, path] of pathsFor(role).entries()) {
      await followAddress(page, path);
      // By turns narrower and wider: each change of the width draws the page anew.
      for (const width of at % 2 === 0 ? narrowing : narrowing.toReversed()) {
        await setWidth(page, width);
        faults.push(...(await layoutFaultsOf(page)).map((fault) => `${path} at ${width} px: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });

test('Place Order stays in view in a long cart, above a message', async ({ page }) => {
  await signIn(page.request, person);
  await page.setViewportSize({ width: 360, height: 700 });
  await openPage(page, '/medicinestore');
  const add = page.getByRole('button', { name: /^Add to Cart: /, disabled: false });
  for (let added = 0; added < 6; added += 1) await add.first().click();
  const message = page.locator('[popover] .ui-alert');
  for (const width of [360, 640, 820, 1000]) {
    await page.setViewportSize({ width, height: 700 });
    await page
      .getByRole('button', { name: /^In the cart: / })
      .first()
      .click();
    await expect(message).toBeVisible();
    const above = (await message.boundingBox())?.y ?? 0;
    await page.getByRole('button', { name: /^Cart \(6\)/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Cart (6)' });
    // As somebody who scrolls until they can fill in the form.
    await dialog.getByLabel('Phone').scrollIntoViewIfNeeded();
    await expect
      .poll(async () => {
        const box = await dialog.getByRole('button', { name: 'Place Order' }).boundingBox();
        return box ? Math.round(box.y + box.height - above) : 'not there';
      })
      .toBeLessThanOrEqual(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    // Or it has gone by itself.
    await expect(async () => {
      if (await message.isVisible()) await message.getByRole('button', { name: /^Dismiss/ }).click({ timeout: 2_000 });
    }).toPass();
  }
});

test('a message covers neither the cart’s bar nor the end of the page', async ({ page }) => {
  await page.setViewportSize({ width: widths[0], height: 900 });
  await openPage(page, '/medicinestore');
  await page.getByRole('button', { name: 'Add to Cart', disabled: false }).first().click();
  // Adding the same again is the specified message.
  await page.getByRole('button', { name: 'In the cart' }).first().click();
  await expect(page.locator('[popover] .ui-alert')).toBeVisible();
  await page.locator('[popover] .ui-alert').hover();
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const end of [0, 100_000]) {
      await page.evaluate(async (top) => {
        scrollTo({ top, behavior: 'instant' });
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      }, end);
      faults.push(...(await layoutFaultsOf(page)).map((fault) => `${width} px: ${fault}`));
    }
  }
  expect(faults).toEqual([]);
});
