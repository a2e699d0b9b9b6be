import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { HistoryEntry, User } from '@clinic/contracts';
import type { AccessEvent } from './contract/schemas.ts';
import { nextSecond, waitUntil } from '@clinic/service-kit/testing/wait-until';
import { openBrowser, type Browser } from './testing/browser.ts';
import { password, startIdentityStack } from './testing/identity-stack.ts';
import { changeAccess, changeRights, changeRole, refresh, verdict } from './testing/people.ts';

const stack = await startIdentityStack();
after(() => stack.close());
let round = 0;
let admin: Browser;
beforeEach(async () => {
  round += 1;
  await stack.users.updateMany({}, { $set: { role: 'patient' } });
  admin = await stack.login(mail('admin'), 'admin');
});

const mail = (name: string): string => `${name}${round}@clinic.example`;
const endSessions = (browser: Browser, email: string): Promise<Response> =>
  browser.fetch(`/users/${email}/sessions`, { method: 'DELETE' });
const events = (query: string): Promise<AccessEvent[]> => admin.read(`/access-events?${query}`);
const signInAgain = async (email: string): Promise<Browser> => {
  const browser = openBrowser(stack.url);
  const answer = await browser.startSession(email, await stack.signInWithPassword(email));
  assert.equal(answer.status, 200);
  return browser;
};

test('switches an account off on all its devices immediately, and on again', async () => {
  const email = mail('pat');
  const devices = [await stack.login(email), await signInAgain(email)];
  const answer = await changeAccess(admin, email.toUpperCase(), true);
  assert.equal(answer.status, 200);
  assert.equal(((await answer.json()) as User).disabled, true);
  for (const device of devices) {
    assert.equal((await device.fetch('/jwt/session')).status, 401);
    assert.deepEqual(await verdict(refresh(device)), [403, 'account_disabled']);
    assert.equal(device.cookies.size, 0);
  }
  const proof = await stack.signInWithPassword(email);
  assert.deepEqual(await verdict(openBrowser(stack.url).startSession(email, proof)), [403, 'account_disabled']);
  assert.deepEqual(await verdict(openBrowser(stack.url).register(email, { idToken: proof })), [
    403,
    'account_disabled',
  ]);
  assert.equal((await admin.read<User>(`/users/${email}`)).disabled, true);

  assert.equal(((await (await changeAccess(admin, email, false)).json()) as User).disabled, undefined);
  const back = await signInAgain(email);
  assert.equal((await back.fetch('/jwt/session')).status, 200);
});

test('gives nothing to people who are being deleted, and takes nothing from them', async () => {
  const email = mail('leaving');
  await stack.login(email);
  await stack.users.updateOne({ email }, { $set: { disabled: true, erasingSince: new Date() } });
  for (const change of [
    changeRole(stack, admin, email, 'doctor'),
    changeRights(admin, email, 'reception'),
    changeAccess(admin, email, false),
  ])
    assert.deepEqual(await verdict(change), [409, 'transition_refused']);
  const { role, rights, disabled } = await stack.user(email);
  assert.deepEqual([role, rights, disabled], ['patient', undefined, true]);
  await stack.users.deleteOne({ email });
});

test('writes nothing if the account is already in that state', async () => {
  const patient = await stack.login(mail('same'));
  assert.equal((await changeAccess(admin, mail('same'), false)).status, 200);
  assert.equal((await patient.fetch('/jwt/session')).status, 200);
  assert.deepEqual(await events(`email=${mail('same')}&action=account%20switched%20on`), []);
});

test('rejects switching off oneself, the last admin and unknown users', async () => {
  assert.deepEqual(await verdict(changeAccess(admin, mail('admin'), true)), [409, 'own_account']);
  assert.deepEqual(await verdict(changeAccess(admin, mail('nobody'), true)), [404, 'not_found']);
  assert.deepEqual(await verdict(changeAccess(admin, 'nobody', true)), [400, 'validation_failed']);
  assert.deepEqual(
    await verdict(admin.fetch(`/users/${mail('admin')}/access`, { method: 'PATCH', json: { disabled: 'yes' } })),
    [400, 'validation_failed'],
  );
  assert.equal((await admin.fetch('/jwt/session')).status, 200);
});

