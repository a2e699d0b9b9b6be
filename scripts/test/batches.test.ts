import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { inBatches, progressVariable } from './batches.ts';
import { startGroup } from './process-group.ts';

/** Stands in for a runner: runs its files one after the other; `endless` never ends, `dying` ends the program, `dead` before it begins. */
const program = `
  const { appendFileSync } = require('node:fs');
  const write = (line) => appendFileSync(process.env[${JSON.stringify(progressVariable)}], JSON.stringify(line) + '\\n');
  const [browsers, ...files] = process.argv.slice(1);
  const names = files.flatMap((file) => browsers.split(',').map((browser) => browser === '' ? file : file + '\\t' + browser));
  if (browsers !== '') write({ planned: names });
  const run = (name) => {
    if (name === 'silent') return false;
    if (name === 'dead') process.exit(3);
    write({ begun: name });
    if (name.startsWith('endless')) return false;
    if (name === 'dying') process.exit(3);
    write({ result: name });
    write({ ended: name });
    return true;
  };
  if (!names.every(run)) setInterval(() => {}, 1_000);`;

/** Milliseconds in which this machine, however busy, starts a program ten times. */
const tenStarts = 10 * timeOf(() => execFileSync(process.execPath, ['-e', '0']));

function timeOf(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function run(files: readonly string[], browsers = '') {
  const started: (readonly string[])[] = [];
  const batches = inBatches<string>(files, {
    limit: Math.max(1_000, tenStarts),
    quiet: Math.max(3_000, 3 * tenStarts),
    start(left, env) {
      started.push(left);
      return startGroup(process.execPath, ['-e', program, browsers, ...left], { env, stopWithin: 500 });
    },
  });
  return { batches, started };
}

test('a file that never ends is ended and named, and another program runs what is left', async () => {
  const { batches, started } = run(['a', 'endless 1', 'b', 'endless 2', 'c']);
  const { results, troubles, ok } = await batches;
  assert.deepEqual(results, ['a', 'b', 'c']);
  assert.deepEqual(
    troubles.map(({ file, title, isFinal }) => [file, title, isFinal]),
    [
      ['endless 1', 'never ended', true],
      ['endless 2', 'never ended', true],
    ],
  );
  assert.deepEqual(started.slice(1), [['b', 'endless 2', 'c'], ['c']]);
  assert.equal(ok, true);
});

test('a file that runs in several browsers has ended once it has in all of them', async () => {
  const { batches, started } = run(['a', 'endless', 'b'], 'one,two');
  assert.deepEqual((await batches).results, ['a\tone', 'a\ttwo', 'b\tone', 'b\ttwo']);
  assert.deepEqual(started, [['a', 'endless', 'b'], ['b']]);
});

test('a file that ends its program is named, and another program runs what is left', async () => {
  const { batches, started } = run(['a', 'dying', 'b']);
  const { results, troubles, ok } = await batches;
  assert.deepEqual([results, ok], [['a', 'b'], true]);
  assert.deepEqual(
    troubles.map(({ file, title, error }) => [file, title, error]),
    [['dying', 'did not get to its end', 'its program ended with 3; see its output']],
  );
  assert.deepEqual(started.slice(1), [['b']]);
});

test('a program that fails before its first file, or does nothing at all, ends the run', async () => {
  const dead = await run(['dead', 'b']).batches;
  assert.deepEqual([dead.results, dead.troubles, dead.ok], [[], [], false]);
  const silent = await run(['silent', 'b']).batches;
  assert.deepEqual(
    silent.troubles.map(({ title }) => title),
    ['the tests stood still'],
  );
});
