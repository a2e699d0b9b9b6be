import { expect, test, type Route } from '@playwright/test';
import type { Registry } from '@clinic/contracts';
import { follow } from '../support/clinic.ts';
import { integrityOf } from '../support/deploy.ts';
import {
  breakRequests,
  changeRegistry,
  expectOthersToGoOn,
  markDocument,
  panel,
  pharmacy,
} from '../support/outages.ts';

const missing = (route: Route): Promise<void> =>
  route.fulfill({ status: 404, contentType: 'text/plain', body: 'not found' });
const script =
  (body: string) =>
  (route: Route): Promise<void> =>
    route.fulfill({ contentType: 'text/javascript', body });
const noContainer = 'var mf_pharmacy = { init() { throw new Error("no share scope") }, get() {} }';
const reset = (route: Route): Promise<void> => route.abort('connectionreset');
const silence = (): Promise<void> => Promise.resolve();

const files = '/mf/mf-pharmacy';

/** How a remote can fail, and for which requests; `built` is an entry that its build published like this. */
const outages: readonly {
  readonly name: string;
  readonly hit: RegExp;
  readonly answer: (route: Route) => Promise<void>;
  readonly built?: string;
}[] = [
  { name: 'whose server is down', hit: new RegExp(`^${files}/`), answer: reset },
  { name: 'whose entry is missing', hit: new RegExp(`^${files}/entry\\.`), answer: missing },
  {
    name: 'whose entry throws',
    hit: new RegExp(`^${files}/entry\\.`),
    answer: script('throw new Error("broken build")'),
    built: 'throw new Error("broken build")',
  },
  { name: 'whose entry is empty', hit: new RegExp(`^${files}/entry\\.`), answer: script(''), built: '' },
  { name: 'whose entry never arrives', hit: new RegExp(`^${files}/entry\\.`), answer: silence },
  {
    name: 'whose container can’t be started',
    hit: new RegExp(`^${files}/entry\\.`),
    answer: script(noContainer),
    built: noContainer,
  },
  { name: 'whose styles are missing', hit: new RegExp(`^${files}/styles\\..*css$`), answer: missing },
  {
    name: 'whose page’s own file is missing',
    hit: new RegExp(`^${files}/(?!entry\\.)[^/]+\\.js$`),
    answer: missing,
  },
];

/** The registry with a build whose entry is this text, with a matching digest. */
const withEntry =
  (text: string) =>
  (registry: Registry): Registry => ({
    ...registry,
    remotes: registry.remotes.map((remote) =>
      remote.name === pharmacy.name
        ? { ...remote, integrity: { ...remote.integrity, [remote.entry ?? '']: integrityOf(text) } }
        : remote,
    ),
  });

for (const { name, hit, answer, built } of outages) {
  test(`a remote ${name} costs its own page only, and recovers with Retry`, async ({ page }) => {
    const redeploy = built === undefined ? undefined : await changeRegistry(page, withEntry(built));
    const mend = await breakRequests(page, hit, answer);
    await page.goto('/about');
    const sameDocument = await markDocument(page);
    await follow(page, 'Main', pharmacy.menuEntry);
    await expect(panel(page)).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await mend();
    await redeploy?.();
    await panel(page).getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { level: 1, name: pharmacy.heading, exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
    await sameDocument();
  });
}

test('while a remote is unavailable, all others keep working, even for visitors who open it first', async ({
  page,
}) => {
  const mend = await breakRequests(page, new RegExp(`^${files}/`), reset);
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

test('a service that hangs is reported within 12 seconds', async ({ page }) => {
  await page.goto('/');
  const mend = await breakRequests(page, /^\/medicine$/, silence);
  await follow(page, 'Main', pharmacy.menuEntry);
  const began = Date.now();
  await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible({ timeout: 20_000 });
  expect(Date.now() - began).toBeLessThan(12_000);
  await mend();
  // The page recovers without a reload once the hanging request has timed out.
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible({ timeout: 25_000 });
});
