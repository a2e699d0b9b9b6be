import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import type { Session } from '@clinic/contracts';
import { tokenFor } from '@clinic/service-kit/session-bundle';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { openBrowser } from './testing/browser.ts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { refresh, verdict } from './testing/people.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const stack = await startIdentityStack();
after(() => stack.close());

test('exchanges an ID token for a session with cookies that scripts can’t read', async () => {
  const browser = openBrowser(stack.url);
  const answer = await browser.startSession('Zoe@Clinic.Example', await stack.signUp('zoe@clinic.example'));
  assert.equal(answer.status, 200);
  const session = (await answer.json()) as Session;
  assert.deepEqual(session.user, {
    email: 'zoe@clinic.example',
    firstName: '',
    lastName: '',
    role: 'patient',
    emailVerified: false,
    passwordUnproven: true,
  });
  const lifetime = Date.parse(session.expiresAt) - Date.now();
  assert.ok(lifetime > 290_000 && lifetime <= 300_000);
  const [access = '', refresh = '', hint = ''] = browser.setCookies();
  assert.match(
    access,
    /^clinic_session=[\w-]+\.[\w-]+(?:~(?:identity|clinic|pharmacy)\.[\w-]+\.[\w-]{86}){3}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
  );
  assert.match(refresh, /^clinic_refresh=[\w-]{43}; Path=\/jwt; Expires=[^;]+; HttpOnly; SameSite=Strict$/);
  assert.match(hint, /^signed_in=1; Path=\/; Expires=[^;]+; SameSite=Lax$/);
  assert.deepEqual((await browser.read<Session>('/jwt/session')).user, session.user);
});

test('stores neither refresh id nor token in the database or the log', async () => {
  const browser = await stack.login('hidden@clinic.example');
  const refresh = browser.cookies.get('clinic_refresh') ?? '';
  assert.notEqual(refresh, '');
  const stored = JSON.stringify(await stack.sessions.find().toArray()) + stack.log.join('');
  for (const secret of [refresh, browser.cookies.get('clinic_session') ?? '', 'hidden@clinic.example', 'Correct-horse'])
    assert.ok(!stored.includes(secret));
});

test('refreshes with the refresh cookie alone, several tabs at once', async () => {
  const browser = await stack.login('tabs@clinic.example');
  browser.cookies.delete('clinic_session');
  assert.deepEqual(await verdict(browser.fetch('/jwt/session')), [401, 'unauthenticated']);
  const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(browser)));
  assert.deepEqual(statusesOf(answers), [200, 200, 200, 200, 200]);
  assert.equal((await browser.fetch('/jwt/session')).status, 200);
});

test('a sign-in ends its browser’s previous session, including copies of it, and no other', async () => {
  const email = 'again@clinic.example';
  const browser = await stack.login(email);
  const elsewhere = openBrowser(stack.url);
  assert.equal((await elsewhere.startSession(email, await stack.signInWithPassword(email))).status, 200);
  const thief = openBrowser(stack.url, browser.cookies);
  // Another tab of the browser, refreshing at that moment.
  const tab = openBrowser(stack.url, browser.cookies);
  assert.equal((await browser.startSession(email, await stack.signInWithPassword(email))).status, 200);
  assert.deepEqual(await verdict(thief.fetch('/jwt/session')), [401, 'unauthenticated']);
  const renewed = await refresh(tab);
  assert.deepEqual([renewed.headers.getSetCookie(), await verdict(renewed)], [[], [401, 'unauthenticated']]);
  for (const goesOn of [browser, elsewhere]) {
    assert.equal((await goesOn.fetch('/jwt/session')).status, 200);
    assert.equal((await refresh(goesOn)).status, 200);
  }
  const open = { userId: (await stack.user(email))._id, endedAt: { $exists: false } };
  assert.equal(await stack.sessions.countDocuments(open), 2);
  // Somebody else signs in on the same browser.
  const idToken = await stack.signUp('next@clinic.example');
  assert.equal((await browser.startSession('next@clinic.example', idToken)).status, 200);
  assert.equal(await stack.sessions.countDocuments(open), 1);
});

