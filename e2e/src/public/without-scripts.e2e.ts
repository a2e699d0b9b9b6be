import type { Page } from '@playwright/test';
import pharmacy from '../../../mf-pharmacy/remote.config.ts';
import publicSite from '../../../mf-public/remote.config.ts';
import { expect, isPhone, onAnyDevice, test } from '../support/clinic.ts';

test.use({ javaScriptEnabled: false });

const pages = [...publicSite.pages, ...pharmacy.pages].filter(({ access }) => access === 'everyone');

async function read(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilRendered(page, (url) => url.pathname === path);
}

/** Waits for a page, and loads it again if the remote was too busy to render it in time. */
async function untilRendered(page: Page, isThere: (url: URL) => boolean): Promise<void> {
  await expect(page).toHaveURL(isThere);
  await expect(async () => {
    if (!(await page.locator('#page').isVisible())) await page.reload();
    await expect(page.locator('#page')).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

test('public pages read completely', async ({ page }) => {
  for (const { path } of pages) {
    await read(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Loading')).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Doctors' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeHidden();
  }
});

test('doctors are searched, and found again', onAnyDevice, async ({ page }) => {
  await read(page, '/ourDoctors');
  const cards = page.getByRole('article');
  const all = await cards.count();
  await page.getByLabel('Specialty').selectOption('Cardiologist');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await untilRendered(page, ({ searchParams }) => searchParams.get('specialty') === 'Cardiologist');
  await expect(page.getByLabel('Specialty')).toHaveValue('Cardiologist');
  await expect(cards.first()).toBeVisible();
  expect(await cards.count()).toBeLessThan(all);
  await page.getByRole('searchbox').fill('nobody');
  await page.getByRole('searchbox').press('Enter');
  await untilRendered(page, ({ searchParams }) => searchParams.get('q') === 'nobody');
  await page.getByRole('button', { name: 'Show all doctors' }).click();
  await untilRendered(page, ({ searchParams }) => searchParams.get('q') !== 'nobody');
  // Other tests add doctors meanwhile.
  await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(all);
});

test('medicines are searched and paged', onAnyDevice, async ({ page }) => {
  await read(page, '/medicinestore');
  const medicines = page.getByRole('list', { name: 'Medicines' }).getByRole('listitem');
  const first = await medicines.first().getByRole('heading').innerText();
  await page.getByRole('button', { name: 'Next' }).click();
  await untilRendered(page, ({ searchParams }) => searchParams.has('cursor'));
  await expect(medicines.first().getByRole('heading')).not.toHaveText(first);
  await page.getByRole('searchbox').fill(first);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await untilRendered(page, ({ searchParams }) => searchParams.get('q') === first);
  await expect(medicines.first().getByRole('heading')).toHaveText(first);
  // What only scripts can do isn't offered.
  await expect(page.getByRole('button', { name: /Add to Cart|Details/ })).toHaveCount(0);
});

test('questions open, one at a time', onAnyDevice, async ({ page }) => {
  await read(page, '/');
  const questions = page.locator('details');
  await questions.first().locator('summary').click();
  await questions.last().locator('summary').click();
  await expect(page.locator('details[open]')).toHaveCount(1);
});

test('log-in says what it needs', async ({ page }) => {
  await read(page, '/');
  await page.getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL('/login');
  expect(await page.locator('noscript').innerText()).toContain('This page needs JavaScript.');
  await page.getByRole('link', { name: 'a doctor' }).click();
  await untilRendered(page, ({ pathname }) => pathname === '/ourDoctors');
  if (isPhone(page)) await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
});
