import type { Page } from '@playwright/test';
import { expect, follow, logInAs, test } from '../support/clinic.ts';

/** The network as the page is told it is. */
async function onNetwork(page: Page, connection: { readonly effectiveType: string; readonly saveData: boolean }): Promise<void> {
  await page.addInitScript((told) => Object.defineProperty(navigator, 'connection', { value: told }), connection);
}

/** Paths of the scripts and styles that a page asks for from now on. */
function filesOf(page: Page): string[] {
  const files: string[] = [];
  page.on('request', (request) => {
    if (['script', 'stylesheet'].includes(request.resourceType())) files.push(new URL(request.url()).pathname);
  });
  return files;
}

test('the pages of the menu come while a visitor reads, and a click on one needs no file', async ({ page }) => {
  await onNetwork(page, { effectiveType: '4g', saveData: false });
  const files = filesOf(page);
  await page.goto('/about');
  await expect.poll(() => files.filter((path) => path.startsWith('/mf/mf-pharmacy/')).length, 'files of the pharmacy').toBeGreaterThan(0);
  await page.waitForLoadState('networkidle');
  // What visitors don't need, doesn't come unasked.
  expect(files.filter((path) => /\/mf\/mf-admin\/|\/shell\/(?:auth|login|register|gallery)\./.test(path))).toEqual([]);

  // The mouse goes to the link on its way to the click: nothing is left to be loaded for that, either.
  files.length = 0;
  await follow(page, 'Main', 'Pharmacy');
  await expect(page).toHaveURL('/medicinestore');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(files).toEqual([]);
});

test('in the dashboard the pages of one’s own menu come, whichever domain they are of', async ({ page }) => {
  await onNetwork(page, { effectiveType: '4g', saveData: false });
  const files = filesOf(page);
  await logInAs(page, 'admin', '/dash/admin');
  for (const remote of ['mf-clinic', 'mf-pharmacy']) await expect.poll(() => files.some((path) => path.startsWith(`/mf/${remote}/`)), remote).toBe(true);
  await page.waitForLoadState('networkidle');
  files.length = 0;
  await follow(page, 'Dashboard', 'Orders');
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
  expect(files).toEqual([]);
});

for (const [name, connection] of Object.entries({ 'a slow network': { effectiveType: '3g', saveData: false }, 'a visitor who saves data': { effectiveType: '4g', saveData: true } })) {
  test(`${name} gets nothing unasked, and all at the touch of a link`, async ({ page }) => {
    await onNetwork(page, connection);
    // Time passes when the test says so.
    await page.clock.install();
    const files = filesOf(page);
    await page.goto('/about');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.clock.runFor(60_000);
    await page.waitForLoadState('networkidle');
    expect(files.filter((path) => path.startsWith('/mf/mf-pharmacy/'))).toEqual([]);

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pharmacy', exact: true }).hover();
    await expect.poll(() => files.some((path) => path.startsWith('/mf/mf-pharmacy/')), 'files of the pharmacy').toBe(true);
  });
}
