/** @jest-environment node */
import { createHash } from 'node:crypto';
import type { SessionUser } from '@clinic/contracts';
import { createApi, type Api } from '../api/api-client.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { createIdentityChecks, type IdentityCheck, type IdentityChecks } from './identity-check.ts';
import type { IdentityAccount, IdentityProvider, MailedCode, OwnAccount } from './identity-provider.ts';
import { createSessionStore, type NewUser, type SessionStore } from './session-store.ts';
import {
  problemAnswer,
  startTestServer,
  type SeenRequest,
  type TestAnswer,
  type TestServer,
} from '../testing/test-server.ts';

const amina: SessionUser = {
  email: 'amina@clinic.example',
  firstName: 'Amina',
  lastName: 'Khatun',
  role: 'patient',
  emailVerified: false,
};
const profile: NewUser = {
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

let server: TestServer;
let answers: Record<string, (request: SeenRequest) => TestAnswer>;
let provider: FakeProvider;
let hint: boolean;
let channel: EventTarget & { postMessage: jest.Mock };
let checks: IdentityChecks;
let store: SessionStore;
let callAs: Api;
let waits: (number | 'hidden')[];

const calls = (): string[] => server.seen.map(({ method, url }) => `${method} ${url}`);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

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
  hint = false;
  waits = [];
  channel = Object.assign(new EventTarget(), { postMessage: jest.fn() });
  checks = createIdentityChecks();
  const api = createApi({ baseUrl: server.url, refresh: () => store.refresh(), prove: () => store.prove() });
  callAs = api;
  store = createSessionStore({
    api,
    checks,
    hasHint: () => hint,
    loadProvider: () => Promise.resolve(provider),
    openChannel: () => channel as unknown as BroadcastChannel,
    tellOfWork: (seconds) => {
      waits.push(seconds);
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

describe('at the start', () => {
  test('nobody is known yet', () => {
    expect(store.get()).toEqual({ user: undefined, loading: true });
  });

  test('a visitor without the hint is anonymous without a call', async () => {
    await store.load();
    expect(store.get()).toEqual({ user: undefined, loading: false });
    expect(server.seen).toEqual([]);
  });

  test('the hint leads to the session', async () => {
    hint = true;
    await store.load();
    expect(store.get()).toEqual({ user: amina, loading: false });
    expect(calls()).toEqual(['GET /jwt/session']);
  });

  test('an outdated access token is refreshed once', async () => {
    hint = true;
    answers['GET /jwt/session'] = () => problemAnswer('unauthenticated');
    await store.load();
    expect(store.get().user).toEqual(amina);
    expect(calls()).toEqual(['GET /jwt/session', 'POST /jwt/refresh']);
  });

  test('a session that cannot be refreshed has ended', async () => {
    hint = true;
    answers['GET /jwt/session'] = answers['POST /jwt/refresh'] = () => problemAnswer('unauthenticated');
    await store.load();
    expect(store.get()).toEqual({ user: undefined, loading: false, ended: 'expired' });
  });

  test('a locked account is signed out', async () => {
    hint = true;
    answers['GET /jwt/session'] = answers['POST /jwt/refresh'] = () => problemAnswer('forbidden');
    await store.load();
    expect(store.get()).toEqual({ user: undefined, loading: false, ended: 'expired' });
  });

  test('an unavailable server is retried, and nobody is taken for logged out', async () => {
    hint = true;
    answers['GET /jwt/session'] = () => problemAnswer('unavailable');
    await store.load();
    expect(calls()).toHaveLength(3);
    expect(store.get()).toMatchObject({ loading: false, unreachable: true });
    answers['GET /jwt/session'] = () => ({ json: { user: amina } });
    await store.load();
    expect(store.get()).toEqual({ user: amina, loading: false });
  });

  test('a server that was unavailable for longer is found again automatically', async () => {
    hint = true;
    let asked = 0;
    let hung: () => void = () => undefined;
    const hangs = new Promise<void>((resolve) => {
      hung = resolve;
    });
    answers['GET /jwt/session'] = () => {
      asked += 1;
      // Three attempts at the start; of the later ones the second gets no response at all.
      if (asked < 5) return problemAnswer('unavailable');
      hung();
      return 'never';
    };
    const known = new Promise<void>((resolve) => store.subscribe(() => store.get().user && resolve()));
    await store.load();
    expect(store.get()).toMatchObject({ loading: false, unreachable: true });
    await hangs;
    expect(store.get()).toMatchObject({ unreachable: true });
    answers['GET /jwt/session'] = () => ({ json: { user: amina } });
    await known;
    expect(store.get()).toEqual({ user: amina, loading: false });
    expect(console.error).toHaveBeenCalledTimes(1);
  });

  test('a session that ended meanwhile is over once the server is back', async () => {
    hint = true;
    answers['GET /jwt/session'] = () => problemAnswer('unavailable');
    const over = new Promise<void>((resolve) => store.subscribe(() => store.get().ended && resolve()));
    await store.load();
    answers['GET /jwt/session'] = answers['POST /jwt/refresh'] = () => problemAnswer('unauthenticated');
    await over;
    expect(store.get()).toEqual({ user: undefined, loading: false, ended: 'expired' });
  });
});

test('concurrent calls share one refresh', async () => {
  hint = true;
  await store.load();
  server.seen.length = 0;
  expect(await Promise.all([store.refresh(), store.refresh(), store.refresh()])).toEqual([true, true, true]);
  expect(calls()).toEqual(['POST /jwt/refresh']);
});

test('a stranger has no session to refresh', async () => {
  await store.load();
  expect(await store.refresh()).toBe(false);
  expect(calls()).toEqual([]);
});

test('an unanswered refresh neither ends the session nor counts as refreshed', async () => {
  answers['POST /jwt/refresh'] = () => problemAnswer('unavailable');
  await expect(store.refresh()).rejects.toBeInstanceOf(ApiProblem);
  expect(store.get().ended).toBeUndefined();
});

describe('signing in', () => {
  beforeEach(() => {
    provider.passwords.set(amina.email, 'secret');
  });

  test('posts the proof to our server once, although action and auth state report both do', async () => {
    await store.load();
    await store.signIn(amina.email, 'secret');
    await settled();
    expect(store.get()).toEqual({ user: amina, loading: false });
    expect(calls()).toEqual(['POST /jwt']);
    expect(server.seen[0]).toMatchObject({
      body: { email: amina.email },
      headers: { authorization: `Bearer proof of ${amina.email}` },
    });
    expect(channel.postMessage).toHaveBeenCalledWith('signed-in');
  });

  test('fails with the provider’s error and changes nothing', async () => {
    await store.load();
    await expect(store.signIn(amina.email, 'wrong')).rejects.toMatchObject({ code: 'auth/invalid-credential' });
    expect(store.get()).toEqual({ user: undefined, loading: false });
    expect(calls()).toEqual([]);
  });

  test('can be repeated after our server failed', async () => {
    answers['POST /jwt'] = () => problemAnswer('unavailable');
    await expect(store.signIn(amina.email, 'secret')).rejects.toMatchObject({ code: 'unavailable' });
    answers['POST /jwt'] = () => ({ json: { user: amina } });
    await store.signIn(amina.email, 'secret');
    expect(store.get().user).toEqual(amina);
  });

  test('with Google: choosing no account isn’t a failure', async () => {
    expect(await store.signInWithGoogle(() => Promise.resolve(undefined))).toBe(false);
    expect(await store.signInWithGoogle(() => Promise.resolve({ email: amina.email, name: 'Amina' }))).toBe(true);
    expect(store.get().user).toEqual(amina);
  });
});

describe('registering', () => {
  test('saves the profile before the session starts', async () => {
    await store.createAccount(profile, 'secret');
    await settled();
    expect(calls()).toEqual(['POST /users', 'POST /jwt']);
    expect(server.seen[0]).toMatchObject({
      body: { ...profile, role: 'patient' },
      headers: { authorization: `Bearer proof of ${amina.email}` },
    });
    expect(store.get().user).toEqual(amina);
  });

  test('continues where it stopped if the profile couldn’t be saved', async () => {
    answers['POST /users'] = () => problemAnswer('unavailable');
    await expect(store.createAccount(profile, 'secret')).rejects.toMatchObject({ code: 'unavailable' });
    await settled();
    expect(calls()).toEqual(['POST /users']);
    answers['POST /users'] = () => ({ json: {} });
    await store.createAccount(profile, 'secret');
    expect(calls()).toEqual(['POST /users', 'POST /users', 'POST /jwt']);
    expect(store.get().user).toEqual(amina);
  });

  test('doesn’t take over an account with another password', async () => {
    provider.passwords.set(amina.email, 'hers');
    await expect(store.createAccount(profile, 'mine')).rejects.toMatchObject({ code: 'auth/email-already-in-use' });
    expect(calls()).toEqual([]);
  });
});

describe('a new account from a network that has made many', () => {
  const challenge = (salt: string, waitSeconds = 0) =>
    problemAnswer('rate_limited', {
      detail: 'Please try again in 5 minutes.',
      challenge: { salt, bits: 8, waitSeconds },
    });
  const proofs = (): unknown[] => server.seen.map(({ headers }) => headers['proof-of-work']);
  const isProof = (salt: string, text: unknown): boolean =>
    typeof text === 'string' && text.startsWith(`${salt}.`) && createHash('sha256').update(text).digest()[0] === 0;

  test('is let in after some work, and shows that meanwhile', async () => {
    answers['POST /users'] = ({ headers }) =>
      isProof('abc', headers['proof-of-work']) ? { json: {} } : challenge('abc');
    await store.createAccount(profile, 'secret');
    expect(calls()).toEqual(['POST /users', 'POST /users', 'POST /jwt']);
    expect(proofs()[0]).toBeUndefined();
    expect(store.get().user).toEqual(amina);
    expect(waits).toEqual([1, 'hidden']);
  });

  test('works with Google in the same way', async () => {
    answers['POST /jwt'] = ({ headers }) =>
      isProof('abc', headers['proof-of-work']) ? { json: { user: amina } } : challenge('abc');
    expect(await store.signInWithGoogle(() => Promise.resolve({ email: amina.email, name: 'Amina' }))).toBe(true);
    expect(store.get().user).toEqual(amina);
  });

  test('waits as long as required, and solves again if somebody else was faster', async () => {
    const asked: number[] = [];
    answers['POST /users'] = ({ headers }) => {
      asked.push(performance.now());
      if (asked.length === 1) return challenge('abc');
      if (asked.length === 2) return challenge('def', 1);
      return isProof('def', headers['proof-of-work']) ? { json: {} } : challenge('none', 9_999);
    };
    await store.createAccount(profile, 'secret');
    expect(asked).toHaveLength(3);
    expect((asked[2] ?? 0) - (asked[1] ?? 0)).toBeGreaterThanOrEqual(990);
    expect(waits).toEqual([1, 'hidden', 1, 'hidden']);
  });

  test('says when to come back if it takes minutes', async () => {
    answers['POST /users'] = () => challenge('abc', 300);
    await expect(store.createAccount(profile, 'secret')).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'Please try again in 5 minutes.',
    });
    expect(calls()).toEqual(['POST /users']);
    expect(waits).toEqual([]);
  });

  test('gives up if no proof is accepted', async () => {
    answers['POST /users'] = () => challenge('abc');
    await expect(store.createAccount(profile, 'secret')).rejects.toMatchObject({ code: 'rate_limited' });
    expect(calls()).toHaveLength(5);
    expect(waits.filter((one) => one === 'hidden')).toHaveLength(4);
  });
});

describe('logging out', () => {
  beforeEach(async () => {
    hint = true;
    await store.load();
    await store.signInWithGoogle(() => Promise.resolve({ email: amina.email, name: 'Amina' }));
  });

  test('ends the session here, at the provider and in the other tabs', async () => {
    await store.logout();
    expect(store.get()).toEqual({ user: undefined, loading: false, ended: 'logout' });
    expect(channel.postMessage).toHaveBeenLastCalledWith('signed-out');
    await settled();
    expect(provider.signedOut).toBe(1);
  });

  test('leaves everything unchanged if our server can’t end it', async () => {
    answers['DELETE /jwt'] = () => problemAnswer('unavailable');
    await expect(store.logout()).rejects.toMatchObject({ code: 'unavailable' });
    expect(store.get().user).toEqual(amina);
  });

  test('in another tab ends the session here too', () => {
    channel.dispatchEvent(new MessageEvent('message', { data: 'signed-out' }));
    expect(store.get()).toEqual({ user: undefined, loading: false, ended: 'logout' });
  });
});

test('logging in in another tab signs in here too', async () => {
  await store.load();
  hint = true;
  const known = new Promise<void>((resolve) => store.subscribe(() => store.get().user && resolve()));
  channel.dispatchEvent(new MessageEvent('message', { data: 'signed-in' }));
  await known;
  expect(store.get().user).toEqual(amina);
});

test('asking for a new password doesn’t reveal whether an address is known', async () => {
  await expect(store.sendPasswordReset('stranger@clinic.example')).resolves.toBeUndefined();
});

describe('checking the open session', () => {
  beforeEach(async () => {
    hint = true;
    await store.load();
    server.seen.length = 0;
  });

  test('changes nothing while all is unchanged', async () => {
    const before = store.get();
    await store.check();
    expect(store.get()).toBe(before);
    expect(calls()).toEqual(['GET /jwt/session']);
  });

  test('picks up a new role', async () => {
    const doctor = { ...amina, role: 'doctor' };
    answers['GET /jwt/session'] = () => problemAnswer('session_stale');
    answers['POST /jwt/refresh'] = () => ({ json: { user: doctor } });
    await store.check();
    expect(store.get()).toEqual({ user: doctor, loading: false });
    expect(calls()).toEqual(['GET /jwt/session', 'POST /jwt/refresh']);
  });

  test.each([
    ['account_disabled', 'disabled'],
    ['session_ended', 'everywhere'],
    ['unauthenticated', 'expired'],
  ] as const)('reports why it ended: %s', async (code, ended) => {
    answers['GET /jwt/session'] = () => problemAnswer('unauthenticated');
    answers['POST /jwt/refresh'] = () => problemAnswer(code);
    await store.check();
    expect(store.get()).toEqual({ user: undefined, loading: false, ended });
  });

  test('ignores an outage', async () => {
    answers['GET /jwt/session'] = () => problemAnswer('unavailable');
    await expect(store.check()).rejects.toBeInstanceOf(ApiProblem);
    expect(store.get().user).toEqual(amina);
  });

  test('is skipped for a stranger', async () => {
    await store.logout();
    server.seen.length = 0;
    await store.check();
    expect(calls()).toEqual([]);
  });
});

/** Answers open checks as they come, as the shell's dialog would. */
function onCheck(show: (check: IdentityCheck) => unknown): void {
  let shown: IdentityCheck | undefined;
  checks.subscribe(() => {
    const [first] = checks.get();
    if (first === shown) return;
    shown = first;
    if (first) void show(first);
  });
}

describe('a second factor', () => {
  beforeEach(() => {
    provider.passwords.set(amina.email, 'secret');
    answers['POST /jwt'] = ({ body }) => {
      const { code } = body as { code?: string };
      if (code === undefined) return problemAnswer('second_factor_needed');
      return code === '123456'
        ? { json: { user: { ...amina, secondFactor: true } } }
        : problemAnswer('second_factor_wrong', { errors: [{ field: 'code', message: 'This code isn’t right' }] });
    };
  });

  test('is asked for once, allows a typo, and opens the session', async () => {
    const refused: unknown[] = [];
    onCheck(async (check) => {
      expect(check).toMatchObject({ kind: 'second_factor', email: amina.email });
      await check.answer({ by: 'code', code: '000000' }).catch((error: unknown) => refused.push(error));
      await check.answer({ by: 'code', code: '123456' });
    });
    await store.signIn(amina.email, 'secret');
    expect(refused).toEqual([expect.objectContaining({ code: 'second_factor_wrong' })]);
    expect(store.get().user).toEqual({ ...amina, secondFactor: true });
    expect(checks.get()).toEqual([]);
    expect(server.seen.map(({ body }) => (body as { code?: string }).code)).toEqual([undefined, '000000', '123456']);
  });

  test('is asked for with Google, too', async () => {
    onCheck((check) => check.answer({ by: 'code', code: '123456' }));
    expect(await store.signInWithGoogle(() => Promise.resolve({ email: amina.email, name: 'Amina' }))).toBe(true);
    expect(store.get().user?.secondFactor).toBe(true);
  });

  test('that isn’t entered leaves them logged out, and says so', async () => {
    onCheck((check) => check.cancel());
    await expect(store.signIn(amina.email, 'secret')).rejects.toMatchObject({
      code: 'second_factor_needed',
      message: 'You didn’t enter the code.',
    });
    expect(store.get().user).toBeUndefined();
  });

  test('fails at once if nothing shows the question', async () => {
    await expect(store.signIn(amina.email, 'secret')).rejects.toMatchObject({ code: 'second_factor_needed' });
  });
});

describe('a proof', () => {
  let proven: boolean;
  const change = () => callAs.call('changeRole', { params: { id: 'a'.repeat(24) }, body: { newRole: 'doctor' } });

  beforeEach(async () => {
    provider.passwords.set(amina.email, 'secret');
    proven = false;
    answers['POST /jwt/proof'] = ({ body }) => {
      const { idToken, code } = body as { idToken?: string; code?: string };
      if (code !== undefined && code !== '123456') return problemAnswer('second_factor_wrong');
      proven = idToken === `proof of ${amina.email}` || code === '123456';
      return { json: { user: amina } };
    };
    answers[`PATCH /update-role/${'a'.repeat(24)}`] = () =>
      proven ? { json: { role: 'doctor' } } : problemAnswer('proof_needed');
    hint = true;
    await store.load();
    server.seen.length = 0;
  });

  test('by password lets the call through, opens no session, and repeats the call once', async () => {
    onCheck((check) => check.answer({ by: 'password', password: 'secret' }));
    await expect(change()).resolves.toEqual({ role: 'doctor' });
    await settled();
    expect(calls()).toEqual([
      `PATCH /update-role/${'a'.repeat(24)}`,
      'POST /jwt/proof',
      `PATCH /update-role/${'a'.repeat(24)}`,
    ]);
  });

  test('by code needs no identity provider', async () => {
    onCheck((check) => check.answer({ by: 'code', code: '123456' }));
    await expect(change()).resolves.toEqual({ role: 'doctor' });
  });

  test('is asked for once for concurrent calls', async () => {
    const asked: string[] = [];
    onCheck((check) => {
      asked.push(check.kind);
      return check.answer({ by: 'password', password: 'secret' });
    });
    await expect(Promise.all([change(), change(), change()])).resolves.toHaveLength(3);
    expect(asked).toEqual(['proof']);
    expect(calls().filter((call) => call === 'POST /jwt/proof')).toHaveLength(1);
  });

  test('with a wrong password can be tried again', async () => {
    const refused: unknown[] = [];
    onCheck(async (check) => {
      await check.answer({ by: 'password', password: 'wrong' }).catch((error: unknown) => refused.push(error));
      await check.answer({ by: 'password', password: 'secret' });
    });
    await expect(change()).resolves.toEqual({ role: 'doctor' });
    expect(refused).toEqual([expect.objectContaining({ code: 'auth/invalid-credential' })]);
  });

  test('of another Google account is rejected, and opens no session', async () => {
    onCheck(async (check) => {
      await expect(
        check.answer({ by: 'google', choose: () => Promise.resolve({ email: 'other@mail.example', name: 'Other' }) }),
      ).rejects.toMatchObject({ message: `That’s a different account. Choose ${amina.email}.` });
      check.cancel();
    });
    await expect(change()).rejects.toMatchObject({ code: 'proof_needed' });
    expect(provider.signedOut).toBe(1);
    expect(calls()).toEqual([`PATCH /update-role/${'a'.repeat(24)}`]);
    expect(store.get().user).toEqual(amina);
  });

  test('that is cancelled leaves the call rejected, with a readable message', async () => {
    onCheck((check) => check.cancel());
    await expect(change()).rejects.toMatchObject({
      code: 'proof_needed',
      message: 'Nothing has changed because you didn’t confirm it’s you.',
    });
    expect(calls()).toEqual([`PATCH /update-role/${'a'.repeat(24)}`]);
  });

  test('is no longer asked for once the session has ended', async () => {
    const waiting = new Promise<void>((resolve) => onCheck(() => resolve()));
    const refused = expect(change()).rejects.toMatchObject({ code: 'proof_needed' });
    await waiting;
    await store.logout();
    await refused;
    expect(checks.get()).toEqual([]);
  });

  test('that doesn’t help isn’t asked for again', async () => {
    answers[`PATCH /update-role/${'a'.repeat(24)}`] = () => problemAnswer('proof_needed');
    let asked = 0;
    onCheck((check) => {
      asked += 1;
      return check.answer({ by: 'password', password: 'secret' });
    });
    await expect(change()).rejects.toMatchObject({ code: 'proof_needed' });
    expect(asked).toBe(1);
  });
});
