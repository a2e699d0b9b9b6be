import { expect, test } from '@playwright/test';
import { contractVersion, type RegisteredRemote, type Registry } from '@clinic/contracts';
import { follow } from '../support/clinic.ts';
import {
  breakRequests,
  changeRegistry,
  expectOthersToGoOn,
  markDocument,
  panel,
  pharmacy,
} from '../support/outages.ts';

const change =
  (changed: Partial<RegisteredRemote>) =>
  (registry: Registry): Registry => ({
    ...registry,
    remotes: registry.remotes.map((remote) => (remote.name === pharmacy.name ? { ...remote, ...changed } : remote)),
  });
const without = (registry: Registry, away: readonly string[]): Registry => ({
  remotes: registry.remotes.filter(({ name }) => name !== pharmacy.name),
  away,
});

test('a remote for another contract version is rejected, until a reload brings a compatible shell', async ({
  page,
}) => {
  const mend = await changeRegistry(page, change({ contractVersion: contractVersion + 1 }));
  await page.goto('/');
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(panel(page)).toContainText('updated this part of the site. Reload the page.');
  await expectOthersToGoOn(page);
  await follow(page, 'Main', pharmacy.menuEntry);
  await mend();
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
});

test('a remote added after the page was opened is found without a reload', async ({ page }) => {
  const arrive = await changeRegistry(page, (registry) => without(registry, [pharmacy.name]));
  await page.goto(pharmacy.path);
  await expect(panel(page)).toBeVisible();
  const sameDocument = await markDocument(page);
  await expectOthersToGoOn(page);
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(panel(page)).toBeVisible();
  await arrive();
  await panel(page).getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
  await sameDocument();
});

test('an address that no remote offers says so, is in no menu, and is looked up again when reopened', async ({
  page,
}) => {
  const arrive = await changeRegistry(page, (registry) => without(registry, []));
  const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await page.goto(pharmacy.path);
  const sameDocument = await markDocument(page);
  await expect(page.getByText('Not Found')).toBeVisible();
  await expect(entries).toHaveText(['Home', 'Doctors', 'About', 'Login']);
  await follow(page, 'Main', 'Home');
  await expect(page.getByRole('heading', { name: 'Your Health, Our Priority' })).toBeVisible();
  await arrive();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
  await expect(entries).toHaveText(['Home', 'Doctors', 'Pharmacy', 'About', 'Login']);
  await sameDocument();
});

test('a remote of another domain has its place in the top bar', async ({ page }) => {
  await changeRegistry(
    page,
    change({
      pages: [
        {
          path: pharmacy.path,
          layout: 'public',
          access: 'everyone',
          title: 'Pharmacy',
          topBar: { label: 'Pharmacy', order: 20 },
        },
        {
          path: '/laboratory',
          layout: 'public',
          access: 'everyone',
          title: 'Laboratory',
          topBar: { label: 'Laboratory', order: 25 },
        },
        {
          path: '/laboratory/rota',
          layout: 'guarded',
          access: ['doctor'],
          title: 'Rota',
          topBar: { label: 'Rota', order: 26 },
        },
      ],
    }),
  );
  await page.goto('/');
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'Home',
    'Doctors',
    'Pharmacy',
    'Laboratory',
    'About',
    'Login',
  ]);
});

test('a page that was open while a remote was redeployed finds the new files by itself', async ({ page, request }) => {
  const registry = (await (await request.get('/registry.json')).json()) as Registry;
  const entry = registry.remotes.find(({ name }) => name === pharmacy.name)?.entry;
  const redeploy = await changeRegistry(page, change({ entry: entry?.replace('.', '.before.') }));
  await page.goto('/');
  const sameDocument = await markDocument(page);
  await redeploy();
  await follow(page, 'Main', pharmacy.menuEntry);
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
  await sameDocument();
});

test('when the registry poll fails, the known remotes keep working', async ({ page }) => {
  await changeRegistry(page, (registry) => without(registry, []));
  await page.goto(pharmacy.path);
  await expect(page.getByText('Not Found')).toBeVisible();
  await follow(page, 'Main', 'Home');
  await expect(page.getByRole('heading', { name: 'Your Health, Our Priority' })).toBeVisible();
  const mend = await breakRequests(page, /^\/registry\.json$/, (route) =>
    route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
  );
  await page.goBack();
  await expect(page.getByText('Not Found')).toBeVisible();
  await mend();
  await expectOthersToGoOn(page);
});
