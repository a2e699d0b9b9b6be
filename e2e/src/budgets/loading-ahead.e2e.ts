import type { Registry } from '@clinic/contracts/remotes';
import type { Page } from '@playwright/test';
import { expect, follow, test } from '../support/clinic.ts';
import { logInAs } from '../support/log-in.ts';

/** Network conditions reported to the page. */
async function onNetwork(
  page: Page,
  connection: { readonly effectiveType: string; readonly saveData: boolean },
): Promise<void> {
  await page.addInitScript(
    (reported) => Object.defineProperty(navigator, 'connection', { value: reported }),
    connection,
  );
}

/** Paths of everything but documents and pictures that a page requests from now on. */
function filesOf(page: Page): string[] {
  const files: string[] = [];
  page.on('request', (request) => {
    if (['script', 'stylesheet', 'fetch'].includes(request.resourceType())) files.push(new URL(request.url()).pathname);
  });
  return files;
}

/** Waits until every file that a remote's page needs has loaded, as the remote itself lists them. */
async function arrived(page: Page, remote: string, route: string): Promise<void> {
  const registry = (await (await page.request.get('/registry.json')).json()) as Registry;
  const found = registry.remotes.find(({ name }) => name === remote);
  const needed = found
    ? [found.entry ?? '', ...(found.pagePreload?.[route] ?? []), ...found.styles].map((file) => found.baseUrl + file)
    : [];
  expect(needed.length, `files of ${route}`).toBeGreaterThan(1);
  const missing = (): Promise<string[]> =>
    page.evaluate((paths) => {
      const here = new Set(performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
      return paths.filter((path) => !here.has(path));
    }, needed);
  await expect.poll(missing, { message: `files of ${route} that have not arrived`, timeout: 60_000 }).toEqual([]);
}

/** Forgets which files the page has loaded so far. */
const startCounting = (page: Page): Promise<void> => page.evaluate(() => performance.clearResourceTimings());

/**
 * Scripts and styles of a remote, or of the shell, that came over the network since {@link startCounting}; pages of other remotes may
 * still be loading. What the browser takes from its cache transfers nothing.
 */
const transferredFor = (page: Page, remote: string): Promise<string[]> =>
  page.evaluate(
    (folders) =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ transferSize }) => transferSize > 0)
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => /\.(?:js|css)$/.test(path) && folders.some((folder) => path.startsWith(folder))),
    [`/mf/${remote}/`, '/shell/'],
  );

test('files of menu pages are fetched while a visitor reads, and a click on one needs no file', async ({ page }) => {
  await onNetwork(page, { effectiveType: '4g', saveData: false });
  const files = filesOf(page);
  await page.goto('/about');
  await arrived(page, 'mf-pharmacy', '/medicinestore');
  // The shell's library of lists is a file of its own.
  await expect
    .poll(() => files.some((path) => path.startsWith('/shell/records.')), {
      message: 'the file for lists',
      timeout: 60_000,
    })
    .toBe(true);
  // Nothing that visitors don't need is prefetched.
  expect(files.filter((path) => /\/mf\/mf-admin\/|\/shell\/(?:auth|login|register|gallery)\./.test(path))).toEqual([]);
  // Fetched, not run: what a page's scripts and styles cost would land in the visitor's scrolling.
  expect(
    await page.locator('script[src^="/mf/mf-pharmacy/"], link[rel=stylesheet][href^="/mf/mf-pharmacy/"]').count(),
  ).toBe(0);

  // Neither hovering over the link nor clicking it needs a file.
  await startCounting(page);
  await follow(page, 'Main', 'Pharmacy');
  await expect(page).toHaveURL('/medicinestore');
  await expect(page.getByRole('heading', { level: 1, name: 'Pharmacy' })).toBeVisible();
  expect(await transferredFor(page, 'mf-pharmacy')).toEqual([]);
});

test('in the dashboard, the pages of the person’s own menu load ahead, whichever domain they belong to', async ({
  page,
}) => {
  await onNetwork(page, { effectiveType: '4g', saveData: false });
  const files = filesOf(page);
  await logInAs(page, 'admin', '/dash/admin');
  await arrived(page, 'mf-clinic', '/dash/appoinments');
  await arrived(page, 'mf-pharmacy', '/dash/orders');
  // The overview is on the menu too, and needs a file of the shell: it must not come during the click.
  await expect
    .poll(() => files.some((path) => path.startsWith('/shell/slot.')), {
      message: 'the file for slots',
      timeout: 60_000,
    })
    .toBe(true);
  await startCounting(page);
  await follow(page, 'Dashboard', 'Orders');
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
  expect(await transferredFor(page, 'mf-pharmacy')).toEqual([]);
});

test('with data saving on, nothing loads unasked, and everything on touching a link', async ({ page }) => {
  await onNetwork(page, { effectiveType: '4g', saveData: true });
  // The test controls the clock.
  await page.clock.install();
  const files = filesOf(page);
  // The shell's own rest comes first: a request must not see a minute pass.
  const later = page.waitForResponse(/\/shell\/later\./);
  await page.goto('/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.clock.runFor(5_000);
  await later;
  await page.clock.runFor(60_000);
  await page.waitForLoadState('networkidle');
  expect(files.filter((path) => path.startsWith('/mf/mf-pharmacy/'))).toEqual([]);

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pharmacy', exact: true }).hover();
  await expect
    .poll(() => files.some((path) => path.startsWith('/mf/mf-pharmacy/')), 'files of the pharmacy')
    .toBe(true);
});
