import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page, Route } from '@playwright/test';
import { expect, onAnyDevice, test } from '../support/clinic.ts';
import { breakRequests } from '../support/outages.ts';
import { appIsThere, changeHtml, openHtml, waitForUse } from '../support/first-use.ts';

const store = '/medicinestore';
const directory = '/ourDoctors';

/** Bytes, after Brotli, of the scripts that a page runs before anybody uses it. */
const budget = 5_000;

/** Paths of the shell's and remotes' scripts that a page requests from now on. */
function scriptsOf(page: Page): string[] {
  const scripts: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) scripts.push(pathname);
  });
  return scripts;
}

/** Adds up all layout shifts that nobody caused. */
async function followShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let sum = 0;
    Object.defineProperty(globalThis, 'shifted', { get: () => sum });
    if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { readonly value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

const shiftOf = (page: Page): Promise<number> => page.evaluate(() => (globalThis as { shifted?: number }).shifted ?? 0);

/** Asks before a script of the application runs, so that a test decides what somebody does before it. */
async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/shell\/main\..*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return async () => resolve();
}

test.beforeEach(({ context }) => waitForUse(context));

test('a page that nobody uses is read with one small script', onAnyDevice, async ({ page }) => {
  await openHtml(page, '/about');
  const scripts = scriptsOf(page);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const sent = scripts.map(
    (path) => brotliCompressSync(readFileSync(join('..', path.replace('/shell/', 'shell/dist/')))).length,
  );
  expect(scripts.map((path) => path.split('.')[0])).toEqual(['/shell/first', '/shell/start']);
  expect(sent.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(budget);
  await expect(page.locator('#page')).toBeVisible();
});

test('what was typed, the focus and the scroll position stay when the application takes over', async ({ page }) => {
  await openHtml(page, directory);
  const search = page.getByRole('searchbox', { name: 'Search doctors' });
  const letGo = await holdScripts(page);
  await search.pressSequentially('tah');
  await search.press('ArrowLeft');
  await letGo();
  await appIsThere(page);
  await expect(search).toHaveValue('tah');
  await expect(search).toBeFocused();
  expect(await search.evaluate((field: HTMLInputElement) => field.selectionStart)).toBe(2);
  // The application has taken the text, too.
  await expect(page).toHaveURL(/[?&]q=tah/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
});

test('somebody who scrolls stays where they are', async ({ page }) => {
  await followShifts(page);
  const last = page.getByRole('article').last();
  // Again if another test has added a doctor since the HTML was rendered.
  await expect(async () => {
    await openHtml(page, directory);
    // At once: scrolling starts the application, which replaces the element.
    const before = await last.evaluate((element) => {
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      return element.getBoundingClientRect().top;
    });
    await appIsThere(page);
    expect(await last.evaluate((element) => element.getBoundingClientRect().top)).toBeCloseTo(before, 0);
    expect(await shiftOf(page)).toBeLessThanOrEqual(0.02);
  }).toPass();
});

test('a press before the application is done once, however often somebody presses', onAnyDevice, async ({ page }) => {
  await openHtml(page, store);
  const letGo = await holdScripts(page);
  const [first, second] = [0, 1].map((place) =>
    page.getByRole('button', { name: /^Add to Cart: /, disabled: false }).nth(place),
  );
  await first?.dblclick();
  await second?.click();
  await letGo();
  await appIsThere(page);
  const kept = await page.evaluate(() => localStorage.getItem('pharmacy-cart'));
  const cart = JSON.parse(kept ?? '[]') as { readonly quantity: number; readonly name: string }[];
  expect(cart.map(({ quantity }) => quantity)).toEqual([1, 1]);
  // A visitor who comes back with a cart sees it without doing anything.
  await page.goto('/about');
  await page.goto(store);
  await expect(page.getByText('Cart (2)')).toBeVisible();
});

test('HTML of another release is replaced quietly', onAnyDevice, async ({ page, context }) => {
  await changeHtml(context, directory, (content) =>
    content
      .replaceAll('<article', '<section')
      .replaceAll('</article', '</section')
      .replace(/<main[^>]*>/, (main) => `${main}<p>Closed on Friday</p><table><tr><td>Old</td></tr></table>`),
  );
  await openHtml(page, directory);
  await expect(page.getByText('Closed on Friday')).toBeVisible();
  await page.getByLabel('Specialty').selectOption('Orthopedic Surgery');
  await appIsThere(page);
  await expect(page.getByText('Closed on Friday')).toHaveCount(0);
  await expect(page.getByLabel('Specialty')).toHaveValue('Orthopedic Surgery');
  await expect(page).toHaveURL(/specialty=Orthopedic/);
});

test('while scripts can’t be loaded the HTML works, and the next press tries again', onAnyDevice, async ({ page }) => {
  await openHtml(page, store);
  const blocked = (route: Route) => route.fulfill({ status: 404 });
  await page.route(/\/shell\/main\..*\.js$/, blocked);
  const add = page.getByRole('button', { name: /^Add to Cart: /, disabled: false }).first();
  await add.click();
  await expect(page.getByText('That didn’t work.')).toBeVisible();
  await page.unroute(/\/shell\/main\..*\.js$/, blocked);
  await add.click();
  await appIsThere(page);
  await expect(page.getByText('Cart (1)')).toBeVisible();
  await expect(page.getByText('That didn’t work.')).toHaveCount(0);
});

test('links work before the application is there', onAnyDevice, async ({ page }) => {
  await openHtml(page, '/about');
  await holdScripts(page);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Doctors' }).click();
  await expect(page).toHaveURL(directory);
});

test('sections of the home page that don’t load stay as they were read, with what was done in them', async ({
  page,
}) => {
  let refused = 0;
  const mend = await breakRequests(page, /^\/mf\/mf-public\/home-lower\./, (route) => {
    refused += 1;
    return route.fulfill({ status: 404 });
  });
  await openHtml(page, '/');
  const letGo = await holdScripts(page);
  const form = page.getByRole('form', { name: 'Send us a message' });
  await form.getByLabel('First Name').fill('Nadia');
  await page.locator('summary').first().click();
  await letGo();
  await appIsThere(page);
  const isAsLeft = async (): Promise<void> => {
    await expect(form.getByLabel('First Name')).toHaveValue('Nadia');
    await expect(page.locator('details[open]')).toHaveCount(1);
    await expect(page.getByRole('heading', { name: 'What Our Patients Say' })).toBeVisible();
  };
  await isAsLeft();
  const failure = page.getByText('Parts of this page don’t work right now');
  await expect(failure).toBeVisible();
  // The rest is there, and what isn't doesn't leave the page, but is requested again.
  const before = refused;
  await form.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => refused).toBeGreaterThan(before);
  await expect(page).toHaveURL('/');
  mend();
  const retry = page.getByRole('button', { name: 'Retry' });
  // Scrolling to it asks for them as well, and takes it away if that is quicker.
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 2_000 });
    await expect(failure).toHaveCount(0, { timeout: 2_000 });
  }).toPass({ timeout: 120_000 });
  await isAsLeft();
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByText('Last name is required')).toBeVisible();
});
