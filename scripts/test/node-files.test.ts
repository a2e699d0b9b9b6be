// Runs that are broken on purpose: they end by themselves, with the right count.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { root } from '../stack/settings.ts';
import { longestFirst } from './durations.ts';
import { idleShare } from './idle-share.ts';
import { nodeFiles } from './node-files.ts';
import { plantIn, plantingFolder } from './planted.ts';

const folder = plantingFolder();
const plant = (name: string, text: string): string =>
  plantIn(folder, name, `import { test } from 'node:test';\nimport { spawn } from 'node:child_process';\n${text}\n`);

const fine = "test('fine', () => {});";
const pidFile = (name: string): string => join(folder, `${name}.pid`);

/** Lines that start a program that doesn't end when asked, and wait until it runs. */
function starting(name: string, options: string): string {
  const program = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000);
    require('node:fs').writeFileSync(${JSON.stringify(pidFile(name))}, String(process.pid));`;
  return `import { existsSync, mkdtempSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    const child = spawn(process.execPath, ['-e', ${JSON.stringify(program)}], ${options});
    while (!existsSync(${JSON.stringify(pidFile(name))})) await new Promise((resolve) => setTimeout(resolve, 20));`;
}

function isRunning(name: string): boolean {
  const pid = readFileSync(pidFile(name), 'utf8');
  try {
    // A zombie has ended, though nobody has asked about it.
    if (process.platform === 'linux') return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('left-'));

describe('a run of files of node:test', () => {
  test('counts and names each failed test, each file that fails before its tests, and what is skipped', async () => {
    const good = plant('good', `${fine}\ntest('later', { skip: true }, () => {});`);
    const bad = plant('bad', `${fine}\ntest('bad', () => { throw new Error('no'); });`);
    const broken = plant('broken', `${fine}\nthrow new Error('broken');`);
    const { count, report } = await nodeFiles([good, bad, broken], { concurrency: 2, limit: 60_000 });
    assert.deepEqual(count, { passed: 2, failed: 2, skipped: 1 });
    assert.deepEqual(report.counts.get(bad), { passed: 1, failed: 1, skipped: 0 });
    assert.deepEqual(
      new Set(report.failures.map(({ file, title, error }) => `${file.endsWith(bad) ? bad : file} ${title}: ${error}`)),
      new Set([`${bad} bad: no`, `${broken} did not get to its end: ended with 7; see its output`]),
    );
  });

  test('a rejection that nothing awaits fails its file, by name', async () => {
    const stray = plant(
      'stray',
      "test('fine', async () => { void Promise.resolve().then(() => { throw new Error('stray'); }); });",
    );
    const { count, report } = await nodeFiles([stray], { concurrency: 1, limit: 60_000 });
    assert.deepEqual(count, { passed: 1, failed: 1, skipped: 0 });
    assert.deepEqual(
      report.failures.map(({ title, error }) => [title, /"Error: (\w+)"/.exec(error)?.[1]]),
      [['an error outside its tests', 'stray']],
    );
  });

  test('what hasn’t ended when the run has to be over is ended and skipped, and nothing else begins', async () => {
    const endless = plant(
      'cut',
      `${starting('cut', "{ stdio: 'ignore' }")}\ntest('busy', () => new Promise(() => {}));`,
    );
    const good = plant('after', fine);
    const endBy = Date.now() + 5_000;
    const run = await nodeFiles([endless, good], { concurrency: 1, endBy, stopWithin: 500 });
    assert.deepEqual(run.count, { passed: 0, failed: 0, skipped: 2 });
    assert.deepEqual([...run.report.counts.keys()], [endless, good]);
    assert.deepEqual(run.report.failures, []);

    const bad = plant(
      'cut-bad',
      "test('bad', () => { throw new Error('no'); });\ntest('busy', () => new Promise(() => {}));",
    );
    const failing = await nodeFiles([bad], { concurrency: 1, endBy: Date.now() + 5_000, stopWithin: 500 });
    assert.equal(failing.count.skipped, 0);
    assert.ok(failing.report.failures.some(({ title, error }) => title === 'bad' && error === 'no'));
  });

  test('a file that never ends is ended with its programs, named and counted, and the others run', async () => {
    const endless = plant('endless', `${starting('endless', "{ stdio: 'ignore', detached: true }")}\n${fine}`);
    const busy = plant('busy', `${fine}\ntest('busy', () => { for (;;); });`);
    const good = plant('good', fine);
    const began = performance.now();
    await nodeFiles([good], { concurrency: 1, limit: 600_000 });
    // A good file beside the others ends in time on any machine.
    const limit = Math.max(5_000, 10 * (performance.now() - began));
    const run = await nodeFiles([endless, busy, good], { concurrency: 3, limit, stopWithin: 500 });
    assert.deepEqual(run.count, { passed: 1, failed: 2, skipped: 0 });
    assert.deepEqual(
      new Set(run.report.failures.map(({ file, title, isFinal }) => `${file} ${title} ${isFinal}`)),
      new Set([`${endless} never ended true`, `${busy} never ended true`]),
    );
    assert.equal(isRunning('endless'), false);
  });

  test('a program that outlives its file is ended, and the file has failed', async () => {
    const leaving = plant(
      'leaving',
      `${starting('leaving', "{ stdio: 'inherit', detached: true }")}\nchild.unref();\n${fine}`,
    );
    const { count, report } = await nodeFiles([leaving], {
      concurrency: 1,
      limit: 60_000,
      grace: 500,
      stopWithin: 500,
    });
    assert.deepEqual(count, { passed: 1, failed: 1, skipped: 0 });
    assert.deepEqual(
      report.failures.map(({ title }) => title),
      ['left processes behind'],
    );
    assert.equal(isRunning('leaving'), false);
  });

  test('while processors are idle, more files run side by side', async () => {
    const names = ['one', 'other'];
    // Each waits for the other to have begun.
    const together = names.map((name, at) =>
      plant(
        name,
        `import { existsSync, writeFileSync } from 'node:fs';
         writeFileSync(${JSON.stringify(pidFile(name))}, '');
         test('meets the other', async () => {
           while (!existsSync(${JSON.stringify(pidFile(names[1 - at] ?? ''))})) await new Promise((resolve) => setTimeout(resolve, 20));
         });`,
      ),
    );
    const run = { concurrency: 1, whileIdle: 1, idleShareOf: () => () => 0.5, limit: 60_000 };
    assert.deepEqual((await nodeFiles(together, run)).count, { passed: 2, failed: 0, skipped: 0 });
  });

  test('a run whose programs can’t be started ends, with the reason', { timeout: 60_000 }, async (t) => {
    const file = plant('unstartable', fine);
    const script = `import { nodeFiles } from ${JSON.stringify(join(import.meta.dirname, 'node-files.ts'))};
      process.execPath = '/nowhere/node';
      await nodeFiles([${JSON.stringify(file)}], { concurrency: 1, limit: 600_000 }).catch(({ code }) => console.log(code));`;
    const runner = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], { cwd: root });
    t.after(() => runner.kill('SIGKILL'));
    let output = '';
    runner.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(runner, 'close')) as [number];
    assert.deepEqual([code, output], [0, 'ENOENT\n']);
  });

  test('a run ends by itself, with its own exit code, although npm listens', { timeout: 60_000 }, async (t) => {
    const file = plant('ending', fine);
    const script = `import { nodeFiles } from ${JSON.stringify(join(import.meta.dirname, 'node-files.ts'))};
      const { count } = await nodeFiles([${JSON.stringify(file)}], { concurrency: 1 });
      process.exitCode = count.failed;`;
    const runner = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    t.after(() => runner.kill('SIGKILL'));
    assert.deepEqual(await once(runner, 'exit'), [0, null]);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    test(`${signal} ends it with all its programs, starts no other, and removes its temporary files`, async () => {
      const temporary = mkdtempSync(join(tmpdir(), 'stopped-run-'));
      const file = plant(
        signal,
        `${starting(signal, "{ stdio: 'ignore', detached: true }")}
         mkdtempSync(tmpdir() + '/left-');
         test('waits', () => new Promise(() => setInterval(() => {}, 1000)));`,
      );
      const started = join(folder, `${signal}-next`);
      const next = plant(`${signal}-next`, `import { writeFileSync } from 'node:fs'; writeFileSync('${started}', '');`);
      const script = `import { nodeFiles } from ${JSON.stringify(join(import.meta.dirname, 'node-files.ts'))};
        const run = { concurrency: 1, stopWithin: 500 };
        try { await nodeFiles([${JSON.stringify(file)}], run); }
        finally { await nodeFiles([${JSON.stringify(next)}], run); }`;
      const runner = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script], {
        cwd: root,
        stdio: 'ignore',
        env: { ...process.env, TMPDIR: temporary },
      });
      const exited = once(runner, 'exit');
      await waitUntil(() => existsSync(pidFile(signal)) && isRunning(signal) && filesIn(temporary).length > 0);
      runner.kill(signal);
      const [code] = (await exited) as [number];
      assert.equal(code, signal === 'SIGINT' ? 130 : 143);
      assert.equal(isRunning(signal), false);
      assert.equal(existsSync(started), false);
      assert.deepEqual(readdirSync(temporary), []);
      rmSync(temporary, { recursive: true });
    });
});

test('the share of idle time is what was idle of all processors since the last question', () => {
  const times = { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 };
  const processors = [{ ...times }, { ...times }];
  const idle = idleShare(() => processors.map((each) => ({ model: '', speed: 0, times: { ...each } })));
  assert.equal(idle(), 0);
  Object.assign(processors[0] ?? {}, { user: 100 });
  Object.assign(processors[1] ?? {}, { user: 50, idle: 50 });
  assert.equal(idle(), 0.25);
  Object.assign(processors[1] ?? {}, { idle: 60 });
  assert.equal(idle(), 1);
});

test('the files that took longest start first, then the largest', () => {
  const [small, large] = [plant('small', ''), plant('large', fine.repeat(20))];
  assert.deepEqual(longestFirst([small, 'b', large, 'a'], { a: 3, b: 7.5 }), ['b', 'a', large, small]);
});
