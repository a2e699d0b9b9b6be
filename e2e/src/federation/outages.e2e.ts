import { expect, test, type Route } from '@playwright/test';
import { follow } from '../support/clinic.ts';
import { breakRequests, expectInTime, expectOthersToGoOn, markDocument, panel, pharmacy } from '../support/outages.ts';

const reset = (route: Route): Promise<void> => route.abort('connectionreset');
/** When a page gives up waiting for a response. */
const requestLimitMs = 10_000;
const silence = (): Promise<void> => Promise.resolve();

test('while a remote is unavailable, all others keep working, even for visitors who open it first', async ({
  page,
}) => {
  const mend = await breakRequests(page, /^\/mf\/mf-pharmacy\//, reset);
  await page.goto(pharmacy.path);
  await expect(panel(page)).toBeVisible();
  const sameDocument = await markDocument(page);
  await expectOthersToGoOn(page);
  await mend();
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
  await sameDocument();
});

test('a screen that breaks on a service’s response leaves the frame intact, and restarts when asked', async ({
  page,
}) => {
  const mend = await breakRequests(page, /^\/medicine$/, (route) =>
    route.fulfill({ json: [{ _id: 'no medicine at all' }] }),
  );
  await page.goto('/');
  const sameDocument = await markDocument(page);
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible();
  await expectOthersToGoOn(page);
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(page.getByRole('heading', { name: 'Oops!' })).toBeVisible();
  await mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
  await sameDocument();
});

test('a service that hangs is reported', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  const mend = await breakRequests(page, /^\/medicine$/, silence);
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(page.getByRole('heading', { level: 1, name: pharmacy.heading })).toBeVisible();
  await expectInTime(page.getByRole('main').getByRole('alert').first());
  await mend();
  // The page recovers without a reload once the hanging request has timed out.
  await page.clock.fastForward(requestLimitMs);
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible({ timeout: 40_000 });
});
