import { kilobyte, scriptBudgets, styleBudget } from '@clinic/contracts/budgets';
import { startAtOnce } from '../../../e2e/src/support/first-use.ts';
import { recordFirstVisit } from '../../../e2e/src/support/network-log.ts';
import type { Area } from '../support/area.ts';
import { limited, type Row } from '../support/results.ts';
import { openBrowser } from './browser.ts';

const levelBudget = 3;

export const firstVisit: Area = {
  name: 'first-visit',
  title: 'What a first visit loads',
  within: 300,
  async run(context) {
    const { newContext } = await openBrowser(context);
    const rows: Row[] = [];
    for (const [path, budget] of Object.entries(scriptBudgets)) {
      const visitor = await newContext();
      await startAtOnce(visitor);
      const files = await recordFirstVisit(await visitor.newPage(), path);
      await visitor.close();
      const kilobytes = (kind: string): number =>
        files.filter((file) => file.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0) / kilobyte;
      rows.push({
        ...limited(`${path}: scripts`, kilobytes('script'), 'kB', budget),
        chart: path === '/' || path === '/login' ? `scripts of ${path}` : undefined,
      });
      rows.push(limited(`${path}: styles`, kilobytes('style'), 'kB', styleBudget));
      rows.push(limited(`${path}: rounds of requests`, Math.max(...files.map(({ level }) => level)), '', levelBudget));
    }
    return { how: 'Sizes after gzip of everything a new visitor’s Chromium loads.', rows };
  },
};
