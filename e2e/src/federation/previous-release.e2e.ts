import { expect, expectMenu } from '../support/clinic.ts';
import { logInWithButton } from '../support/log-in.ts';
import { openTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { scenarios, runScenarios, type Remote } from '../support/scenarios.ts';
import { test } from '../support/first-use.ts';

// Teams deploy separately: during a release any of these can run beside any other.
const remotes = Object.keys(scenarios) as Remote[];

/** A page of each remote that visitors can open. */
const publicPages = { 'mf-public': '/about', 'mf-pharmacy': '/medicinestore' } as const;

for (const remote of remotes) {
  test(`${remote} of the previous release still runs in this shell`, async ({ browser, baseURL }) => {
    const testEnv = await openTestEnvironment(String(baseURL), { previous: [remote] });
    try {
      await runScenarios(remote, testEnv, browser);
    } finally {
      await testEnv.close();
    }
  });
}

test.describe('the shell of the previous release', () => {
  let testEnv: TestEnvironment;
  test.beforeAll(async ({ baseURL }) => {
    testEnv = await openTestEnvironment(String(baseURL), { previous: ['shell'] });
  });
  test.afterAll(() => testEnv.close());

  // It has no federation runtime for them. A shell is deployed before the remotes that need it, so only pages that were
  // opened earlier see this.
  for (const [remote, path] of Object.entries(publicPages)) {
    test(`asks for a newer shell in the place of today’s ${remote}`, async ({ browser }) => {
      const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
      await page.goto(path);
      // That shell's wording.
      const panel = page.getByRole('main').getByRole('alert');
      await expect(panel).toContainText('has just been renewed. Please reload the page.');
      await expect(panel.getByRole('button', { name: 'Retry' })).toBeVisible();
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
      await page.context().close();
    });
  }

  test('runs remotes of its own release', async ({ browser, baseURL }) => {
    const old = await openTestEnvironment(String(baseURL), { previous: ['shell', 'mf-public'] });
    const page = await (await browser.newContext({ baseURL: old.url })).newPage();
    await page.goto('/about');
    await expect(page.getByRole('heading', { level: 1, name: /About/ })).toBeVisible();
    await page.context().close();
    await old.close();
  });

  test('logs people in and shows them their menu', async ({ browser }) => {
    const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
    await logInWithButton(page, 'pharmacist', '/dash/orders');
    await expectMenu(page, ['Orders', 'Add Medicine', 'All Medicine']);
    await page.context().close();
  });
});
