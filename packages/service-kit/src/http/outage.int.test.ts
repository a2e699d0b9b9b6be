import { programEnv } from '../testing/program-env.ts';
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { test, type TestContext } from 'node:test';
import { startServer } from '@clinic/mongo-embedded';
import { holdPort } from '../testing/hold-port.ts';
import { startTestIssuer, startTestService } from '../testing/index.ts';
import { shopService } from '../testing/shop-service.ts';
import { waitUntil } from '../testing/wait-until.ts';

const main = fileURLToPath(new URL('../testing/shop-main.ts', import.meta.url));

const run = (t: TestContext, env: Record<string, string>) => {
  const child = spawn(process.execPath, [main], {
    env: programEnv(env),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // After a failed test, don't keep the process waiting for this one.
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  const waiting = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    waiting.forEach((check) => check());
  });
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const printed = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const line = output.split('\n').find((text) => pattern.test(text));
        if (line === undefined) return;
        waiting.delete(check);
        resolve(line);
      };
      waiting.add(check);
      void ended.then(() => reject(new Error(`ended before it printed ${pattern}: ${output}${errors}`)));
      check();
    });
  return { child, ended, printed, errors: () => errors };
};

test(
  'responds with 503 while the database is unavailable, and recovers automatically',
  { timeout: 60_000 },
  async () => {
    const port = await holdPort();
    const first = await startServer({ port });
    await using service = await startTestService(shopService, { mongoUri: first.uri });
    assert.equal((await service.anonymous('/medicine')).status, 200);
    await first.close();
    const down = await service.anonymous('/medicine');
    assert.equal(down.status, 503);
    assert.ok(Number(down.headers.get('retry-after')) > 0);
    assert.equal(((await down.json()) as { code: string }).code, 'unavailable');
    const ready = await service.anonymous('/health/ready');
    assert.equal(ready.status, 503);
    assert.match(((await ready.json()) as { checks: { database: string } }).checks.database, /^does not answer/);
    assert.equal((await service.anonymous('/health/live')).status, 200);
    const second = await startServer({ port });
    await waitUntil(async () => (await service.anonymous('/medicine')).status === 200);
    await second.close();
  },
);

test('names the invalid setting in one line, and exits', { timeout: 60_000 }, async (t) => {
  const service = run(t, { PORT: '0', MONGODB_URI: 'mongodb://127.0.0.1:1', MONGODB_DATABASE: 'x' });
  assert.equal(await service.ended, 1);
  assert.equal(
    service.errors(),
    'svc-pharmacy: IDENTITY_URL is not set: it must be an http or https address, for example IDENTITY_URL=http://127.0.0.1:4001\n',
  );
});

const waysToStop: Record<string, (child: ChildProcess) => unknown> = {
  SIGTERM: (child) => child.kill('SIGTERM'),
  'the death of its parent': (child) => child.disconnect(),
};
for (const [how, stop] of Object.entries(waysToStop)) {
  test(`waits for the database at start, and stops cleanly on ${how}`, { timeout: 60_000 }, async (t) => {
    const issuer = await startTestIssuer();
    t.after(() => issuer.close());
    const port = await holdPort();
    const service = run(t, {
      PORT: '0',
      IDENTITY_URL: issuer.url,
      MONGODB_URI: `mongodb://127.0.0.1:${port}`,
      MONGODB_DATABASE: 'late',
    });
    await service.printed(/database not responding yet/);
    const engine = await startServer({ port });
    t.after(() => engine.close());
    const { url } = JSON.parse(await service.printed(/"msg":"listening"/)) as { url: string };
    assert.equal((await fetch(`${url}/medicine`)).status, 200);
    stop(service.child);
    assert.equal(await service.ended, 0, service.errors());
  });
}
