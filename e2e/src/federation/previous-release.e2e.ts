import { test } from '@playwright/test';
import { expect, logInAs, menuEntries } from '../support/clinic.ts';
import { openTestEnvironment, type TestEnvironment } from '../support/test-environment.ts';
import { scenarios, runScenarios, type Remote } from '../support/scenarios.ts';

// Teams deploy separately: during a release any of these can run beside any other.
const remotes = Object.keys(scenarios) as Remote[];

// Each scenario opens a dozen pages.
test.setTimeout(180_000);

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

  for (const remote of remotes) {
    test(`runs today’s ${remote}`, ({ browser }) => runScenarios(remote, testEnv, browser));
  }

  test('logs people in and shows them their menu', async ({ browser }) => {
    const page = await (await browser.newContext({ baseURL: testEnv.url })).newPage();
    await logInAs(page, 'pharmacist', '/dash/orders');
    expect(await menuEntries(page)).toEqual(['Orders', 'Add Medicine', 'All Medicine']);
    await page.context().close();
  });
});
