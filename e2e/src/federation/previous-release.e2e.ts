import { test } from '@playwright/test';
import { expect, logInAs, menuEntries } from '../support/clinic.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { walks, walkThrough, type Remote } from '../support/walks.ts';

// Teams deploy separately: during a release any of these can run beside any other.
const remotes = Object.keys(walks) as Remote[];

// Each scenario opens a dozen pages.
test.setTimeout(180_000);

for (const remote of remotes) {
  test(`${remote} of the previous release still runs in this shell`, async ({ browser, baseURL }) => {
    const stage = await openStage(String(baseURL), { previous: [remote] });
    try {
      await walkThrough(remote, stage, browser);
    } finally {
      await stage.close();
    }
  });
}

test.describe('the shell of the previous release', () => {
  let stage: Stage;
  test.beforeAll(async ({ baseURL }) => {
    stage = await openStage(String(baseURL), { previous: ['shell'] });
  });
  test.afterAll(() => stage.close());

  for (const remote of remotes) {
    test(`runs today’s ${remote}`, ({ browser }) => walkThrough(remote, stage, browser));
  }

  test('logs people in and shows them their menu', async ({ browser }) => {
    const page = await (await browser.newContext({ baseURL: stage.url })).newPage();
    await logInAs(page, 'pharmacist', '/dash/orders');
    expect(await menuEntries(page)).toEqual(['Orders', 'Add Medicine', 'All Medicine']);
    await page.context().close();
  });
});