test('logs out for good: cookies, refresh id and copies of the access token', async () => {
  const browser = await stack.login('leaves@clinic.example');
  const thief = openBrowser(stack.url, browser.cookies);
  assert.equal((await browser.fetch('/jwt', { method: 'DELETE' })).status, 204);
  assert.deepEqual([...browser.cookies.keys()], []);
  assert.deepEqual(await verdict(thief.fetch('/jwt/session')), [401, 'unauthenticated']);
  assert.deepEqual(await verdict(refresh(thief)), [401, 'unauthenticated']);
  assert.equal((await openBrowser(stack.url).fetch('/jwt', { method: 'DELETE' })).status, 204);
});

test('ends sessions that are too old or unused', async () => {
  for (const end of ['expiresAt', 'idleUntil'] as const) {
    const email = `${end.toLowerCase()}@clinic.example`;
    const browser = await stack.login(email);
    const { _id: userId } = await stack.user(email);
    await stack.sessions.updateOne({ userId }, { $set: { [end]: new Date(Date.now() - 1_000) } });
    assert.deepEqual(await verdict(refresh(browser)), [401, 'unauthenticated']);
    assert.equal(browser.cookies.get('signed_in'), undefined);
  }
});

test('opens no session without a valid ID token', async () => {
  const token = await stack.signUp('own@clinic.example');
  const browser = openBrowser(stack.url);
  assert.deepEqual(await verdict(browser.startSession('admin@clinic.example', token)), [403, 'forbidden']);
  for (const invalid of ['rubbish', `${token.split('.')[0]}.e30.`])
    assert.deepEqual(await verdict(browser.startSession('own@clinic.example', invalid)), [401, 'unauthenticated']);
  assert.deepEqual(await verdict(stack.anonymous('/jwt', { method: 'POST', json: { email: 'own@clinic.example' } })), [
    401,
    'unauthenticated',
  ]);
  assert.equal(browser.cookies.size, 0);
  assert.equal(await stack.users.countDocuments({ email: 'own@clinic.example' }), 0);
});

