import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { BackgroundLoop, type BackgroundWork } from './background-loop.ts';

/** A loop, what it logs, and how to stop it. */
function openLoop(task: Pick<BackgroundWork, 'work' | 'every'>) {
  const stop = new AbortController();
  const lines: { readonly msg: string; readonly reason?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  const loop = new BackgroundLoop({ log, stopping: stop.signal }, { what: 'the work', ...task });
  return { loop, lines, stop: () => stop.abort() };
}

const day = 86_400_000;

test('runs again as soon as the work says, and otherwise when it is woken', async () => {
  let runs = 0;
  const { loop, stop } = openLoop({
    every: day,
    work: () => {
      runs += 1;
      if (runs === 3) setImmediate(() => loop.wake());
      if (runs === 4) stop();
      return Promise.resolve(runs < 3 ? 0 : undefined);
    },
  });
  await loop.run();
  assert.equal(runs, 4);
});

test('runs once more if it is woken while it works', async () => {
  let runs = 0;
  const { loop, stop } = openLoop({
    every: day,
    work: () => {
      runs += 1;
      if (runs === 1) loop.wake();
      else stop();
      return Promise.resolve();
    },
  });
  await loop.run();
  assert.equal(runs, 2);
});

test('logs the first failure in a row with its cause, and that the work works again', async () => {
  let runs = 0;
  const { loop, lines, stop } = openLoop({
    every: day,
    work: () => {
      runs += 1;
      if (runs < 3) {
        setImmediate(() => loop.wake());
        throw new Error('fetch failed', { cause: new Error('connection refused') });
      }
      stop();
      return Promise.resolve();
    },
  });
  await loop.run();
  assert.deepEqual(
    lines.map(({ msg, reason }) => [msg, reason]),
    [
      ['the work failed, will retry', 'fetch failed: connection refused'],
      ['the work works again', undefined],
    ],
  );
});
