import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { MongoClient, type Db } from 'mongodb';
import type { DestinationStream } from 'pino';
import { startAuthEmulator } from '@clinic/auth-emulator';
import type { Right, Role } from '@clinic/contracts';
import { demoAccounts, demoDoctors, demoPatients } from '@clinic/demo-data';
import { startServer } from '@clinic/mongo-embedded';
import { audiencesHeader, startService } from '@clinic/service-kit';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { startTogether } from '@clinic/service-kit/testing/start-together';
import { clinicService } from '../../../svc-clinic/src/service.ts';
import { identityService } from '../../../svc-identity/src/service.ts';
import { loadSigningKey, type SigningKey } from '../../../svc-identity/src/sessions/signing-key.ts';
import { messagesService } from '../../../svc-messages/src/service.ts';
import { pharmacyService } from '../../../svc-pharmacy/src/service.ts';
import type { TestedService, ServiceName } from './every-call.ts';
import { idTokenOf } from './id-token.ts';
import { commonEnv, identityEnv } from './service-env.ts';

/** Somebody in the demo clinic. */
export interface Person {
  readonly email: string;
  readonly role: Role;
  /** Beside the role. */
  readonly rights?: readonly Right[];
}

const second = <T>(list: readonly T[]): T => list[1] ?? list[0] ?? fail('the demo clinic has too few people');

/** The people in the tests: one of each role, and a second one of roles whose people have their own records. */
export const people = {
  patient: { email: demoAccounts.patient, role: 'patient' },
  otherPatient: { email: second(demoPatients).email, role: 'patient' },
  doctor: { email: demoAccounts.doctor, role: 'doctor' },
  otherDoctor: { email: second(demoDoctors).email, role: 'doctor' },
  pharmacist: { email: demoAccounts.pharmacist, role: 'pharmacist' },
  admin: { email: demoAccounts.admin, role: 'admin' },
} as const satisfies Record<string, Person>;

/** Patients for tests that change or delete people; none of the `people`. */
export const bystanders = demoPatients.slice(2).map(({ email }) => email);

/** The three real services of the demo clinic on one embedded database, each with its own database. */
export interface ThreeServices {
  readonly urls: Readonly<Record<ServiceName, string>> & { readonly messages?: string };
  /** Address of the Auth emulator. */
  readonly emulatorUrl: string;
  /** Address of the database of all three. */
  readonly mongodbUri: string;
  readonly databases: Readonly<Record<TestedService, Db>>;
  /** The key that identity signs session tokens with. */
  readonly key: SigningKey;
  /** Signs in with the demo password, as a browser does. @returns the `Cookie` header */
  signIn(email: string, password?: string): Promise<string>;
  /** A proof for identity, from the emulator. */
  idToken(email: string, password?: string): Promise<string>;
  /** Requests to the service from a page of the same site, with these cookies. */
  from(cookie: string): (service: TestedService) => TestFetch;
  /** Waits until a running service has done in the background what follows from the calls so far. */
  rest(service: TestedService): Promise<void>;
  /** All data of a service at rest that {@link isCompared}. */
  dump(service: TestedService): Promise<string>;
  stopIdentity(): Promise<void>;
  /** Restarts identity at its address. */
  restartIdentity(): Promise<void>;
  stop(service: TestedService): Promise<void>;
  /** Starts a stopped service again, at its address. */
  start(service: TestedService): Promise<void>;
  close(): Promise<void>;
}

/** A started service. */
interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** A test's options for the services. */
export interface ThreeServicesOptions {
  /** Extra settings of all three. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where their logs go; if set, they log everything. */
  readonly logTo?: DestinationStream;
  /**
   * Where to keep databases (`mongo`) and accounts (`auth`) beyond the test's end; otherwise they are deleted with it.
   */
  readonly dataDir?: string;
  /** Firebase project whose accounts are in `dataDir`. */
  readonly projectId?: string;
  /** How long the database keeps its answers to writes, milliseconds. */
  readonly keepAnswersMs?: number;
  /**
   * Starts svc-messages, too: `sending`, or `idle`, which takes nothing from the outboxes, so that the data of the
   * three stays as it is.
   */
  readonly messages?: 'idle' | 'sending';
}

