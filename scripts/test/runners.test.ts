// Runs of jest and Playwright that are broken on purpose: they end by themselves, with the right count.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';
import { plantingFolder } from './planted.ts';
import type { Run } from './repeat.ts';
import { browserTests, componentTests } from './runners.ts';

const folder = plantingFolder();

/** @returns their paths from the root */
function plant(kind: string, texts: Readonly<Record<string, string>>): string[] {
  mkdirSync(join(folder, kind), { recursive: true });
  return Object.entries(texts).map(([name, text]) => {
    const path = join(folder, kind, name);
    writeFileSync(path, text);
    return relative(root, path);
  });
}

/** What a run says of each file by name, and its failures without their errors. */
const saidOf = ({ count, report }: Run) => ({
  count,
  files: Object.fromEntries(
    [...report.counts].map(([file, { passed, failed }]) => [file.replace(/.*\//, ''), [passed, failed]]),
  ),
  failures: report.failures.map(({ file, title }) => `${file.replace(/.*\//, '')} ${title}`).toSorted(),
});

test('a run of jest names the file that never ends and the one that ends its program, and counts the others', async () => {
  const files = plant('jest', {
    'endless.test.js': "test('waits', () => { for (;;); });",
    'dying.test.js': "test('dies', () => { process.kill(process.pid, 'SIGKILL'); });",
    'bad.test.js': "test('fine', () => {}); test('bad', () => { throw new Error('no'); });",
    'good.test.js': "test('fine', () => {});",
  });
  const config = `--config=${JSON.stringify({ rootDir: join(folder, 'jest'), transform: {} })}`;
  const said = saidOf(await componentTests(files, { args: [config], limit: 30_000, stopWithin: 500 }));
  assert.deepEqual(said.files, {
    'bad.test.js': [1, 1],
    'dying.test.js': [0, 1],
    'endless.test.js': [0, 1],
    'good.test.js': [1, 0],
  });
  assert.deepEqual(said.count, { passed: 2, failed: 3, skipped: 0 });
  assert.deepEqual(said.failures, ['bad.test.js bad', 'dying.test.js did not start', 'endless.test.js never ended']);
  // One file has no process of its own.
  const alone = saidOf(await componentTests(files.slice(1, 2), { args: [config] }));
  assert.deepEqual(
    [alone.files, alone.failures],
    [{ 'dying.test.js': [0, 1] }, ['dying.test.js did not get to its end']],
  );
});

test('so does a run of Playwright', async () => {
  const imports = "import { test } from '@playwright/test';";
  const files = plant('browsers', {
    'endless.e2e.ts': `${imports} test('waits', () => { for (;;); });`,
    'dying.e2e.ts': `${imports} test('dies', () => process.exit(3)); test('fine', () => {});`,
    'bad.e2e.ts': `${imports} test.describe.configure({ mode: 'serial' });
      test('bad', () => { throw new Error('no'); }); test('builds on it', () => {});`,
    'good.e2e.ts': `${imports} test('fine', () => {});`,
  });
  const reporter = JSON.stringify(join(root, 'e2e/src/support/progress-reporter.ts'));
  plant('browsers', {
    'playwright.config.ts': `export default { testMatch: '*.e2e.ts', outputDir: 'results', workers: 2, reporter: [['list'], [${reporter}]], projects: [{ name: 'any' }] };`,
  });
  const args = [`--config=${join(folder, 'browsers', 'playwright.config.ts')}`];
  const said = saidOf(await browserTests(files, {}, { args, limit: 30_000, stopWithin: 500 }));
  assert.deepEqual(said.files, {
    'bad.e2e.ts': [0, 1],
    'dying.e2e.ts': [1, 1],
    'endless.e2e.ts': [0, 1],
    'good.e2e.ts': [1, 0],
  });
  assert.deepEqual(said.count, { passed: 2, failed: 3, skipped: 1 });
  assert.deepEqual(said.failures, ['bad.e2e.ts [any] bad', 'dying.e2e.ts [any] dies', 'endless.e2e.ts never ended']);
});
