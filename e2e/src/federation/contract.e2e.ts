import { join } from 'node:path';
import { contractVersion } from '@clinic/contracts';
import { expect, logInAs, test } from '../support/clinic.ts';
import { openTestEnvironment } from '../support/test-environment.ts';

const frozen = join(import.meta.dirname, '..', '..', 'fixtures', `remote-of-contract-${contractVersion}`);

test('a remote published with the first release of this contract version still runs in this shell', async ({
  browser,
  baseURL,
}) => {
  const testEnv = await openTestEnvironment(String(baseURL), { remotes: { 'mf-first-release': frozen } });
  const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
  // That domain has no service.
  await page.route('**/first-release/entries*', (route) =>
    route.fulfill({ json: [], headers: { 'x-total-count': '0' } }),
  );
  await logInAs(page, 'admin', '/dash/admin');
  await page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link', { name: 'First release', exact: true })
    .click();
  await expect(page.getByText('No entries yet')).toBeVisible();
  await page.getByRole('button', { name: 'Write entry' }).click();
  await expect(page.getByText('Title is required')).toBeVisible();
  // Its own stylesheet is loaded, too.
  await expect(page.getByRole('form', { name: 'New entry' })).toHaveCSS('display', 'grid');
  await page.context().close();
  await testEnv.close();
});