/** Queries that answer requests without an index, with the reasons. All others are refused. */
const scansAllowed = {
  'users by email, _id': 'MongoDB joins two indexes for the holders of an address; the embedded database cannot',
  'sessions by refreshHash, nextHash': 'the same for the session of a refresh id',
};

/** Starts emulator, database and the three services, with the demo's people and records. */
export async function startThreeServices({
  env = {},
  logTo,
  dataDir,
  projectId = 'demo-three-services',
  keepAnswersMs,
  messages: withMessages,
}: ThreeServicesOptions = {}): Promise<ThreeServices> {
  // Stops what has begun if a later part fails to start.
  await using begun = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'three-services-'));
  begun.defer(() => rm(folder, { recursive: true }));
  const { engine, emulator } = await startStores(begun, dataDir, projectId, keepAnswersMs);
  const keyFile = join(folder, 'key.pem');
  const key = await loadSigningKey(keyFile, true);
  const common = commonEnv(engine.uri, logTo, env);
  const running = new Map<TestedService, Running>();
  const stop = async (service: TestedService): Promise<void> => {
    await running.get(service)?.close();
    running.delete(service);
  };
  begun.defer(async () => {
    await stop('messages');
    await Promise.all([stop('clinic'), stop('pharmacy')]);
    await stop('identity');
  });
  // Each keeps its address when it is started again.
  const [identityPort, clinicPort, pharmacyPort, messagesPort] = await Promise.all([
    holdPort(),
    holdPort(),
    holdPort(),
    holdPort(),
  ]);
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  const three = { identity: at(identityPort), clinic: at(clinicPort), pharmacy: at(pharmacyPort) };
  const others = { ...common, IDENTITY_URL: three.identity };
  const launch: Readonly<Record<TestedService, () => Promise<Running>>> = {
    identity: () =>
      startService(identityService, {
        env: { ...common, ...identityEnv(projectId, emulator.url, keyFile), PORT: String(identityPort), ...env },
        logTo,
      }),
    clinic: () =>
      startService(clinicService, {
        env: { ...others, PORT: String(clinicPort), MONGODB_DATABASE: 'clinic' },
        logTo,
      }),
    pharmacy: () =>
      startService(pharmacyService, {
        env: { ...others, PORT: String(pharmacyPort), MONGODB_DATABASE: 'pharmacy' },
        logTo,
      }),
    messages: () =>
      startMessages(withMessages === 'sending' ? three : nobody, { ...others, PORT: String(messagesPort) }, logTo),
  };
  const start = async (service: TestedService): Promise<void> => {
    running.set(service, await launch[service]());
  };
  await start('identity');
  // Whatever has started by then is stopped, if another can't.
  const results = await Promise.allSettled([start('clinic'), start('pharmacy')]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  if (withMessages) await start('messages');
  const urls = { ...three, ...(withMessages && { messages: at(messagesPort) }) };
  // The services' own close when they stop.
  const client = new MongoClient(engine.uri);
  begun.defer(() => client.close());
  const databases = databasesOf(client);
  await Promise.all([...running.values()].map(({ url }) => feedIsLive(url)));
  const all = begun.move();
  const rest = async (service: TestedService): Promise<void> => {
    if (running.has(service)) await isAtRest(databases, service);
  };
  const idToken = (email: string, password?: string): Promise<string> => idTokenOf(emulator.url, email, password);
  return {
    urls,
    emulatorUrl: emulator.url,
    mongodbUri: engine.uri,
    databases,
    key,
    idToken,
    signIn: async (email, password) => signIn(urls, email, await idToken(email, password)),
    from: (cookie) => (service) =>
      testFetch(urls[service] ?? fail(`${service} isn’t running`), cookie === '' ? {} : { Cookie: cookie }),
    rest,
    dump: async (service) => {
      await rest(service);
      return dump(databases[service]);
    },
    stopIdentity: () => stop('identity'),
    restartIdentity: () => start('identity'),
    stop,
    start,
    close: () => all.disposeAsync(),
  };
}

function databasesOf(client: MongoClient): ThreeServices['databases'] {
  const of = (name: TestedService): Db => client.db(name);
  return { identity: of('identity'), clinic: of('clinic'), pharmacy: of('pharmacy'), messages: of('messages') };
}

