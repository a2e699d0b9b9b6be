/** @jest-environment node */
import { ApiProblem } from '../api/api-problem.ts';
import { problemAnswer } from '../testing/test-server.ts';
import { amina, server, answers, provider, browser, channel, store, calls, settled } from './session-scenario.ts';

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
    browser.hint = true;
    await store.load();
    expect(store.get()).toEqual({ user: amina, loading: false });
    expect(calls()).toEqual(['GET /jwt/session']);
  });

  test('an outdated access token is refreshed once', async () => {
    browser.hint = true;
    answers['GET /jwt/session'] = () => problemAnswer('unauthenticated');
    await store.load();
    expect(store.get().user).toEqual(amina);
    expect(calls()).toEqual(['GET /jwt/session', 'POST /jwt/refresh']);
  });

  test.each([
    ['a session that cannot be refreshed has ended', 'unauthenticated'],
    ['a locked account is signed out', 'forbidden'],
  ] as const)('%s', async (_, code) => {
    browser.hint = true;
    answers['GET /jwt/session'] = answers['POST /jwt/refresh'] = () => problemAnswer(code);
    await store.load();
    expect(store.get()).toEqual({ user: undefined, loading: false, ended: 'expired' });
  });

  test('an unavailable server is retried, and nobody is taken for logged out', async () => {
    browser.hint = true;
    answers['GET /jwt/session'] = () => problemAnswer('unavailable');
    await store.load();
    expect(calls()).toHaveLength(3);
    expect(store.get()).toMatchObject({ loading: false, unreachable: true });
    answers['GET /jwt/session'] = () => ({ json: { user: amina } });
    await store.load();
    expect(store.get()).toEqual({ user: amina, loading: false });
  });

  test('a server that was unavailable for longer is found again automatically', async () => {
    browser.hint = true;
    let asked = 0;
    const { promise: hangs, resolve: hung } = Promise.withResolvers<void>();
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
    browser.hint = true;
    answers['GET /jwt/session'] = () => problemAnswer('unavailable');
    const over = new Promise<void>((resolve) => store.subscribe(() => store.get().ended && resolve()));
    await store.load();
    answers['GET /jwt/session'] = answers['POST /jwt/refresh'] = () => problemAnswer('unauthenticated');
    await over;
    expect(store.get()).toEqual({ user: undefined, loading: false, ended: 'expired' });
  });
});

test('concurrent calls share one refresh', async () => {
  browser.hint = true;
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

describe('logging out', () => {
  beforeEach(async () => {
    browser.hint = true;
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
  browser.hint = true;
  const known = new Promise<void>((resolve) => store.subscribe(() => store.get().user && resolve()));
  channel.dispatchEvent(new MessageEvent('message', { data: 'signed-in' }));
  await known;
  expect(store.get().user).toEqual(amina);
});

describe('checking the open session', () => {
  beforeEach(async () => {
    browser.hint = true;
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
