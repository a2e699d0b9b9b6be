import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { pino } from 'pino';
import { ReplicaSet } from './replica-set.ts';

test('a name that does not answer delays no other one, and polls for three seconds only', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const slow = Promise.withResolvers<string[]>();
  const resolve = mock.fn((host: string) => (host === 'slow' ? slow.promise : Promise.resolve(['192.0.2.1'])));
  const replicas = new ReplicaSet({
    name: 'clinic',
    urls: ['http://slow:4002', 'http://quick:4002'],
    log: pino({ level: 'silent' }),
    pollReadiness: false,
    everyMs: 1000,
    resolve,
  });
  t.after(() => replicas.destroy());
  const names = (): string[] => replicas.all.map(({ name }) => name);
  const polled = replicas.poll();
  await new Promise(setImmediate);
  assert.deepEqual(names(), ['quick:4002 (192.0.2.1)']);
  t.mock.timers.tick(3000);
  await polled;
  await replicas.poll();
  assert.deepEqual(resolve.mock.calls.map(({ arguments: [host] }) => host).toSorted(), ['quick', 'quick', 'slow']);
  slow.resolve(['192.0.2.2']);
  await new Promise(setImmediate);
  assert.deepEqual(names(), ['quick:4002 (192.0.2.1)', 'slow:4002 (192.0.2.2)']);
});