test('leaves one admin when two switch each other off at the same moment', async () => {
  for (let game = 0; game < 5; game += 1) {
    await stack.users.updateMany({}, { $set: { role: 'patient' } });
    const [ann, bob] = [mail(`ann${game}x`), mail(`bob${game}x`)];
    const browsers = [await stack.login(ann, 'admin'), await stack.login(bob, 'admin')] as const;
    const answers = await Promise.all([changeAccess(browsers[0], bob, true), changeAccess(browsers[1], ann, true)]);
    assert.equal(await stack.users.countDocuments({ role: 'admin', disabled: { $ne: true } }), 1);
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  }
});

test('a disabled admin doesn’t count, so the last active one stays protected', async () => {
  const other = await stack.login(mail('other'), 'admin');
  assert.equal((await changeAccess(admin, mail('other'), true)).status, 200);
  assert.equal((await other.fetch('/users')).status, 401);
  assert.equal(await stack.users.countDocuments({ role: 'admin', disabled: { $ne: true } }), 1);
});

test('people can log out everywhere, and admins can do it for them, but nobody else', async () => {
  const email = mail('everywhere');
  const phone = await stack.login(email);
  const desk = await signInAgain(email);
  const stranger = await stack.login(mail('stranger'));
  assert.deepEqual(await verdict(endSessions(stranger, email)), [403, 'forbidden']);
  assert.equal((await phone.fetch('/jwt/session')).status, 200);

  assert.equal((await endSessions(desk, email)).status, 204);
  assert.equal(desk.cookies.size, 0);
  assert.equal((await phone.fetch('/jwt/session')).status, 401);
  assert.deepEqual(await verdict(refresh(phone)), [401, 'session_ended']);

  await nextSecond();
  const again = await signInAgain(email);
  assert.equal((await again.fetch('/jwt/session')).status, 200);
  assert.equal((await endSessions(admin, email)).status, 204);
  assert.deepEqual(await verdict(refresh(again)), [401, 'session_ended']);
  assert.deepEqual(await verdict(endSessions(admin, mail('nobody'))), [404, 'not_found']);
});

test('after a log-out everywhere, an earlier proof opens no new session', async () => {
  const email = mail('stolen');
  const person = await stack.login(email);
  const stolen = await stack.signInWithPassword(email);
  await nextSecond();
  assert.equal((await endSessions(person, email)).status, 204);
  assert.deepEqual(await verdict(openBrowser(stack.url).startSession(email, stolen)), [401, 'unauthenticated']);
  await signInAgain(email);
});

test('no concurrent sign-in gets past a locked account', async () => {
  for (let game = 0; game < 8; game += 1) {
    const email = mail(`slip${game}x`);
    await stack.login(email);
    const proof = await stack.signInWithPassword(email);
    const browser = openBrowser(stack.url);
    await Promise.all([browser.startSession(email, proof), changeAccess(admin, email, true)]);
    assert.notEqual((await browser.fetch('/jwt/session')).status, 200);
    assert.notEqual((await refresh(browser)).status, 200);
    // After the account is switched on again, earlier sessions stay ended.
    await changeAccess(admin, email, false);
    assert.notEqual((await refresh(browser)).status, 200);
  }
});

test('another replica rejects the session after a log-out everywhere', async () => {
  const second = await stack.addReplica();
  const email = mail('replica');
  const atFirst = await stack.login(email);
  const atSecond = openBrowser(second.url, atFirst.cookies);
  assert.equal((await atSecond.fetch('/jwt/session')).status, 200);
  await endSessions(admin, email);
  await waitUntil(async () => (await atSecond.fetch('/jwt/session')).status === 401);
});

