import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startAuthEmulator, type AuthEmulator } from '@clinic/auth-emulator';
import { demoAccounts } from '@clinic/demo-data';
import { startServer, type RunningServer } from '@clinic/mongo-embedded';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { linkLibraries } from '../../../e2e/src/support/copy-repository.ts';
import { openLoadRequests } from '../restarts/load-requests.ts';
import { describeFailure, startLoad } from '../restarts/load.ts';
import type { RunningProgram } from '../restarts/program.ts';
import { readyReplicas, readyWithin, signIn, startGateway, startReplica } from '../restarts/replicated-clinic.ts';
import type { ServiceName } from '../support/every-call.ts';

// Replaces the previous release's services, as `npm run release:freeze` stores them, by today's, one after the other, on
// data of release 0.1.0. The previous ones run with today's libraries.

const fixtures = join(import.meta.dirname, '..', '..', 'fixtures');
const projectId = 'demo-clinic';
/** Identity last, as docs/operations.md says. */
const names = ['clinic', 'pharmacy', 'identity'] as const satisfies readonly ServiceName[];

let folder: string;
let engine: RunningServer;
let emulator: AuthEmulator;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rolling-upgrade-'));
  const unpack = async (archive: string, to: string): Promise<void> => {
    await mkdir(join(folder, to));
    await promisify(execFile)('tar', ['-xzf', join(fixtures, archive), '-C', join(folder, to)]);
  };
  await Promise.all([unpack('data-0.1.0.tgz', 'data'), unpack('services.tgz', 'release')]);
  await linkLibraries(join(folder, 'release'));
  [engine, emulator] = await Promise.all([
    startServer({ port: 0, dataDir: join(folder, 'data', 'mongo') }),
    startAuthEmulator({ port: 0, projectId, warm: false, dataFile: join(folder, 'data', 'auth', `${projectId}.json`) }),
  ]);
});
after(async () => {
  await Promise.all([engine.close(), emulator.close()]);
  await rm(folder, { recursive: true });
});

test('services of the previous release are replaced under load without a failed request', async (t) => {
  const pair = async () => ({ old: await holdPort(), new: await holdPort() });
  const ports = { identity: await pair(), clinic: await pair(), pharmacy: await pair() };
  const addressesOf = (name: ServiceName): string =>
    [ports[name].old, ports[name].new].map((port) => `http://127.0.0.1:${port}`).join('|');
  const identityEnv = {
    FIREBASE_PROJECT_ID: projectId,
    FIREBASE_AUTH_EMULATOR_HOST: new URL(emulator.url).host,
    SESSION_KEY_FILE: join(folder, 'key.pem'),
    ACCESS_TOKEN_SECONDS: '600',
  };
  const running = new Map<string, RunningProgram>();
  t.after(() => Promise.all([...running.values()].map((program) => program.stop())));
  const start = async (name: ServiceName, version: 'old' | 'new'): Promise<void> => {
    const from = version === 'old' ? join(folder, 'release') : '';
    const program = await startReplica(
      name,
      ports[name][version],
      engine.uri,
      addressesOf('identity'),
      identityEnv,
      from,
    );
    running.set(`${version} ${name}`, program);
  };
  for (const name of names.toReversed()) await start(name, 'old');
  const [gatewayPort, metricsPort] = [await holdPort(), await holdPort()];
  running.set('gateway', await startGateway(gatewayPort, metricsPort, addressesOf, emulator.url));
  const isReady = (port: number): Promise<unknown> =>
    waitUntil(async () => (await readyReplicas(metricsPort)).has(port), readyWithin);
  for (const name of names) await isReady(ports[name].old);
  const url = `http://127.0.0.1:${gatewayPort}`;
  const { requests, stock } = await openLoadRequests((email) => signIn(url, emulator.url, email));
  const stockBefore = await stock();

  await using load = startLoad(requests);
  for (const name of names) {
    await start(name, 'new');
    await isReady(ports[name].new);
    const old = running.get(`old ${name}`) ?? assert.fail(name);
    running.delete(`old ${name}`);
    assert.equal(await old.stop(), 0, `${name}: ${old.errors()}`);
  }
  // By now every visitor has used only the new services.
  const answered = new Map(load.answered);
  await waitUntil(
    () =>
      load.failures.length > 0 ||
      requests.every(({ name }) => (load.answered.get(name) ?? 0) > (answered.get(name) ?? 0)),
    readyWithin,
  );
  await load.end();

  assert.deepEqual(load.failures.map(describeFailure), []);
  assert.equal(await stock(), stockBefore + (load.answered.get('restock') ?? 0), 'units in stock');
  const admin = await signIn(url, emulator.url, demoAccounts.admin);
  assert.equal(((await (await admin('/appoinments')).json()) as unknown[]).length, 43);
  t.diagnostic(`${[...load.answered.values()].reduce((sum, count) => sum + count, 0)} requests meanwhile, none failed`);
});
