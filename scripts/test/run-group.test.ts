// Files that share a process: each is counted and named alone, whatever the others do.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { groupFiles } from './groups.ts';
import { plantIn, plantingFolder } from './planted.ts';
import { runGroup } from './run-group.ts';

const folder = plantingFolder();
const plant = (name: string, text: string): string =>
  plantIn(
    folder,
    name,
    `import { after, before, beforeEach, describe, test } from 'node:test';
     import { appendFileSync } from 'node:fs';
     const say = (what: string) => appendFileSync(${JSON.stringify(join(folder, 'said'))}, process.pid + ' ${name} ' + what + '\\n');
     ${text}`,
  );

/** What the files said since the last call: lines of process, file and words. */
function said(): string[][] {
  const path = join(folder, 'said');
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  rmSync(path);
  return lines.map((line) => line.split(' '));
}

const counted = async (files: readonly string[], limit = 60_000) => {
  const noted: string[] = [];
  const run = { concurrency: 1, limit, grace: 500, stopWithin: 500 };
  const results = await runGroup(files, run, (file) => void noted.push(file));
  return { results: results.map(({ file, count }) => [file, ...Object.values(count)]), failures: results, noted };
};

test('files run one after the other in one process, each with its own hooks', async () => {
  const body = `
    say('loads'); await new Promise((resolve) => setTimeout(resolve, 20));
    before(() => say('before')); after(() => say('after')); beforeEach(() => say('each'));
    describe('some', () => { test('one', () => say('one')); test('other', { skip: true }, () => {}); });
    test('two', () => say('two'));`;
  const files = [plant('first', body), plant('second', body)];
  const { results, noted } = await counted(files);
  assert.deepEqual(
    results,
    files.map((file) => [file, 2, 0, 1]),
  );
  assert.deepEqual(noted, files);
  const lines = said();
  const steps = ['loads', 'before', 'each', 'one', 'each', 'two', 'after'];
  assert.deepEqual(
    lines.map(([, name, what]) => `${name} ${what}`),
    ['first', 'second'].flatMap((name) => steps.map((step) => `${name} ${step}`)),
  );
  assert.equal(new Set(lines.map(([pid]) => pid)).size, 1);
});

test('a failed test, a file that can’t be loaded and a stray error are counted for their file', async () => {
  const fine = "test('fine', () => {});";
  const bad = plant('bad', `${fine} test('bad', () => { throw new Error('no'); });`);
  const broken = plant('broken', "throw new Error('broken');");
  const hook = plant('hook', `${fine} after(() => { throw new Error('left open'); });`);
  const stray = plant(
    'stray',
    "test('fine', async () => { void Promise.resolve().then(() => { throw new Error('stray'); }); await new Promise((resolve) => setTimeout(resolve, 20)); });",
  );
  const good = plant('good', fine);
  const { results, failures } = await counted([bad, broken, hook, stray, good]);
  assert.deepEqual(results, [
    [bad, 1, 1, 0],
    [broken, 0, 1, 0],
    [hook, 1, 1, 0],
    [stray, 1, 1, 0],
    [good, 1, 0, 0],
  ]);
  assert.deepEqual(
    failures.flatMap((one) => one.failures.map(({ title }) => title)),
    ['bad', 'did not get to its end', 'did not get to its end', 'an error outside its tests'],
  );
});

test('one that never ends, or ends its process, fails alone, and another process runs those after it', async () => {
  const busy = plant('busy', "test('busy', () => { for (;;); });");
  const exits = plant('exits', "test('exits', () => process.exit(3));");
  const [before, good] = [
    plant('earlier', "test('fine', () => say('ran'));"),
    plant('last', "test('fine', () => say('ran'));"),
  ];
  const began = performance.now();
  await counted([before]);
  said();
  // Enough for the good ones on any machine.
  const limit = Math.max(3_000, 10 * (performance.now() - began));
  const { results, failures } = await counted([before, busy, exits, good], limit);
  assert.deepEqual(results, [
    [before, 1, 0, 0],
    [busy, 0, 1, 0],
    [exits, 0, 1, 0],
    [good, 1, 0, 0],
  ]);
  assert.deepEqual(
    failures.flatMap((one) => one.failures.map(({ title, error }) => `${title}: ${error}`)),
    [`never ended: ended after ${Math.round(limit / 1_000)} s`, 'did not get to its end: ended with 3; see its output'],
  );
  assert.equal(new Set(said().map(([pid]) => pid)).size, 2);
});

test('a program left behind fails the group, by name', async () => {
  const leaving = plant(
    'leaving',
    `import { spawn } from 'node:child_process';
     spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true }).unref();
     test('fine', () => {});`,
  );
  const { results, failures } = await counted([leaving]);
  assert.deepEqual(results, [[leaving, 1, 1, 0]]);
  assert.match(failures[0]?.failures[0]?.error ?? '', /setInterval/);
});

test('files of a folder share processes of a minute or more; those that others would notice have their own', () => {
  plant('helper', '\nbefore(() => {}); export const opened = true;');
  const withHelper = (name: string): string =>
    `scripts/../${plant(name, "import { opened } from './helper.test.ts';")}`;
  const seconds: Record<string, number> = {
    // It starts programs.
    'svc-identity/src/appoint-admin.int.test.ts': 30,
    // Their helper opens something for the first file only.
    [withHelper('one')]: 25,
    [withHelper('other')]: 24,
    'svc-clinic/src/profiles/profiles.int.test.ts': 40,
    'svc-clinic/src/looks.int.test.ts': 20,
    'svc-clinic/src/search-keys.int.test.ts': 10,
    'scripts/test/reports.test.ts': 1,
    'scripts/test/repeat.test.ts': 1,
  };
  assert.deepEqual(
    groupFiles(Object.keys(seconds), (file) => seconds[file] ?? 0).map((files) => files.length),
    [2, 1, 1, 1, 1, 2],
  );
});
