import { demoAccounts, demoPassword } from '@clinic/demo-data/people';
import type { Locator, Page } from '@playwright/test';
import { openPage } from '../support/appearance.ts';
import { expect, onAnyDevice, test } from '../support/clinic.ts';
import { signIn } from '../support/people.ts';

test.beforeEach(async ({ page }) => {
  await signIn(page.request, { email: demoAccounts.patient, password: demoPassword });
});

/** Opens the booking form with a time on a doctor's card. */
async function openFromCard(page: Page): Promise<{ readonly book: Locator; readonly choice: Locator }> {
  await openPage(page, '/ourDoctors?sort=soonest');
  await page
    .getByRole('link', { name: /, book with / })
    .first()
    .click();
  const book = page.getByRole('button', { name: 'Book Appointment', exact: true });
  await expect(page.getByRole('radio', { checked: true })).toBeAttached();
  return { book, choice: page.getByRole('region', { name: 'Your choice' }) };
}

test('on a phone, who, when and where stay in view, and the button in reach', onAnyDevice, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { book, choice } = await openFromCard(page);
  await expect(choice).toContainText(/\w{3}, \w{3} \d+, \d{4} at \d+:\d\d [AP]M/);
  await expect(choice).toContainText(/Dr\. .+ · .+/);
  const end = await page.evaluate(() => document.querySelector('form')?.scrollHeight ?? 0);
  expect(end).toBeGreaterThan(1_000);
  for (let top = 0; top < end; top += 300) {
    await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
    await expect(choice, `at ${top} px`).toBeInViewport({ ratio: 1 });
    await expect(book, `at ${top} px`).toBeInViewport({ ratio: 1 });
  }
  // What has the focus isn't hidden below either of them.
  await page.getByLabel(/^Address/).focus();
  await expect(page.getByLabel(/^Address/)).toBeInViewport({ ratio: 1 });
});

test('on a phone, Reschedule shows the times once a day is pressed', onAnyDevice, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openPage(page, '/dash/patient');
  await page
    .getByRole('button', { name: /^Reschedule/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Reschedule' });
  const free = dialog.getByRole('grid').getByRole('button', { name: / free times?$/, disabled: false });
  await dialog.getByRole('button', { name: /next month/i }).click();
  await free.filter({ hasNotText: /^1$/ }).first().click();
  await expect(dialog.getByRole('radio').first()).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('button', { name: 'Reschedule' })).toBeDisabled();
  await dialog.getByRole('radio').first().check();
  await expect(dialog.getByRole('button', { name: 'Reschedule' })).toBeEnabled();
});

test(
  'at a desk, times stay on one line, the page begins below the brand, and a locked field looks locked',
  onAnyDevice,
  async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openFromCard(page);
    const box = async (one: Locator) => (await one.boundingBox()) ?? { x: NaN, height: NaN };
    const chosen = page.getByRole('radio', { checked: true });
    await expect
      .poll(() => chosen.evaluate((one) => one.scrollHeight <= one.clientHeight && one.scrollWidth <= one.clientWidth))
      .toBe(true);
    const brand = page.getByRole('banner').getByRole('link', { name: /, home$/ });
    expect((await box(page.getByRole('heading', { level: 1 }))).x).toBe((await box(brand)).x);
    const look = (one: Locator) => one.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await look(page.getByLabel(/^Email/))).not.toBe(await look(page.getByLabel(/^Patient name/)));
  },
);
