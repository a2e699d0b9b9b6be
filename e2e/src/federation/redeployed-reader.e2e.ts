import { expect, test } from '@playwright/test';
import { openReader, touchPage } from '../lab/reader.ts';
import { deploy } from '../support/deploy.ts';
import { openTestEnvironment } from '../support/test-environment.ts';

/** `npm run bench -- redeployments` makes a hundred. */
const redeployments = 2;

test('who reads a page while its remote is deployed anew can use it, though nothing of its release is left', async ({
  browser,
  baseURL,
}) => {
  const testEnv = await openTestEnvironment(String(baseURL));
  for (let time = 1; time <= redeployments; time += 1) {
    const reader = await openReader(browser, `${testEnv.url}/ourDoctors`);
    const version = `2.${time}.0`;
    await deploy(testEnv.frontEnds['mf-public'], time.toString(16), version);
    await testEnv.registered('mf-public', (remote) => remote.version === version);
    await touchPage(reader);
    await expect(reader.page.getByRole('heading', { level: 1 })).toHaveText('Our Doctors');
    expect(reader.errors).toEqual([]);
    await reader.page.context().close();
  }
  await testEnv.close();
});
