import { recordFirstVisit } from '../../../e2e/src/support/network-log.ts';
import type { Area } from '../support/area.ts';
import { limited, type Row } from '../support/results.ts';
import { openBrowser } from './browser.ts';

/** KB of scripts after gzip; e2e/src/budgets tests the same limits. */
const scriptBudgets = {
  '/': 150,
  '/about': 145,
  '/ourDoctors': 150,
  '/medicinestore': 155,
  '/login': 165,
  '/register': 165,
} as const;
const styleBudget = 30;
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
      const files = await recordFirstVisit(await visitor.newPage(), path);
      await visitor.close();
      const kilobytes = (kind: string): number =>
        files.filter((file) => file.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
      rows.push({
        ...limited(`${path}: scripts`, kilobytes('script'), 'KB', budget),
        chart: path === '/' || path === '/login' ? `scripts of ${path}` : undefined,
      });
      rows.push(limited(`${path}: styles`, kilobytes('style'), 'KB', styleBudget));
      rows.push(limited(`${path}: rounds of requests`, Math.max(...files.map(({ level }) => level)), '', levelBudget));
    }
    return { how: 'Sizes after gzip of everything a new visitor’s Chromium loads.', rows };
  },
};