test('rejects unsigned session tokens and ones signed with the public key', async () => {
  const browser = await stack.login('forger@clinic.example');
  const [head = '', body = ''] = (tokenFor(browser.cookies.get('clinic_session') ?? '', 'identity') ?? '').split('.');
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as object;
  const claims = encode({ ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), role: 'admin' });
  const { keys } = (await (await stack.anonymous('/jwt/keys')).json()) as { keys: [Record<string, string>] };
  assert.deepEqual(Object.keys(keys[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  const hmac = `${encode({ ...header, alg: 'HS256' })}.${claims}`;
  const signature = createHmac('sha256', Buffer.from(keys[0]['x'] ?? '', 'base64url'))
    .update(hmac)
    .digest('base64url');
  for (const token of [
    `${encode({ ...header, alg: 'none' })}.${claims}.`,
    `${hmac}.${signature}`,
    `${head}.${claims}.AAAA`,
  ]) {
    browser.cookies.set('clinic_session', token);
    assert.deepEqual(await verdict(browser.fetch('/users')), [401, 'unauthenticated']);
  }
});

test('rejects sign-ins and log-outs from other sites', async () => {
  const token = await stack.signUp('csrf@clinic.example');
  const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
  const signIn = openBrowser(stack.url).startSession('csrf@clinic.example', token, {}, headers);
  assert.deepEqual(await verdict(signIn), [403, 'cross_site']);
  const browser = await stack.login('csrf2@clinic.example');
  assert.deepEqual(await verdict(browser.fetch('/jwt', { method: 'DELETE', headers })), [403, 'cross_site']);
  assert.equal((await browser.fetch('/jwt/session')).status, 200);
});

test('locks out a user disabled by an operator', async () => {
  const email = 'locked@clinic.example';
  const browser = await stack.login(email);
  await stack.users.updateOne(
    { email },
    { $set: { disabled: true, versionChangedAt: new Date() }, $inc: { version: 1 } },
  );
  await waitUntil(async () => (await browser.fetch(`/users/${email}`)).status !== 200);
  assert.deepEqual(await verdict(refresh(browser)), [403, 'account_disabled']);
  const proof = await stack.signInWithPassword(email);
  assert.deepEqual(await verdict(browser.startSession(email, proof)), [403, 'account_disabled']);
});

test('with secure cookies, uses the prefixes that other subdomains can’t fake', async () => {
  const secure = await stack.addReplica({ COOKIE_SECURE: 'true' });
  const browser = openBrowser(secure.url);
  await browser.startSession('secure@clinic.example', await stack.signUp('secure@clinic.example'));
  assert.deepEqual([...browser.cookies.keys()], ['__Host-clinic_session', '__Secure-clinic_refresh', 'signed_in']);
  assert.ok(browser.setCookies().every((line) => line.includes('; Secure')));
  assert.equal((await browser.fetch('/jwt/session')).status, 200);
  browser.cookies.set('clinic_session', browser.cookies.get('__Host-clinic_session') ?? '');
  browser.cookies.delete('__Host-clinic_session');
  assert.equal((await browser.fetch('/jwt/session')).status, 401);
});

test('limits the rate of sign-ins, per account and per address', async () => {
  await stack.replica.context.db.collection('counts').deleteMany({});
  const limited = await stack.addReplica({
    SIGN_INS_PER_MINUTE_AND_ACCOUNT: '3',
    SIGN_INS_PER_MINUTE_AND_ADDRESS: '8',
  });
  const browser = openBrowser(limited.url);
  const token = await stack.signUp('often@clinic.example');
  const statuses: number[] = [];
  for (let tries = 0; tries < 4; tries += 1)
    statuses.push((await browser.startSession('often@clinic.example', token)).status);
  assert.deepEqual(statuses, [200, 200, 200, 429]);
  const other = await stack.signUp('other@clinic.example');
  assert.equal((await browser.startSession('other@clinic.example', other)).status, 200);
  for (let tries = 0; tries < 3; tries += 1) await browser.startSession('other@clinic.example', 'rubbish');
  const rejected = await browser.startSession('other@clinic.example', other);
  const wait = Number(rejected.headers.get('retry-after'));
  assert.ok(wait > 0 && wait <= 60, `Retry-After: ${wait}`);
  assert.deepEqual(await verdict(rejected), [429, 'rate_limited']);
});

test('counts attempts over all replicas together, and starts again from zero after a minute', async () => {
  const env = {
    SIGN_INS_PER_MINUTE_AND_ACCOUNT: '4',
    SIGN_INS_PER_MINUTE_AND_ADDRESS: '1000',
    MONGODB_DATABASE: 'identity-shared',
  };
  const browsers = [
    openBrowser((await stack.addReplica(env)).url),
    openBrowser((await stack.addReplica(env)).url),
  ] as const;
  const email = 'shared@clinic.example';
  const token = await stack.signUp(email);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => browsers[at % 2 === 0 ? 0 : 1].startSession(email, token)),
  );
  assert.deepEqual(statusesOf(answers), [200, 200, 200, 200, 429, 429, 429, 429, 429, 429]);
  const counts = stack.replica.context.client.db('identity-shared').collection('counts');
  assert.ok(!JSON.stringify(await counts.find().toArray()).includes('127.0.0.1'));
  await counts.updateMany({}, { $set: { resetAt: new Date(Date.now() - 1) } });
  // A replica remembers a rejection until the minute is over; a new replica reads the database.
  const fresh = openBrowser((await stack.addReplica(env)).url);
  assert.equal((await fresh.startSession(email, token)).status, 200);
});

test('responds with 503, not 401, if Firebase can’t be reached', async () => {
  const token = await stack.signUp('unlucky@clinic.example');
  await stack.emulator.close();
  const signIn = openBrowser(stack.url).startSession('unlucky@clinic.example', token);
  assert.deepEqual(await verdict(signIn), [503, 'unavailable']);
});
