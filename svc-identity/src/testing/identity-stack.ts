import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { startAuthEmulator, type AuthEmulator } from '@clinic/auth-emulator';
import type { Role } from '@clinic/contracts';
import { startTestDatabase, type TestDatabase } from '@clinic/service-kit/testing';
import { internalHeaders, startService, type RunningService } from '@clinic/service-kit';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
import { identityService } from '../service.ts';
import { loadSigningKey } from '../sessions/signing-key.ts';
import type { settings } from '../settings.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import { openBrowser, type Browser } from './browser.ts';

export const projectId = 'demo-identity-test';
export const password = 'Correct-horse-1';

type Replica = RunningService<typeof settings>;

/** The identity service's whole test environment, real and on free ports. */
export interface IdentityStack {
  readonly url: string;
  readonly replica: Replica;
  readonly emulator: AuthEmulator;
  readonly database: Pick<TestDatabase, 'uri' | 'close'>;
  readonly log: readonly string[];
  readonly users: ReturnType<typeof usersOf>;
  readonly anonymous: TestFetch;
  /** Calls as another service of the clinic. */
  readonly internal: TestFetch;
  /** Settings for another service of the same stack. */
  readonly env: Readonly<Record<string, string>>;
  /** Another replica with the same database and key. */
  addReplica(env?: Readonly<Record<string, string>>): Promise<Replica>;
  /** Creates a Firebase account. @returns its ID token */
  signUp(email: string): Promise<string>;
  signInWithPassword(email: string, password?: string): Promise<string>;
  /** Sets a new password through the mailed link, which only the owner of the mailbox gets. */
  resetPassword(email: string, newPassword: string): Promise<void>;
  signInWithGoogle(person: { readonly sub: string; readonly email: string; readonly name?: string }): Promise<string>;
  /** Confirms an account's email address at Firebase, as following the mailed link does. */
  confirmEmail(email: string): Promise<void>;
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
  const folder = await mkdtemp(join(tmpdir(), 'identity-'));
  const [own, emulator] = await Promise.all([
    given ? undefined : startTestDatabase(),
    startAuthEmulator({ port: 0, projectId }),
  ]);
  const database = given ?? own;
  if (!database) throw new Error('there is no database');
  const log: string[] = [];
  const logTo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  const common = {
    PORT: '0',
    NODE_ENV: 'test',
    DEMO_MODE: 'false',
    MONGODB_URI: database.uri,
    MONGODB_DATABASE: own?.newName('identity') ?? 'identity',
    FIREBASE_PROJECT_ID: projectId,
    FIREBASE_AUTH_EMULATOR_HOST: new URL(emulator.url).host,
    SESSION_KEY_FILE: join(folder, 'key.pem'),
    INTERNAL_SECRET: 'secret-of-the-internal-calls-in-tests',
    SIGN_INS_PER_MINUTE_AND_ACCOUNT: '1000',
    SIGN_INS_PER_MINUTE_AND_ADDRESS: '10000',
    REGISTRATIONS_PER_HOUR_AND_NETWORK: '10000',
    ...env,
  };
  const replicas: Replica[] = [];
  const addReplica = async (more: Readonly<Record<string, string>> = {}): Promise<Replica> => {
    const replica = await startService(identityService(), { env: { ...common, ...more }, logTo });
    replicas.push(replica);
    return replica;
  };
  await loadSigningKey(common.SESSION_KEY_FILE, true);
  const replica = await addReplica();
  const { url } = replica;
  const users = usersOf(replica.context);

  const firebaseAsks = async (call: string, body: object): Promise<{ readonly idToken?: string }> => {
    const answer = await fetch(`${emulator.url}/identitytoolkit.googleapis.com/v1/accounts:${call}?key=test`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the emulator answered ${answer.status} to ${call}: ${await answer.text()}`);
    return (await answer.json()) as { idToken?: string };
  };
  const firebase = async (call: string, body: object): Promise<string> => {
    const { idToken } = await firebaseAsks(call, { returnSecureToken: true, ...body });
    if (idToken === undefined) throw new Error(`the emulator gave no ID token for ${call}`);
    return idToken;
  };
  const codeFor = async (to: string, kind: string): Promise<string> => {
    const answer = await fetch(`${emulator.url}/emulator/v1/projects/${projectId}/oobCodes`);
    const { oobCodes } = (await answer.json()) as {
      oobCodes: readonly { readonly email: string; readonly requestType: string; readonly oobCode: string }[];
    };
    const mail = oobCodes.findLast(({ email, requestType }) => email === to && requestType === kind);
    if (!mail) throw new Error(`no ${kind} mail went to ${to}`);
    return mail.oobCode;
  };
  const user = async (email: string): Promise<UserRecord> => {
    const found = await users.findOne({ email });
    if (!found) throw new Error(`there is no user ${email}`);
    return found;
  };
  const signUp = (email: string): Promise<string> => firebase('signUp', { email, password });

  return {
    url,
    replica,
    emulator,
    database,
    log,
    users,
    env: common,
    anonymous: testFetch(url),
    internal: testFetch(url, internalHeaders(common.INTERNAL_SECRET)),
    addReplica,
    signUp,
    user,
    signInWithPassword: (email, chosen = password) => firebase('signInWithPassword', { email, password: chosen }),
    async resetPassword(email, newPassword) {
      await firebaseAsks('sendOobCode', { requestType: 'PASSWORD_RESET', email });
      await firebaseAsks('resetPassword', { oobCode: await codeFor(email, 'PASSWORD_RESET'), newPassword });
    },
    async confirmEmail(email) {
      await firebaseAsks('sendOobCode', {
        requestType: 'VERIFY_EMAIL',
        idToken: await firebase('signInWithPassword', { email, password }),
      });
      await firebaseAsks('update', { oobCode: await codeFor(email, 'VERIFY_EMAIL') });
    },
    signInWithGoogle: ({ sub, email, name }) =>
      firebase('signInWithIdp', {
        requestUri: 'http://localhost',
        postBody: new URLSearchParams({
          providerId: 'google.com',
          id_token: JSON.stringify({ sub, email, email_verified: true, name }),
        }).toString(),
      }),
    async login(email, role) {
      const browser = openBrowser(url);
      const answer = await browser.startSession(email, await signUp(email));
      if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}`);
      if (role) {
        await users.updateOne(
          { email },
          { $set: { role, emailVerified: true, ...(role !== 'patient' && { staff: true as const }) } },
        );
        await browser.fetch('/jwt/refresh', { method: 'POST' });
      }
      return browser;
    },
    async close() {
      await Promise.all(replicas.map((each) => each.close()));
      await Promise.all([own?.close(), emulator.close()]);
      await rm(folder, { recursive: true });
    },
  };
}
