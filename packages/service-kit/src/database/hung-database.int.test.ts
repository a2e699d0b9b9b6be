import { programEnv } from '../testing/program-env.ts';
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { after, afterEach, before, test } from 'node:test';
import { MongoServerError } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { orderBody, shopService, type ShopSettings } from '../testing/shop-service.ts';
import { startTestService, type TestService } from '../testing/index.ts';
import { waitUntil } from '../testing/wait-until.ts';

const main = fileURLToPath(new URL('../../../../stand-ins/mongo-embedded/src/main.ts', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'clinic-hung-'));

let engine: ChildProcess;
let mongoUri: string | undefined;
let shop: TestService<ShopSettings>;
before(async () => {
  engine = spawn(process.execPath, [main], {
    env: programEnv({ MONGO_EMBEDDED_DATA_DIR: dataDir, MONGO_EMBEDDED_PORT: '0' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.ok(engine.stdout);
  for await (const line of createInterface(engine.stdout)) {
    mongoUri = (JSON.parse(line) as { uri?: string }).uri;
    if (mongoUri !== undefined) break;
  }
  assert.ok(mongoUri);
  shop = await startTestService(shopService, { mongoUri });
});
// A failed test must not leave the engine stopped for the next one.
afterEach(() => {
  engine.kill('SIGCONT');
});
after(async () => {
  await shop.close();
  engine.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

async function read(request: Promise<Response>): Promise<{ readonly status: number; readonly body: string }> {
  const response = await request;
  return { status: response.status, body: await response.text() };
}

test('every call ends while the database hangs, and works again afterwards', { timeout: 120_000 }, async () => {
  const customer = shop.as('patient');
  const order = (key: string) =>
    customer('/orderMedi', {
      method: 'POST',
      json: orderBody('patient@clinic.example'),
      headers: { 'Idempotency-Key': key },
    });
  assert.equal((await order('before')).status, 201);

  engine.kill('SIGSTOP');
  const [ready, ...others] = await Promise.all([
    read(shop.anonymous('/health/ready')),
    read(order('during')),
    // More requests than there are connections.
    ...Array.from({ length: 60 }, () => read(shop.anonymous('/medicine?limit=5'))),
  ]);
  assert.equal(ready.status, 503);
  assert.match(ready.body, /does not answer/);
  for (const { status, body } of others) {
    assert.equal(status, 503, body);
    assert.equal((JSON.parse(body) as { code: string }).code, 'unavailable');
  }
  // Once the driver has noticed.
  assert.equal((await shop.anonymous('/medicine?limit=5')).status, 503);

  engine.kill('SIGCONT');
  await waitUntil(async () => (await shop.anonymous('/health/ready')).status === 200);
  assert.equal((await order('during')).status, 201);
  assert.equal((await shop.anonymous('/medicine?limit=5')).status, 200);
  assert.equal(await shop.db.collection('orders').countDocuments(), 2, 'the repeated order was placed once');
});

test('a service that starts while the database hangs starts when it is back', { timeout: 120_000 }, async () => {
  assert.ok(mongoUri);
  let tries = 0;
  const definition = {
    ...shopService,
    onStart: async (context: Parameters<NonNullable<typeof shopService.onStart>>[0]): Promise<void> => {
      tries += 1;
      // The database hangs from here on, until the service has noticed.
      if (tries === 1) engine.kill('SIGSTOP');
      await shopService.onStart?.(context);
      await context.db.collection('starts').insertOne({ tries });
    },
  };
  await using second = await startTestService(definition, {
    mongoUri,
    onLog: (line) => {
      if (line.includes('will start again')) engine.kill('SIGCONT');
    },
  });
  assert.ok(tries > 1);
  assert.equal((await second.anonymous('/health/ready')).status, 200);
  // The first attempt's may exist, too: the database ran it once it continued.
  assert.equal(await second.context.db.collection('starts').countDocuments({ tries }), 1);
});

test('a service whose transactions at the start meet a busy database starts when it is free', async (t) => {
  assert.ok(mongoUri);
  const log: string[] = [];
  /** Writes once it is free, for which its first transaction waits in vain. */
  const writer = (_id: string) => {
    let isBusy = true;
    return async (context: ServiceContext): Promise<void> =>
      context.inTransaction(async (session) => {
        if (isBusy) {
          isBusy = false;
          t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 11_000 });
          throw new MongoServerError({ message: 'write conflict', errorLabels: ['TransientTransactionError'] });
        }
        t.mock.timers.reset();
        await context.db.collection<{ _id: string }>('busyStarts').insertOne({ _id }, { session });
      });
  };
  const onStart = writer('start-up work');
  const definition = {
    ...shopService,
    schemaChanges: [{ number: 1, name: 'busy', up: writer('schema change') }],
    onStart: async (context: Parameters<NonNullable<typeof shopService.onStart>>[0]): Promise<void> => {
      await shopService.onStart?.(context);
      await onStart(context);
    },
  };
  await using busy = await startTestService(definition, { mongoUri, onLog: (line) => log.push(line) });
  assert.equal(log.filter((line) => line.includes('will start again')).length, 2, log.join('\n'));
  assert.equal(await busy.context.db.collection('busyStarts').countDocuments(), 2);
});
