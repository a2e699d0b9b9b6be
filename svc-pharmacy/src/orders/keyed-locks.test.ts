import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { KeyedLocks } from './keyed-locks.ts';

/** Work that records its start and ends on demand. */
function startable(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    log.push(`${name} starts`);
    await promise;
    log.push(`${name} ends`);
  };
  return { work, end: resolve };
}

const settle = () => new Promise(setImmediate);

test('work with a common key is serialised, other work runs at once', async () => {
  const locks = new KeyedLocks();
  const log: string[] = [];
  const [one, two, three] = ['one', 'two', 'three'].map((name) => startable(log, name));
  assert.ok(one && two && three);
  const first = locks.take(['a', 'b', 'a'], one.work);
  await settle();
  const all = [first, locks.take(['b', 'c'], two.work), locks.take(['x'], three.work)];
  await settle();
  assert.deepEqual(log.toSorted(), ['one starts', 'three starts']);
  one.end();
  two.end();
  three.end();
  await Promise.all(all);
  assert.deepEqual(
    log.slice(2).filter((line) => !line.startsWith('three')),
    ['one ends', 'two starts', 'two ends'],
  );
});

test('failed work frees the lock', async () => {
  const locks = new KeyedLocks();
  const failing = locks.take(['a'], () => Promise.reject(new Error('out of stock')));
  const next = locks.take(['a'], () => Promise.resolve('served'));
  await assert.rejects(failing, /out of stock/);
  assert.equal(await next, 'served');
});

test('work that has waited too long runs without the lock', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const locks = new KeyedLocks();
  const log: string[] = [];
  const [stuck, next] = ['stuck', 'next'].map((name) => startable(log, name));
  assert.ok(stuck && next);
  next.end();
  const first = locks.take(['a'], stuck.work);
  const second = locks.take(['a'], next.work);
  await settle();
  mock.timers.tick(2_000);
  await second;
  assert.deepEqual(log, ['stuck starts', 'next starts', 'next ends']);
  stuck.end();
  await first;
  mock.timers.reset();
});
