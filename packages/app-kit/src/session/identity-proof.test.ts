/** @jest-environment node */
import { type IdentityCheck } from './identity-check.ts';
import { identityCalls } from '@clinic/svc-identity/contract';
import { addCalls } from '../api/call-table.ts';
import { problemAnswer } from '../testing/test-server.ts';
import {
  amina,
  server,
  answers,
  provider,
  browser,
  checks,
  store,
  callAs,
  calls,
  settled,
} from './session-scenario.ts';

addCalls(identityCalls);

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
    const rejected: unknown[] = [];
    onCheck(async (check) => {
      expect(check).toMatchObject({ kind: 'second_factor', email: amina.email });
      await check
        .answer({ by: 'code', code: '000000', key: 'of-a-typo' })
        .catch((error: unknown) => rejected.push(error));
      await check.answer({ by: 'code', code: '123456', key: 'of-the-code' });
    });
    await store.signIn(amina.email, 'secret');
    expect(rejected).toEqual([expect.objectContaining({ code: 'second_factor_wrong' })]);
    expect(store.get().user).toEqual({ ...amina, secondFactor: true });
    expect(checks.get()).toEqual([]);
    expect(
      server.seen.map(({ body, headers }) => [(body as { code?: string }).code, headers['idempotency-key']]),
    ).toEqual([
      [undefined, undefined],
      ['000000', 'of-a-typo'],
      ['123456', 'of-the-code'],
    ]);
  });

  test('is asked for with Google, too', async () => {
    onCheck((check) => check.answer({ by: 'code', code: '123456', key: 'of-the-code' }));
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
  const patch = `PATCH /update-role/${'a'.repeat(24)}`;
  const change = () =>
    callAs.call('changeRole', { params: { id: 'a'.repeat(24) }, body: { newRole: 'doctor', seen: undefined } });

  beforeEach(async () => {
    provider.passwords.set(amina.email, 'secret');
    proven = false;
    answers['POST /jwt/proof'] = ({ body }) => {
      const { idToken, code } = body as { idToken?: string; code?: string };
      if (code !== undefined && code !== '123456') return problemAnswer('second_factor_wrong');
      proven = idToken === `proof of ${amina.email}` || code === '123456';
      return { json: { user: amina } };
    };
    answers[patch] = () => (proven ? { json: { role: 'doctor' } } : problemAnswer('proof_needed'));
    browser.hint = true;
    await store.load();
    server.seen.length = 0;
  });

  test('by password lets the call through, opens no session, and repeats the call once', async () => {
    onCheck((check) => check.answer({ by: 'password', password: 'secret' }));
    await expect(change()).resolves.toEqual({ role: 'doctor' });
    await settled();
    expect(calls()).toEqual([patch, 'POST /jwt/proof', patch]);
  });

  test('by code needs no identity provider', async () => {
    onCheck((check) => check.answer({ by: 'code', code: '123456', key: 'of-the-code' }));
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
    const rejected: unknown[] = [];
    onCheck(async (check) => {
      await check.answer({ by: 'password', password: 'wrong' }).catch((error: unknown) => rejected.push(error));
      await check.answer({ by: 'password', password: 'secret' });
    });
    await expect(change()).resolves.toEqual({ role: 'doctor' });
    expect(rejected).toEqual([expect.objectContaining({ code: 'auth/invalid-credential' })]);
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
    expect(calls()).toEqual([patch]);
    expect(store.get().user).toEqual(amina);
  });

  test('that is cancelled leaves the call rejected, with a readable message', async () => {
    onCheck((check) => check.cancel());
    await expect(change()).rejects.toMatchObject({
      code: 'proof_needed',
      message: 'Nothing has changed because you didn’t confirm it’s you.',
    });
    expect(calls()).toEqual([patch]);
  });

  test('is no longer asked for once the session has ended', async () => {
    const waiting = new Promise<void>((resolve) => onCheck(() => resolve()));
    const rejected = expect(change()).rejects.toMatchObject({ code: 'proof_needed' });
    await waiting;
    await store.logout();
    await rejected;
    expect(checks.get()).toEqual([]);
  });

  test('that doesn’t help isn’t asked for again', async () => {
    answers[patch] = () => problemAnswer('proof_needed');
    let asked = 0;
    onCheck((check) => {
      asked += 1;
      return check.answer({ by: 'password', password: 'secret' });
    });
    await expect(change()).rejects.toMatchObject({ code: 'proof_needed' });
    expect(asked).toBe(1);
  });
});
