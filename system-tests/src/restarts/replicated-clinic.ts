import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allOrFirstError, startTogether } from '@clinic/service-kit/testing/start-together';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { MongoClient } from 'mongodb';
import { startAuthEmulator } from '@clinic/auth-emulator';
import { startServer } from '@clinic/mongo-embedded';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
import { idTokenOf } from '../support/id-token.ts';
import { startProgram, type LogLine, type RunningProgram } from './program.ts';
import type { ServiceName } from '../support/every-call.ts';

const names = ['identity', 'clinic', 'pharmacy'] as const satisfies readonly ServiceName[];

/** Milliseconds until a program must be ready, on a busy machine. */
export const readyWithin = 240_000;

/** One of the identical processes of a service. */
interface ReplicaProcess {
  readonly service: ServiceName;
  readonly port: number;
  running: RunningProgram;
}

/** The demo clinic as in production: a gateway in front of two real processes of each service. */
export interface ReplicatedClinic {
  readonly url: string;
  readonly gateway: RunningProgram;
  readonly replicas: readonly ReplicaProcess[];
  /** Signs in through the gateway with the demo password. @returns a fetch with that session */
  signIn(email: string): Promise<TestFetch>;
  /**
   * Kills a replica, like a crash, and ends the transactions it leaves open in the database, which would block others
   * for a while.
   */
  kill(replica: ReplicaProcess): Promise<void>;
  /** Restarts a stopped replica on its port, and waits until the gateway sends it requests again. */
  startAgain(replica: ReplicaProcess): Promise<void>;
  /** Requests that the gateway has sent to a replica so far. */
  requestsTo(replica: ReplicaProcess, log?: readonly LogLine[]): number;
  close(): Promise<void>;
}

/** @param gatewayEnv - further settings of the gateway */
export async function startReplicatedClinic(
  gatewayEnv: Readonly<Record<string, string>> = {},
): Promise<ReplicatedClinic> {
  // Stops what has begun if a later part fails to start.
  await using begun = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'replicated-clinic-'));
  begun.defer(() => rm(folder, { recursive: true }));
  const projectId = 'demo-replicated';
  const [engine, emulator] = await startTogether(begun, [
    startServer({ port: 0 }),
    startAuthEmulator({ port: 0, projectId, warm: false }),
  ]);
  const database = begun.adopt(new MongoClient(engine.uri), (client) => client.close());
  const pair = async (): Promise<number[]> => [await holdPort(), await holdPort()];
  const ports = { identity: await pair(), clinic: await pair(), pharmacy: await pair() };
  const addressesOf = (name: ServiceName): string => ports[name].map((port) => `http://127.0.0.1:${port}`).join('|');

  const start = (service: ServiceName, port: number): Promise<RunningProgram> =>
    startReplica(service, port, engine.uri, addressesOf('identity'), {
      FIREBASE_PROJECT_ID: projectId,
      FIREBASE_AUTH_EMULATOR_HOST: new URL(emulator.url).host,
      SESSION_KEY_FILE: join(folder, 'key.pem'),
      ACCESS_TOKEN_SECONDS: '600',
    });
  const replicas: ReplicaProcess[] = [];
  begun.defer(async () => void (await Promise.all(replicas.map(({ running }) => running.stop()))));
  await startAll(ports, start, replicas);

  const [gatewayPort, metricsPort] = [await holdPort(), await holdPort()];
  const gateway = await startGateway(gatewayPort, metricsPort, addressesOf, emulator.url, gatewayEnv);
  begun.defer(async () => void (await gateway.stop()));
  const url = `http://127.0.0.1:${gatewayPort}`;
  const isReady = async (port: number): Promise<boolean> => (await readyReplicas(metricsPort)).has(port);
  await Promise.all(replicas.map(({ port }) => waitUntil(() => isReady(port), readyWithin)));

  const running = begun.move();
  return {
    url,
    gateway,
    replicas,
    signIn: (email) => signIn(url, emulator.url, email),
    async kill(replica) {
      await replica.running.kill();
      await database.db('admin').command({ killAllSessions: [] });
    },
    async startAgain(replica) {
      replica.running = await start(replica.service, replica.port);
      await waitUntil(() => isReady(replica.port), readyWithin);
    },
    requestsTo: ({ port }, log = gateway.log) => log.filter((line) => line['replica'] === `127.0.0.1:${port}`).length,
    close: () => running.disposeAsync(),
  };
}

/** Starts all replicas, and waits until they are ready. @param replicas - gets each as soon as it listens */
async function startAll(
  ports: Readonly<Record<(typeof names)[number], readonly number[]>>,
  start: (service: ServiceName, port: number) => Promise<RunningProgram>,
  replicas: ReplicaProcess[],
): Promise<void> {
  // Identity first: the others are ready once they follow its feed.
  for (const service of names)
    await allOrFirstError(
      ports[service].map(async (port) => void replicas.push({ service, port, running: await start(service, port) })),
    );
  await Promise.all(
    replicas.map(({ port }) =>
      waitUntil(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok, readyWithin),
    ),
  );
}

/**
 * Starts a service as its own process.
 *
 * @param identityUrls - addresses of svc-identity, separated by `|`
 * @param identityEnv - further settings of identity
 * @param from - the repository, or another folder with the services
 */
export function startReplica(
  service: ServiceName,
  port: number,
  mongodbUri: string,
  identityUrls: string,
  identityEnv: Readonly<Record<string, string>>,
  from = '',
): Promise<RunningProgram> {
  return startProgram(join(from, `svc-${service}`), {
    NODE_ENV: 'test',
    DEMO_MODE: 'true',
    LOG_LEVEL: 'info',
    PORT: String(port),
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE: service,
    IDENTITY_URL: identityUrls,
    ...(service === 'identity' && identityEnv),
  });
}

/** Signs in through a gateway with the demo password. @returns a fetch with that session */
export async function signIn(url: string, emulatorUrl: string, email: string): Promise<TestFetch> {
  const idToken = await idTokenOf(emulatorUrl, email);
  const answer = await testFetch(url)('/jwt', {
    method: 'POST',
    json: { email },
    headers: { Authorization: `Bearer ${idToken}` },
  });
  if (answer.status !== 200) throw new Error(`signing in ${email} answered ${answer.status}: ${await answer.text()}`);
  return testFetch(url, {
    Cookie: answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  });
}

/** Starts a gateway without front-ends. @param addressesOf - a service's addresses, separated by `|` */
export function startGateway(
  port: number,
  metricsPort: number,
  addressesOf: (name: ServiceName) => string,
  emulatorUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningProgram> {
  return startProgram('gateway', {
    NODE_ENV: 'test',
    DEMO_MODE: 'true',
    LOG_LEVEL: 'info',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    SERVICES: names.map((name) => `${name}=${addressesOf(name)}`).join(),
    // This test loads no pages.
    SHELL_URL: 'http://127.0.0.1:9',
    REMOTES: 'mf-public=http://127.0.0.1:9',
    AUTH_EMULATOR_URL: emulatorUrl,
    ...env,
  });
}

/** Ports of the replicas, on this machine, to which a gateway sends requests. */
export async function readyReplicas(metricsPort: number): Promise<ReadonlySet<number>> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const ready = metrics.matchAll(/^gateway_replica_ready\{[^}]*replica="127\.0\.0\.1:(\d+)"[^}]*\} 1$/gm);
  return new Set([...ready].map(([, port]) => Number(port)));
}
