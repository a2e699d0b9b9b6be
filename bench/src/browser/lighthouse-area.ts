import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Area } from '../support/area.ts';
import { sharedClinic } from '../support/clinic.ts';
import { runOwnBench } from '../support/own-bench.ts';
import { limited } from '../support/results.ts';

const categories = ['performance', 'accessibility', 'best practices', 'SEO'] as const;
/** Points in each category (design section 8). */
const goal = 95;

interface Report {
  readonly machine: string;
  readonly rows: readonly { readonly path: string; readonly scores: readonly number[]; readonly lost: readonly string[] }[];
}

export const lighthouse: Area = {
  name: 'lighthouse',
  title: 'What Lighthouse says on a phone',
  within: 480,
  async run({ effort, say }) {
    const { url } = await sharedClinic(say);
    await runOwnBench(['bench/src/lighthouse.ts', url], { RUNS: effort < 1 ? '1' : '3' });
    const report = JSON.parse(readFileSync(path.join(import.meta.dirname, '..', '..', 'results', 'lighthouse.json'), 'utf8')) as Report;
    return {
      how: `Points of 100, the middle one by performance of each page’s visits; ${report.machine}. More in lighthouse.md.`,
      rows: report.rows.flatMap(({ path: page, scores }) => categories.map((category, at) => limited(`${page}: ${category}`, scores[at] ?? 0, '', goal, 'more'))),
      remarks: report.rows.filter(({ lost }) => lost.length > 0).map(({ path: page, lost }) => `${page} loses points for: ${lost.join('; ')}`),
    };
  },
};
