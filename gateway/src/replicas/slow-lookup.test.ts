import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { pino } from 'pino';
import { ReplicaSet } from './replica-set.ts';

test('a name that does not answer delays no other one, and polls for three seconds only', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const slow = Promise.withResolvers<string[]>();
  const resolve = mock.fn((host: string) => (host === 'slow' ? slow.promise : Promise.resolve(['127.0.0.1'])));
  const end = new AbortController();
  t.after(() => end.abort());
  const replicas = new ReplicaSet(
    { log: pino({ level: 'silent' }), pollEveryMs: 3_600_000, resolve, ended: end.signal },
    { name: 'clinic', urls: ['http://slow:1', 'http://quick:1'] },
  );
  t.after(() => replicas.destroy());
  const names = (): string[] => replicas.all.map(({ name }) => name);
  const polled = replicas.poll();
  await new Promise(setImmediate);
  assert.deepEqual(names(), ['quick:1 (127.0.0.1)']);
  t.mock.timers.tick(3000);
  await polled;
  await replicas.poll();
  assert.deepEqual(resolve.mock.calls.map(({ arguments: [host] }) => host).toSorted(), ['quick', 'quick', 'slow']);
  slow.resolve(['127.0.0.2']);
  await new Promise(setImmediate);
  assert.deepEqual(names(), ['quick:1 (127.0.0.1)', 'slow:1 (127.0.0.2)']);
});
