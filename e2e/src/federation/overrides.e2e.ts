import type { RemoteDescriptor } from '@clinic/contracts';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../support/clinic.ts';
import { openTestEnvironment, type TestEnvironment, type TestFrontEnd } from '../support/test-environment.ts';
import { test } from '../support/first-use.ts';

/** Where the remote's entry was run from; the page still publishes the deployed one. */
const originsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    ...new Set(
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ initiatorType, name }) => initiatorType === 'script' && /\/entry\./.test(name))
        .map(({ name }) => new URL(name))
        .map(({ origin }) => origin),
    ),
  ]);

let testEnv: TestEnvironment;
let local: TestFrontEnd;
test.beforeAll(async ({ baseURL }) => {
  testEnv = await openTestEnvironment(String(baseURL), { gateway: { REMOTE_OVERRIDES: 'true' } });
  local = await testEnv.buildOf('mf-public');
});
test.afterAll(() => testEnv.close());

test('a developer points the running shell at a local build, sees that all the time, and ends it with one click', async ({
  browser,
}) => {
  await local.publish((descriptor) => ({ ...descriptor, version: '1.1.0+mine' }));
  // The server watches the folder.
  const served = async () => ((await (await fetch(`${local.url}/remote.json`)).json()) as RemoteDescriptor).version;
  await expect.poll(served).toBe('1.1.0+mine');
  const page = await (
    await browser.newContext({ baseURL: testEnv.url, viewport: { width: 360, height: 740 } })
  ).newPage();
  const banner = page.getByRole('complementary', { name: 'Local builds' });
  const heading = page.getByRole('heading', { level: 1, name: /About/ });

  await page.goto(`/about?remote-override=mf-public@${local.url}`);
  await expect(heading).toBeVisible();
  await expect(banner).toContainText(`mf-public 1.1.0+mine is a local build from ${local.url}/`);
  await expect(banner).toBeInViewport();
  // HTML would be of the deployed build, without the banner.
  expect(await (await page.request.get('/about')).text()).not.toContain('id="page"');
  await expectAccessible(page);
  expect(await originsOf(page)).toEqual([local.url]);
  expect(page.url()).toBe(`${testEnv.url}/about`);
  await page.goto('/ourDoctors');
  await expect(banner).toBeInViewport();
  expect(await originsOf(page)).toEqual([local.url]);

  // A developer's server that is down, or somebody else's, must not leave an empty page.
  await page.goto(
    '/about?remote-override=mf-clinic@https://mail.example/&remote-override=mf-pharmacy@http://127.0.0.1:1',
  );
  await expect(heading).toBeVisible();
  await expect(banner).toContainText(
    'mf-clinic: no build at https://mail.example/ (only builds on this machine are allowed). The deployed version is shown.',
  );
  await expect(banner).toContainText('mf-pharmacy: no build at http://127.0.0.1:1/');

  await banner.getByRole('button', { name: 'Go back to the deployed version' }).click();
  await expect(banner).toHaveCount(0);
  await expect(heading).toBeVisible();
  expect(await originsOf(page)).not.toContain(local.url);
  await page.context().close();
});

test('overrides do nothing unless allowed', async ({ page }) => {
  await page.addInitScript(
    (url) => localStorage.setItem('clinic:remote-overrides', JSON.stringify({ 'mf-public': `${url}/` })),
    local.url,
  );
  await page.goto(`/about?remote-override=mf-public@${local.url}`);
  await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Local builds' })).toHaveCount(0);
  expect(await originsOf(page)).not.toContain(local.url);
  // Not even a tricked page could: its content security policy allows only this origin.
  expect(
    await page.evaluate(
      (url) =>
        fetch(`${url}/remote.json`).then(
          () => 'read',
          () => 'refused',
        ),
      local.url,
    ),
  ).toBe('refused');
});
