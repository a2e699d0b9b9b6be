import type { Browser, Page } from '@playwright/test';
import { errorsOf, expect, expectAccessible, test } from '../support/clinic.ts';
import { deploy, shellIsThere } from '../support/deploy.ts';
import { markDocument } from '../support/outages.ts';
import { openTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';

const minute = 60_000;

/** The notice of a new version. */
const offer = (page: Page) =>
  page.getByRole('status').locator('span').filter({ hasText: 'A new version is ready' }).first();

/** The user returns to the tab a while after the page was loaded. */
async function returnTo(page: Page): Promise<void> {
  await page.clock.fastForward(minute);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

/** Returns, until what the registry's answer leads to is drawn: before that, nothing could be offered. */
async function returnAndPoll(page: Page): Promise<void> {
  const polled = page.waitForResponse('**/registry.json');
  await returnTo(page);
  await (await polled).finished();
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(undefined)))),
  );
}

async function deployPublic(testEnv: TestEnvironment, mark: string): Promise<void> {
  const version = `2.0.0+${mark}`;
  await deploy(testEnv.frontEnds['mf-public'], mark, version);
  await testEnv.registered('mf-public', (remote) => remote.version === version);
}

test.describe('a page that is left open', () => {
  let testEnv: TestEnvironment;
  test.beforeAll(async ({ baseURL }) => {
    testEnv = await openTestEnvironment(String(baseURL), { keepReleases: true });
  });
  test.afterAll(() => testEnv.close());

  async function open(browser: Browser, width = 1440): Promise<Page> {
    const page = await (await browser.newContext({ baseURL: testEnv.url, viewport: { width, height: 800 } })).newPage();
    // The test controls the clock.
    await page.clock.install();
    return page;
  }

  test('is offered a new version on return, keeps typed text, and reloads only when asked to', async ({ browser }) => {
    const page = await open(browser, 360);
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Message' }).fill('Do you see children on Fridays?');
    await page.getByLabel('First Name').fill('Ann');
    const sameDocument = await markDocument(page);
    await deploy(testEnv.frontEnds.shell, 'b');
    await shellIsThere(testEnv, 'b');

    await returnTo(page);
    await expect(offer(page)).toBeVisible();
    await expect(offer(page)).toContainText(
      'You can reload when you’re ready. We’ll keep what you’ve typed, except passwords.',
    );
    await expectAccessible(page);
    await page.screenshot({ path: '../test-results/pictures/desktop/new-version.png' });
    // Nothing happens by itself.
    await page.clock.fastForward(30 * minute);
    await expect(offer(page)).toBeVisible();
    await sameDocument();
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Do you see children on Fridays?');

    await offer(page).getByRole('button', { name: 'Reload' }).click();
    await expect(page.locator('script[src*="/shell/main.bbbb"]')).toHaveCount(1);
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Do you see children on Fridays?');
    await expect(page.getByLabel('First Name')).toHaveValue('Ann');
    await returnAndPoll(page);
    await expect(offer(page)).toHaveCount(0);
    await page.context().close();
  });

  test('is notified of each version once, and not over a dialog', async ({ browser }) => {
    const page = await open(browser);
    // The shell fetches what the first page doesn't need three seconds after it.
    const later = page.waitForResponse(/\/shell\/later\./);
    await page.goto('/login');
    await page.clock.fastForward(4_000);
    await (await later).finished();
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await deploy(testEnv.frontEnds.shell, 'c');
    await shellIsThere(testEnv, 'c');
    // It polls every few minutes.
    await page.clock.fastForward(7 * minute);
    await expect(offer(page)).toHaveCount(1);
    await expect(offer(page)).toBeHidden();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(offer(page)).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss: A new version is ready' }).click();
    await expect(offer(page)).toHaveCount(0);

    await returnAndPoll(page);
    await expect(offer(page)).toHaveCount(0);
    await deploy(testEnv.frontEnds.shell, 'd');
    await shellIsThere(testEnv, 'd');
    await returnTo(page);
    await expect(offer(page)).toBeVisible();
    await page.context().close();
  });

  test('loads a remote it hasn’t loaded yet in the new version, completely and without notice', async ({ browser }) => {
    const page = await open(browser);
    const errors = errorsOf(page.context());
    await page.goto('/about');
    await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible();
    const sameDocument = await markDocument(page);
    await deploy(testEnv.frontEnds['mf-pharmacy'], 'e', '2.0.0+e');
    await testEnv.registered('mf-pharmacy', ({ version }) => version === '2.0.0+e');
    await returnAndPoll(page);

    const files: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/mf/mf-pharmacy/')) files.push(new URL(request.url()).pathname);
    });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pharmacy', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
    await sameDocument();
    expect(files.length).toBeGreaterThan(2);
    expect(
      files.filter((file) => !file.includes('.eeee')),
      'files of the build before',
    ).toEqual([]);
    await expect(offer(page)).toHaveCount(0);
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('keeps the loaded version of a remote, completely, until it reloads', async ({ browser }) => {
    const page = await open(browser);
    await page.goto('/about');
    await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible();
    const sameDocument = await markDocument(page);
    await deployPublic(testEnv, 'f');
    await returnTo(page);
    await expect(offer(page)).toBeVisible();

    const files: string[] = [];
    page.on('request', (request) => {
      // What only goes to the cache, once the browser is idle, is of the build that pages to come would use.
      if (request.resourceType() === 'fetch') return;
      if (/\/mf\/mf-public\/.*\.(?:js|css)$/.test(request.url())) files.push(new URL(request.url()).pathname);
    });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Doctors', exact: true }).click();
    await expect(page.getByRole('heading', { name: /^Showing \d+ doctor\(s\)$/ })).toBeVisible();
    await sameDocument();
    expect(files.length).toBeGreaterThan(0);
    expect(
      files.filter((file) => file.includes('.ffff')),
      'files of the build after',
    ).toEqual([]);

    await offer(page).getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => files.some((file) => file.includes('.ffff'))).toBe(true);
    await expect(page.getByRole('heading', { name: /^Showing \d+ doctor\(s\)$/ })).toBeVisible();
    await expect(offer(page)).toHaveCount(0);
    await page.context().close();
  });
});
