import { expect } from '@playwright/test';
import { follow } from '../support/clinic.ts';
import { breakRequests, expectInTime, pharmacy } from '../support/outages.ts';
import { startApp, test } from '../support/first-use.ts';

/** When a page gives up waiting for a response. */
const requestLimitMs = 10_000;
const silence = (): Promise<void> => Promise.resolve();

test('a service that hangs is reported', async ({ page }) => {
  await page.clock.install();
  await page.goto('/');
  await startApp(page);
  const mend = await breakRequests(page, /^\/medicine$/, silence);
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(page.getByRole('heading', { level: 1, name: pharmacy.heading })).toBeVisible();
  await expectInTime(page.getByRole('main').getByRole('alert').first());
  mend();
  // The page recovers without a reload once the hanging request has timed out.
  await page.clock.fastForward(requestLimitMs);
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible({ timeout: 40_000 });
});