test('shows admins who signed in, was rejected, and got or lost rights, by whom, without secrets', async () => {
  const email = mail('seen');
  const person = await stack.login(email, 'patient');
  await changeRole(stack, admin, email, 'doctor');
  await changeAccess(admin, email, true);
  const proof = await stack.signInWithPassword(email);
  for (let tries = 0; tries < 3; tries += 1) await openBrowser(stack.url).startSession(email, proof);
  await changeAccess(admin, email, false);
  await nextSecond();
  const back = await signInAgain(email);
  await back.fetch('/jwt', { method: 'DELETE' });
  await endSessions(admin, email);

  const shown = await events(`email=${email}`);
  assert.deepEqual(
    shown.map(({ action, actor }) => [action, actor?.email]),
    [
      ['logged out everywhere', mail('admin')],
      ['logged out', email],
      ['signed in', email],
      ['account switched on', mail('admin')],
      ['sign-in refused', undefined],
      ['account switched off', mail('admin')],
      ['role changed', mail('admin')],
      ['signed in', email],
      ['user created', email],
    ],
  );
  assert.ok(shown.every(({ user, requestId }) => user === email && requestId !== ''));
  assert.deepEqual(shown[2]?.after, { provider: 'password', address: '127.0.0.1' });
  assert.deepEqual(shown[4]?.after, { reason: 'account_disabled', address: '127.0.0.1' });
  assert.deepEqual([shown[6]?.before, shown[6]?.after], [{ role: 'patient' }, { role: 'doctor' }]);
  const everything = JSON.stringify(await events(''));
  for (const secret of [password, proof, person.cookies.get('clinic_refresh'), person.cookies.get('clinic_session')])
    assert.ok(secret && !everything.includes(secret));

  // Sign-ins don't swamp the user's own history.
  const history = await admin.read<HistoryEntry[]>(`/users/${email}/history`);
  assert.deepEqual(
    history.map(({ action }) => action),
    ['logged out everywhere', 'account switched on', 'account switched off', 'role changed', 'user created'],
  );
});

test('counts and lists rejected sign-ins by network: IPv6 visitors have a whole /64, and no more', async () => {
  await stack.replica.context.db.collection('counts').deleteMany({});
  const limited = await stack.addReplica({ SIGN_INS_PER_MINUTE_AND_ADDRESS: '3' });
  const from = (address: string): Promise<[number, string | undefined]> =>
    verdict(openBrowser(limited.url).startSession(mail('nobody'), 'rubbish', {}, { 'X-Forwarded-For': address }));
  const [one, neighbour] = ['2001:db8:7:1::', '2001:db8:7:2::'];
  const unproven = [401, 'unauthenticated'];
  for (let host = 1; host <= 3; host += 1) assert.deepEqual(await from(`${one}${host}`), unproven);
  for (let host = 4; host <= 6; host += 1) assert.deepEqual(await from(`${one}${host}`), [429, 'rate_limited']);
  assert.deepEqual(await from(`${neighbour}1`), unproven);
  const listed = await stack.events({ 'after.address': /^2001:db8:7:/ });
  assert.deepEqual(
    listed.map(({ after }) => after),
    [
      { reason: 'unauthenticated', address: `${one}1` },
      { reason: 'rate_limited', address: `${one}4` },
      { reason: 'unauthenticated', address: `${neighbour}1` },
    ],
  );
});

test('lists sign-ins rejected for forged proofs, other sites and too many attempts', async () => {
  await stack.replica.context.db.collection('counts').deleteMany({});
  const limited = await stack.addReplica({ SIGN_INS_PER_MINUTE_AND_ADDRESS: '3' });
  const browser = openBrowser(limited.url);
  const email = mail('forged');
  const claims = Buffer.from(JSON.stringify({ sub: 'x', email, aud: 'other', exp: 1 })).toString('base64url');
  assert.equal((await browser.startSession(email, `e30.${claims}.`)).status, 401);
  const proof = await stack.signUp(email);
  assert.equal((await browser.startSession(email, proof, {}, { 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  assert.equal((await browser.startSession(mail('admin'), proof)).status, 403);
  assert.equal((await browser.startSession(email, proof)).status, 429);
  assert.equal((await browser.startSession(email, proof)).status, 429);
  const rejected = await events('action=sign-in%20refused&limit=4');
  // The token's address, not the claimed one: nobody can write into other people's history.
  assert.deepEqual(
    rejected.map(({ user, after: { reason } }) => [reason, user]),
    [
      ['rate_limited', undefined],
      ['forbidden', email],
      ['cross_site', undefined],
      ['unauthenticated', undefined],
    ],
  );
  assert.deepEqual(await events(`email=${mail('admin')}&action=sign-in%20refused`), []);
});
