import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { startAuthEmulator, type AuthEmulator } from '@clinic/auth-emulator';
import type { Role } from '@clinic/contracts';
import { startTestDatabase, type TestDatabase } from '@clinic/service-kit/testing';
import { internalHeaders, startService, type HistoryEvent, type RunningService } from '@clinic/service-kit';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import type { Filter } from 'mongodb';
import { identityService } from '../service.ts';
import { sessionsOf } from '../sessions/session-record.ts';
import { loadSigningKey } from '../sessions/signing-key.ts';
import type { settings } from '../settings.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import { openBrowser, type Browser } from './browser.ts';
import { firebasePeople, password, projectId, type FirebasePeople } from './firebase-people.ts';

export { password, projectId };

type Replica = RunningService<typeof settings>;

/** The identity service's whole test environment, real and on free ports. */
export interface IdentityStack extends FirebasePeople {
  readonly url: string;
  readonly replica: Replica;
  readonly emulator: AuthEmulator;
  readonly database: Pick<TestDatabase, 'uri' | 'close'>;
  readonly log: readonly string[];
  readonly users: ReturnType<typeof usersOf>;
  readonly sessions: ReturnType<typeof sessionsOf>;
  /** The history's events, oldest first. */
  events(filter: Filter<HistoryEvent>): Promise<HistoryEvent[]>;
  readonly anonymous: TestFetch;
  /** Calls as another service of the clinic. */
  readonly internal: TestFetch;
  /** Settings for another service of the same stack. */
  readonly env: Readonly<Record<string, string>>;
  /** Another replica with the same database and key. */
  addReplica(env?: Readonly<Record<string, string>>): Promise<Replica>;
  /** A browser in which the person is logged in. The role is set directly in the database, with a confirmed address. */
  login(email: string, role?: Role): Promise<Browser>;
  user(email: string): Promise<UserRecord>;
  close(): Promise<void>;
}

/**
 * Starts database, emulator and service for a test.
 *
 * @param given - a database server of the test's own, which the test also stops
 */
export async function startIdentityStack(
  env: Readonly<Record<string, string>> = {},
  given?: Pick<TestDatabase, 'uri' | 'close'>,
): Promise<IdentityStack> {
  // Stops what has begun if a later part fails to start.
  await using begun = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'identity-'));
  begun.defer(() => rm(folder, { recursive: true }));
  const own = given ? undefined : await startTestDatabase();
  if (own) begun.defer(() => own.close());
  const database = given ?? own;
  if (!database) throw new Error('there is no database');
  const emulator = await startAuthEmulator({ port: 0, projectId, warm: false });
  begun.defer(() => emulator.close());
  const log: string[] = [];
  const logTo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  const common = settingsIn(folder, database, emulator, own?.newName('identity') ?? 'identity', env);
  const replicas: Replica[] = [];
  begun.defer(async () => void (await Promise.all(replicas.map((each) => each.close()))));
  const addReplica = async (more: Readonly<Record<string, string>> = {}): Promise<Replica> => {
    const replica = await startService(identityService, { env: { ...common, ...more }, logTo });
    replicas.push(replica);
    return replica;
  };
  await loadSigningKey(common.SESSION_KEY_FILE, true);
  const replica = await addReplica();
  const { url } = replica;
  const users = usersOf(replica.context);

  const people = firebasePeople(emulator.url);
  const user = async (email: string): Promise<UserRecord> => {
    const found = await users.findOne({ email });
    if (!found) throw new Error(`there is no user ${email}`);
    return found;
  };

  const running = begun.move();
  return {
    url,
    replica,
    emulator,
    database,
    log,
    users,
    sessions: sessionsOf(replica.context),
    events: (filter) =>
      replica.context.db.collection<HistoryEvent>('events').find(filter).sort({ at: 1, _id: 1 }).toArray(),
    env: common,
    anonymous: testFetch(url),
    internal: testFetch(url, internalHeaders(common.INTERNAL_SECRET)),
    addReplica,
    ...people,
    user,
    login: (email, role) => login(url, users, email, role, people),
    close: () => running.disposeAsync(),
  };
}

function settingsIn(
  folder: string,
  database: Pick<TestDatabase, 'uri'>,
  emulator: AuthEmulator,
  databaseName: string,
  env: Readonly<Record<string, string>>,
) {
  return {
    PORT: '0',
    NODE_ENV: 'test',
    DEMO_MODE: 'false',
    MONGODB_URI: database.uri,
    MONGODB_DATABASE: databaseName,
    FIREBASE_PROJECT_ID: projectId,
    FIREBASE_AUTH_EMULATOR_HOST: new URL(emulator.url).host,
    SESSION_KEY_FILE: join(folder, 'key.pem'),
    INTERNAL_SECRET: 'secret-of-the-internal-calls-in-tests',
    SIGN_INS_PER_MINUTE_AND_ACCOUNT: '1000',
    SIGN_INS_PER_MINUTE_AND_ADDRESS: '10000',
    REGISTRATIONS_PER_HOUR_AND_NETWORK: '10000',
    ...env,
  };
}

async function login(
  url: string,
  users: IdentityStack['users'],
  email: string,
  role: Role | undefined,
  people: FirebasePeople,
): Promise<Browser> {
  const browser = openBrowser(url);
  const idToken = await people.signUp(email);
  const answer = await untilServed(() => browser.startSession(email, idToken));
  if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}`);
  if (role) {
    await users.updateOne(
      { email },
      { $set: { role, emailVerified: true, ...(role !== 'patient' && { staff: true as const }) } },
    );
    await browser.fetch('/jwt/refresh', { method: 'POST' });
  }
  return browser;
}
