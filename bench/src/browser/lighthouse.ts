import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureChromium } from '../../../scripts/test/chromium.ts';
import { temporaryFolder, type Area } from '../support/area.ts';
import { sharedClinic } from '../support/clinic.ts';
import { limited, type Row } from '../support/results.ts';
import { median } from '../support/rounds.ts';

/** npm fetches it on first use: it is larger than the application's own dependencies, and no test needs it. */
const version = '13.5.0';
const paths = ['/', '/ourDoctors', '/medicinestore', '/login'];
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** The lowest score; pages that must not be listed have none for search engines. */
const goalOf = (path: string): number => (path === '/login' ? 95 : 100);
const unlisted = ['/login'];

/** Time limit for one visit, milliseconds. */
const visitWithin = 90_000;

/** The parts of Lighthouse's report used here. */
interface Report {
  readonly categories: Readonly<
    Record<
      (typeof categories)[number],
      { readonly score: number; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
    >
  >;
  readonly audits: Readonly<
    Record<string, { readonly title: string; readonly score: number | null; readonly numericValue?: number }>
  >;
}

export const lighthouse: Area = {
  name: 'lighthouse',
  title: 'Lighthouse, on a phone',
  within: 420,
  async run({ effort, say, after }) {
    const { url } = await sharedClinic(say);
    const folder = temporaryFolder({ after }, 'lighthouse');
    const chromium = await ensureChromium();
    const runs = effort < 1 ? 1 : 3;
    const rows: Row[] = [];
    for (const path of effort < 1 ? paths.slice(0, 1) : paths) {
      const reports: Report[] = [];
      for (let run = 0; run < runs; run += 1) reports.push(await visit(url + path, folder, chromium));
      const scores = categories.map((category) =>
        median(reports.map((report) => report.categories[category].score * 100)),
      );
      categories.forEach((category, at) => {
        if (category === 'seo' && unlisted.includes(path)) return;
        rows.push({
          ...limited(
            `${path}: ${category}`,
            scores[at] ?? 0,
            '',
            goalOf(path),
            'more',
            at === 0 ? timesOf(reports) : lostOf(reports, category),
          ),
          chart: at === 0 ? `Lighthouse performance, ${path}` : undefined,
        });
      });
      say(`${path}: ${scores.join(' / ')}`);
    }
    return {
      how: `Lighthouse ${version} with its simulated slow phone, medians of ${runs} visits to each page.`,
      rows,
    };
  },
};

async function visit(url: string, folder: string, chromium: string): Promise<Report> {
  const file = join(folder, 'report.json');
  const args = [
    'exec',
    '--yes',
    '--prefer-offline',
    `--package=lighthouse@${version}`,
    '--',
    'lighthouse',
    url,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${categories.join(',')}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
  ];
  const run = () =>
    promisify(execFile)('npm', args, {
      cwd: folder,
      env: { ...process.env, CHROME_PATH: chromium },
      timeout: visitWithin,
    });
  await run().catch((error: unknown) => {
    // Chromium sometimes loses the start of a recording, and Lighthouse asks for another one.
    if (!/\((?:NO_NAVSTART|NO_FCP|NO_TRACING_STARTED)\)/.test(String((error as { stderr?: string }).stderr)))
      throw error;
    return run();
  });
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

function timesOf(reports: readonly Report[]): string {
  const figure = (audit: string): number =>
    median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN));
  return `first paint ${figure('first-contentful-paint').toFixed(0)} ms, largest ${figure('largest-contentful-paint').toFixed(0)} ms, blocked ${figure('total-blocking-time').toFixed(0)} ms, shift ${figure('cumulative-layout-shift').toFixed(3)}, ${(figure('total-byte-weight') / 1000).toFixed(0)} KB in all`;
}

/** The audits that cost points in a category, if any. */
function lostOf(reports: readonly Report[], category: (typeof categories)[number]): string | undefined {
  const lost = reports.flatMap(({ categories: of, audits }) =>
    of[category].auditRefs
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => audits[id]?.title ?? id),
  );
  return lost.length === 0 ? undefined : `lost by ${[...new Set(lost)].join('; ')}`;
}
