import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { UserQueues } from './user-concurrency.ts';
import { ProblemError } from './problem-error.ts';

test('runs eight changes of a user at once, queues the others in order, and nobody else waits', async () => {
  const queues = new UserQueues();
  const running: (() => void)[] = [];
  const begun: number[] = [];
  const work = (number: number) => () => {
    begun.push(number);
    return new Promise<number>((resolve) => running.push(() => resolve(number)));
  };
  const all = Array.from({ length: 12 }, (_, number) => queues.run('ann', work(number)));
  await setImmediate();
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(await queues.run('bo', () => Promise.resolve('bo')), 'bo');
  for (let done = 0; done < 12; done += 1) {
    running[done]?.();
    assert.equal(await all[done], done);
    await setImmediate();
  }
  assert.deepEqual(
    begun,
    Array.from({ length: 12 }, (_, number) => number),
  );
});

test('a failed change frees its place', async () => {
  const queues = new UserQueues();
  const failing = Array.from({ length: 20 }, () => queues.run('ann', () => Promise.reject(new Error('no'))));
  assert.deepEqual(
    (await Promise.allSettled(failing)).map(({ status }) => status),
    Array.from({ length: 20 }, () => 'rejected'),
  );
  assert.equal(await queues.run('ann', () => Promise.resolve(1)), 1);
});

test('changes beyond the queue limit are rejected at once', async () => {
  const queues = new UserQueues();
  const held = Promise.withResolvers<string>();
  const taken = Array.from({ length: 208 }, () => queues.run('ann', () => held.promise));
  await assert.rejects(
    queues.run('ann', () => Promise.resolve('')),
    (error) => error instanceof ProblemError && error.code === 'rate_limited',
  );
  held.resolve('done');
  assert.deepEqual([...new Set(await Promise.all(taken))], ['done']);
});
