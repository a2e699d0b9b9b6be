import { deploy } from '../../../e2e/src/support/deploy.ts';
import { openReader, touchPage } from '../../../e2e/src/lab/reader.ts';
import { openVisitors } from '../../../e2e/src/lab/visitors.ts';
import { openTestEnvironment } from '../../../e2e/src/support/test-environment.ts';
import type { Area } from '../support/area.ts';
import { sharedClinic } from '../support/clinic.ts';
import { limited } from '../support/results.ts';

const page = '/ourDoctors';

export const redeployments: Area = {
  name: 'redeployments',
  title: 'Redeployments under a reader',
  within: 900,
  async run({ effort, say, after }) {
    const { url } = await sharedClinic(say);
    const testEnv = await openTestEnvironment(url);
    after(() => testEnv.close());
    const browser = await openVisitors();
    after(() => browser.close());
    const times = Math.max(2, Math.round(100 * effort));
    const errors: string[] = [];
    for (let time = 1; time <= times; time += 1) {
      // Every other one keeps reading for one redeployment more.
      const reader = await openReader(browser, testEnv.url + page);
      for (let ahead = 0; ahead <= time % 2; ahead += 1) {
        const version = `2.${time}.${ahead}`;
        await deploy(testEnv.frontEnds['mf-public'], ((2 * time + ahead) % 16).toString(16), version);
        await testEnv.registered('mf-public', (remote) => remote.version === version);
      }
      await touchPage(reader);
      errors.push(...reader.errors);
      await reader.page.context().close();
    }
    return {
      how: `Somebody reads ${page} as HTML while mf-public is deployed once or twice, with nothing left of earlier releases, and then uses it.`,
      rows: [limited(`errors of pages in ${times} redeployments`, errors.length, '', 0)],
      remarks: [...new Set(errors)],
    };
  },
};
