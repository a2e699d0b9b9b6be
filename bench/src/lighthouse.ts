/**
 * What Lighthouse says of the pages that visitors see first, on a phone (design section 8: at least 95 everywhere).
 *
 *     node bench/src/lighthouse.ts [http://localhost:8080]
 *
 * The clinic must be running. Lighthouse is fetched by npm when it is first needed: it is larger than the application's
 * own dependencies and no test needs it. `RUNS` (3) visits a page, of which the middle one by performance counts.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

const version = '13.5.0';
const paths = ['/', '/ourDoctors', '/about', '/medicinestore'];
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const goal = 95;

/** The part of Lighthouse's report that is of use here. */
interface Report {
  readonly categories: Readonly<Record<(typeof categories)[number], { readonly score: number; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }>>;
  readonly audits: Readonly<Record<string, { readonly title: string; readonly score: number | null; readonly numericValue?: number }>>;
  readonly environment: { readonly hostUserAgent: string; readonly benchmarkIndex: number };
}

interface Row {
  readonly path: string;
  /** 0 to 100, in the order of `categories`. */
  readonly scores: readonly number[];
  /** Milliseconds on Lighthouse's simulated phone; `cls` has no unit, `kilobytes` is all that was transferred. */
  readonly fcp: number;
  readonly lcp: number;
  readonly tbt: number;
  readonly cls: number;
  readonly kilobytes: number;
  /** What cost points. */
  readonly lost: readonly string[];
}

const base = process.argv[2] ?? process.env['CLINIC_URL'] ?? 'http://localhost:8080';
const runs = Number(process.env['RUNS'] ?? 3);
const results = join(import.meta.dirname, '..', 'results');
const work = mkdtempSync(join(tmpdir(), 'lighthouse-'));

function visit(path: string): Report {
  const file = join(work, 'report.json');
  execFileSync(
    'npm',
    [
      'exec', '--yes', '--prefer-offline', `--package=lighthouse@${version}`, '--', 'lighthouse', base + path, '--quiet', '--output=json', `--output-path=${file}`,
      `--only-categories=${categories.join(',')}`, '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
    ],
    { cwd: work, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, CHROME_PATH: process.env['CHROME_PATH'] ?? '/usr/bin/chromium' } },
  );
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

function rowOf(path: string, report: Report): Row {
  const figure = (audit: string) => report.audits[audit]?.numericValue ?? Number.NaN;
  const lost = categories.flatMap((category) => report.categories[category].auditRefs.filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 0.9));
  return {
    path,
    scores: categories.map((category) => Math.round(report.categories[category].score * 100)),
    fcp: Math.round(figure('first-contentful-paint')),
    lcp: Math.round(figure('largest-contentful-paint')),
    tbt: Math.round(figure('total-blocking-time')),
    cls: Math.round(figure('cumulative-layout-shift') * 1000) / 1000,
    kilobytes: Math.round(figure('total-byte-weight') / 1000),
    lost: lost.map(({ id }) => report.audits[id]?.title ?? id),
  };
}

const rows: Row[] = [];
let environment: Report['environment'] | undefined;
for (const path of paths) {
  const reports = Array.from({ length: runs }, () => visit(path)).toSorted((one, other) => one.categories.performance.score - other.categories.performance.score);
  const middle = reports[Math.floor(reports.length / 2)];
  if (!middle) throw new Error('RUNS must be at least 1');
  environment = middle.environment;
  rows.push(rowOf(path, middle));
  console.log(`${path}: ${rows.at(-1)?.scores.join(' / ')}`);
}
rmSync(work, { recursive: true });

const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(1)}, Lighthouse's benchmark index ${Math.round(environment?.benchmarkIndex ?? 0)}`;
const lines = [
  '| page | performance | accessibility | best practices | SEO | FCP ms | LCP ms | TBT ms | CLS | KB in all |',
  '|---|---|---|---|---|---|---|---|---|---|',
  ...rows.map(({ path, scores, fcp, lcp, tbt, cls, kilobytes }) => `| ${path} | ${scores.join(' | ')} | ${fcp} | ${lcp} | ${tbt} | ${cls} | ${kilobytes} |`),
];
const lost = rows.filter((row) => row.lost.length > 0).map((row) => `- ${row.path}: ${row.lost.join('; ')}`);
const text = `# Lighthouse ${version}, mobile\n\nMiddle of ${runs} visits to each page, ${new Date().toISOString().slice(0, 10)}, ${machine}. Goal: ${goal} in each category.\n\n${lines.join('\n')}\n${lost.length > 0 ? `\nWhat cost points:\n\n${lost.join('\n')}\n` : ''}`;
mkdirSync(results, { recursive: true });
writeFileSync(join(results, 'lighthouse.md'), text);
writeFileSync(join(results, 'lighthouse.json'), `${JSON.stringify({ version, runs, machine, environment, rows }, undefined, 2)}\n`);
console.log(`\n${text}`);
process.exitCode = rows.every(({ scores }) => scores.every((score) => score >= goal)) ? 0 : 1;