/** Sources with nothing to send. */
const nobody = { nobody: 'http://127.0.0.1:1' };

/** @param sources - addresses of the services whose messages it sends, by name */
function startMessages(
  sources: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
  logTo: DestinationStream | undefined,
) {
  const SOURCES = Object.entries(sources)
    .map(([name, url]) => `${name}=${url}`)
    .join();
  // In the middle of the night, too.
  const settings = { SOURCES, QUIET_HOURS: 'none', WEBHOOK_PRIVATE: 'true' };
  return startService(messagesService, { env: { ...env, ...settings, MONGODB_DATABASE: 'messages' }, logTo });
}

async function startStores(
  begun: AsyncDisposableStack,
  dataDir: string | undefined,
  projectId: string,
  keepAnswersMs: number | undefined,
) {
  const [engine, emulator] = await startTogether(begun, [
    startServer({
      port: 0,
      scannable: Object.keys(scansAllowed),
      ...(dataDir !== undefined && { dataDir: join(dataDir, 'mongo') }),
      keepAnswersMs,
    }),
    startAuthEmulator({
      port: 0,
      projectId,
      warm: false,
      ...(dataDir !== undefined && { dataFile: join(dataDir, 'auth', `${projectId}.json`) }),
    }),
  ]);
  return { engine, emulator };
}

/** @returns the session's `Cookie` header */
async function signIn(urls: ThreeServices['urls'], email: string, idToken: string): Promise<string> {
  const answer = await testFetch(urls.identity)('/jwt', {
    method: 'POST',
    json: { email },
    // As the gateway sends it.
    headers: {
      Authorization: `Bearer ${idToken}`,
      [audiencesHeader]: Object.keys(urls).join(','),
    },
  });
  if (answer.status !== 200) fail(`signing in ${email} answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function isAtRest({ identity, ...others }: ThreeServices['databases'], service: TestedService): Promise<void> {
  if (service === 'identity') return;
  const db = others[service];
  // A request's deletion may be done by the follower once more, which afterwards asks svc-identity for others.
  await waitUntil(async () => {
    const lastAsked = (await identity.collection('dataHolders').findOne({ _id: service as never }))?.['lastSeenAt'];
    const own = { local: { $exists: true }, doneAt: { $not: { $lt: lastAsked } } };
    assert.equal(await db.collection('erasures').countDocuments(own), 0);
  });
  // New accounts are taken over in the background.
  const [last] = await identity.collection('accountFeed').find().sort({ seq: -1 }).limit(1).toArray();
  await waitUntil(async () => {
    const followed = await db.collection('markers').findOne({ _id: 'account feed' as never });
    assert.ok(followed?.['seq'] >= (last?.['seq'] ?? 0));
  });
  const pending = { pending: { $exists: true } };
  await waitUntil(async () => (await db.collection('knownAccounts').countDocuments(pending)) === 0);
  // Freed times are kept until the waitlist has been checked.
  await waitUntil(async () => (await db.collection('freedTimes').findOne({})) === null);
}

/** Whether a collection's data are compared: not sign-in counts, which staff viewed what, and when services asked. */
export const isCompared = (collection: string): boolean => !['counts', 'looks', 'dataHolders'].includes(collection);

/** The progress of what is filled, which is stored now and then. */
export const progressMarkers = ['derived-fields', 'message-words'];

async function dump(db: Db): Promise<string> {
  const collections = (await db.collections()).filter(({ collectionName }) => isCompared(collectionName));
  const contents = await Promise.all(
    collections.map(
      async (each) =>
        [
          each.collectionName,
          // Work in the background counts in `writes`, too.
          await each
            .find(
              { _id: { $nin: progressMarkers as never[] } },
              each.collectionName === 'contacts' ? { projection: { writes: 0 } } : {},
            )
            .sort({ _id: 1 })
            .toArray(),
        ] as const,
    ),
  );
  return JSON.stringify(contents.toSorted(([a], [b]) => a.localeCompare(b)));
}

function fail(message: string): never {
  throw new Error(message);
}

/** Waits until a service knows who has access. */
export async function feedIsLive(url: string): Promise<void> {
  await waitUntil(async () => assert.equal((await fetch(`${url}/health/ready`)).status, 200, url));
}
