import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { startService } from '../start-service.ts';
import { startTestIssuer } from './issuer.ts';
import { holdPort } from './hold-port.ts';
import { shopService } from './shop-service.ts';
import { startTogether } from './start-together.ts';
import { startTestDatabase } from './test-database.ts';

test('if one part fails to start, the others are closed once they have started, last first', async () => {
  const closed: string[] = [];
  const slow = Promise.withResolvers<{ close(): void }>();
  const start = async (): Promise<void> => {
    await using begun = new AsyncDisposableStack();
    begun.defer(() => void closed.push('first'));
    const failing = Promise.reject<{ close(): void }>(new Error('port taken'));
    setImmediate(() => slow.resolve({ close: () => void closed.push('slow') }));
    await startTogether(begun, [slow.promise, failing]);
  };
  await assert.rejects(start, /port taken/);
  assert.deepEqual(closed, ['slow', 'first']);
});

test('a service whose port for metrics is taken doesn’t start, and serves nobody', async (t) => {
  await using database = await startTestDatabase();
  const issuer = await startTestIssuer();
  t.after(() => issuer.close());
  const other = createServer().listen(await holdPort(), '127.0.0.1');
  await once(other, 'listening');
  t.after(() => other.close());
  const address = other.address();
  assert.ok(typeof address === 'object' && address);
  const port = await holdPort();
  const starting = startService(shopService, {
    env: {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      PORT: String(port),
      METRICS_PORT: String(address.port),
      MONGODB_URI: database.uri,
      MONGODB_DATABASE: database.newName(),
      IDENTITY_URL: issuer.url,
    },
  });
  await assert.rejects(starting, { code: 'EADDRINUSE' });
  await assert.rejects(fetch(`http://127.0.0.1:${port}/health/live`), TypeError);
});
