import { expect } from '@playwright/test';
import type { Registry } from '@clinic/contracts';
import { follow } from '../support/clinic.ts';
import { breakRequests, changeRegistry, expectOthersToGoOn, markDocument, pharmacy } from '../support/outages.ts';
import { test } from '../support/first-use.ts';

const withoutPharmacy = ({ remotes }: Registry): Registry => ({
  remotes: remotes.filter(({ name }) => name !== pharmacy.name),
  away: [],
});

// What the shell makes of other answers of the registry: shell/src/routing/routing.test.tsx, remote-loader.test.ts.
test('a remote added after the page was opened is found without a reload', async ({ page }) => {
  const arrive = await changeRegistry(page, withoutPharmacy);
  const entries = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await page.goto(pharmacy.path);
  const sameDocument = await markDocument(page);
  await expect(page.getByText('Not Found')).toBeVisible();
  await expect(entries).toHaveText(['Home', 'Doctors', 'About', 'Login']);
  await follow(page, 'Main', 'Home');
  await expect(page.getByRole('heading', { name: 'Your Health, Our Priority' })).toBeVisible();

  // A registry that can't be read takes nothing away.
  const mend = await breakRequests(page, /^\/registry\.json$/, (route) =>
    route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
  );
  await page.goBack();
  await expect(page.getByText('Not Found')).toBeVisible();
  await expectOthersToGoOn(page);
  mend();

  arrive();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toBeVisible();
  await expect(entries).toHaveText(['Home', 'Doctors', 'Pharmacy', 'About', 'Login']);
  await sameDocument();
});
