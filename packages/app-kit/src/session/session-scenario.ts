import type { SessionUser } from '@clinic/contracts';
import { createApi, type Api } from '../api/api-client.ts';
import { createIdentityChecks, type IdentityChecks } from './identity-check.ts';
import type { IdentityAccount, IdentityProvider, MailedCode, OwnAccount } from './identity-provider.ts';
import { amina as confirmedAmina } from '../testing/session-users.ts';
import { createSessionStore } from './session-store.ts';
import type { NewUser, SessionStore } from './session-types.ts';
import { problemAnswer, startTestServer, type TestHandler, type TestServer } from '../testing/test-server.ts';

export const amina: SessionUser = { ...confirmedAmina, emailVerified: false };
export const profile: NewUser = {
  firstName: 'Amina',
  lastName: 'Khatun',
  email: amina.email,
  phone: '+880 1',
  dateOfBirth: '1991-06-22',
};

/** An in-memory identity provider: accounts by email with their password. */
class FakeProvider implements IdentityProvider {
  readonly passwords = new Map<string, string>();
  signedOut = 0;
  #listener: ((account: IdentityAccount) => void) | undefined;

  onReport(listener: (account: IdentityAccount) => void): void {
    this.#listener = listener;
  }

  async createAccount(email: string, password: string): Promise<IdentityAccount> {
    if (this.passwords.has(email)) throw authError('email-already-in-use');
    this.passwords.set(email, password);
    return this.#report(email);
  }

  async signIn(email: string, password: string): Promise<IdentityAccount> {
    if (this.passwords.get(email) !== password) throw authError('invalid-credential');
    return this.#report(email);
  }

  async signInWithGoogle(choose: () => Promise<{ email: string } | undefined>): Promise<IdentityAccount | undefined> {
    const account = await choose();
    return account && this.#report(account.email);
  }

  async sendPasswordReset(email: string): Promise<void> {
    if (!this.passwords.has(email)) throw authError('user-not-found');
  }

  async signOut(): Promise<void> {
    this.signedOut += 1;
  }

  // The rest is for account-actions.test.ts.
  current(): OwnAccount | undefined {
    return undefined;
  }

  readCode(): Promise<MailedCode> {
    return Promise.reject(authError('invalid-action-code'));
  }

  applyCode(): Promise<void> {
    return Promise.reject(authError('invalid-action-code'));
  }

  resetPassword(): Promise<void> {
    return Promise.reject(authError('invalid-action-code'));
  }

  #report(email: string): IdentityAccount {
    const account = { email, idToken: () => Promise.resolve(`proof of ${email}`) };
    this.#listener?.(account);
    return account;
  }
}

function authError(code: string): Error {
  return Object.assign(new Error(code), { code: `auth/${code}` });
}

const askAgainAfter = 100;

export let server: TestServer;
export let answers: Record<string, TestHandler>;
export let provider: FakeProvider;
/** What the readable cookie says; set it before the session is requested. */
export const browser = { hint: false };
export let channel: EventTarget & { postMessage: jest.Mock };
export let checks: IdentityChecks;
export let store: SessionStore;
export let callAs: Api;
export let waits: (number | 'hidden')[];

export const calls = (): string[] => server.seen.map(({ method, url }) => `${method} ${url}`);
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(async () => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  answers = {
    'POST /jwt': () => ({ json: { user: amina } }),
    'GET /jwt/session': () => ({ json: { user: amina } }),
    'POST /jwt/refresh': () => ({ json: { user: amina } }),
    'DELETE /jwt': () => ({ status: 204 }),
    'POST /users': () => ({ json: {} }),
  };
  server = await startTestServer(
    (request) => answers[`${request.method} ${request.url}`]?.(request) ?? problemAnswer('not_found'),
  );
  provider = new FakeProvider();
  browser.hint = false;
  waits = [];
  channel = Object.assign(new EventTarget(), { postMessage: jest.fn() });
  checks = createIdentityChecks();
  const api = createApi({ baseUrl: server.url, refresh: () => store.refresh(), prove: () => store.prove() });
  callAs = api;
  store = createSessionStore({
    api,
    checks,
    hasHint: () => browser.hint,
    loadProvider: () => Promise.resolve(provider),
    openChannel: () => channel as unknown as BroadcastChannel,
    tellOfWork: (_title, text) => {
      waits.push(Number(/\d+/.exec(text)?.[0]));
      return () => waits.push('hidden');
    },
    retryDelays: [1, 1],
    askAgainAfter,
  });
});

afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});
