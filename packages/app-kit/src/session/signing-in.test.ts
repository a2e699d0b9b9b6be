/** @jest-environment node */
import { createHash } from 'node:crypto';
import { problemAnswer } from '../testing/test-server.ts';
import {
  amina,
  profile,
  server,
  answers,
  provider,
  channel,
  store,
  waits,
  calls,
  settled,
} from './session-scenario.ts';

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

  test.each([200, 201, 204])('counts a profile as saved that is answered with %i', async (status) => {
    answers['POST /users'] = () => ({ status, ...(status !== 204 && { json: {} }) });
    await store.createAccount(profile, 'secret');
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

test('asking for a new password doesn’t reveal whether an address is known', async () => {
  await expect(store.sendPasswordReset('stranger@clinic.example')).resolves.toBeUndefined();
});
