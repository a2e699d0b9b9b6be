import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Session } from '@clinic/contracts';
import type { AccessEvent } from '../contract/schemas.ts';
import { internalHeaders } from '@clinic/service-kit';
import { testFetch } from '@clinic/service-kit/testing';
import { loadSigningKey } from '../sessions/signing-key.ts';
import { openBrowser, type Browser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { ageProof, confirmedPerson, refresh, staffAccountOf, verdict, type Person } from '../testing/people.ts';
import { codeOf, currentCode, putApp, setUpApp, wrongCode } from '../testing/authenticator.ts';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await confirmedPerson(stack, 'ada@clinic.example', 'admin');

const pathOf = (email: string, rest = ''): string => `/users/${email}/second-factor${rest}`;
const post = (person: Browser, path: string, json?: object): Promise<Response> =>
  person.fetch(path, { method: 'POST', ...(json && { json }) });
const confirm = (person: Person, code: string): Promise<Response> =>
  post(person, pathOf(person.email, '/confirm'), { code });
const remove = (by: Browser, email: string): Promise<Response> => by.fetch(pathOf(email), { method: 'DELETE' });
const factorOf = async (email: string) => (await stack.user(email)).secondFactor;
const actionsOf = async (email: string): Promise<string[]> => {
  const events = await admin.read<AccessEvent[]>(`/access-events?email=${email}&limit=50`);
  return events.map(({ action }) => action).filter((action) => !/^(signed|sign-in)/.test(action));
};
const wrong = [403, 'second_factor_wrong'];
/** Signs in on a new browser with a new ID token. */
const signIn = async (person: Person, code?: string, url = stack.url): Promise<Response> =>
  openBrowser(url).startSession(person.email, await person.prove(), code === undefined ? {} : { code });
const forgetWrongCodes = (): Promise<unknown> => stack.replica.context.db.collection('counts').deleteMany({});

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

test('a first code sets it up, returns the recovery codes and ends the other sessions', async () => {
  const ann = await confirmedPerson(stack, 'ann@mail.example');
  const phone = await ann.elsewhere();
  const started = (await (await post(ann, pathOf(ann.email))).json()) as { secret: string; uri: string };
  assert.match(started.secret, /^[A-Z2-7]{32}$/);
  assert.equal(
    started.uri,
    `otpauth://totp/Waterlily%20Clinic:ann%40mail.example?issuer=Waterlily%20Clinic&secret=${started.secret}&algorithm=SHA1&digits=6&period=30`,
  );
  assert.equal(await factorOf(ann.email), undefined);

  assert.deepEqual(await verdict(confirm(ann, wrongCode(started.secret))), wrong);
  assert.equal(await factorOf(ann.email), undefined);
  assert.equal((await phone.fetch('/jwt/session')).status, 200);

  const confirmed = await confirm(ann, codeOf(started.secret));
  assert.equal(confirmed.status, 200);
  const { recoveryCodes } = (await confirmed.json()) as { recoveryCodes: string[] };
  assert.equal(new Set(recoveryCodes).size, 10);
  for (const code of recoveryCodes) assert.match(code, /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/);
  assert.equal((await phone.fetch('/jwt/session')).status, 401);
  assert.deepEqual(await verdict(refresh(phone)), [401, 'session_ended']);
  assert.equal(((await (await refresh(ann)).json()) as Session).user.secondFactor, true);
  assert.deepEqual(await actionsOf(ann.email), ['second factor set up', 'user created']);

  const stored =
    JSON.stringify(await stack.users.find().toArray()) + JSON.stringify(await stack.events({})) + stack.log.join('');
  for (const secret of [started.secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
    assert.ok(!stored.includes(secret), 'a secret is stored in plain text');
});

test('a second factor is required at every sign-in; a code and a recovery code work once each', async () => {
  const person = await confirmedPerson(stack, 'asked@mail.example');
  const { secret, code: used, recoveryCodes } = await setUpApp(person);
  const [recovery = ''] = recoveryCodes;
  const before = await stack.sessions.countDocuments();
  assert.deepEqual(await verdict(signIn(person)), [401, 'second_factor_needed']);
  assert.deepEqual(await verdict(signIn(person, wrongCode(secret))), wrong);
  assert.deepEqual(await verdict(signIn(person, 'AAAA-BBBB-CCCC-DDDD')), wrong);
  // The code used for set-up can't be used again.
  assert.deepEqual(await verdict(signIn(person, used)), wrong);
  assert.equal(await stack.sessions.countDocuments(), before);

  await forgetWrongCodes();
  const code = await currentCode(stack, person.email, secret);
  assert.equal((await signIn(person, `${code.slice(0, 3)} ${code.slice(3)}`)).status, 200);
  assert.deepEqual(await verdict(signIn(person, code)), wrong);
  assert.equal((await signIn(person, recovery.toLowerCase().replaceAll('-', ' '))).status, 200);
  assert.deepEqual(await verdict(signIn(person, recovery)), wrong);
  assert.equal((await factorOf(person.email))?.recoveryHashes.length, 9);
  assert.equal((await actionsOf(person.email))[0], 'recovery code used');
});

test('one code sent five times at once opens one session, over all replicas', async () => {
  const person = await confirmedPerson(stack, 'race@mail.example');
  const { secret, recoveryCodes } = await setUpApp(person);
  const [recovery = ''] = recoveryCodes;
  const second = await stack.addReplica();
  for (const one of [await currentCode(stack, person.email, secret), recovery]) {
    await forgetWrongCodes();
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, at) => signIn(person, one, at % 2 ? second.url : stack.url)),
    );
    assert.deepEqual(statusesOf(answers), [200, 403, 403, 403, 403]);
  }
});

test('a code whose answer was lost is accepted once more under its key, and under no other', async () => {
  const person = await confirmedPerson(stack, 'unheard@mail.example');
  const { secret, recoveryCodes } = await setUpApp(person);
  const [recovery = '', other = ''] = recoveryCodes;
  const withKey = async (code: string, key: string): Promise<Response> =>
    openBrowser(stack.url).startSession(person.email, await person.prove(), { code }, { 'Idempotency-Key': key });
  for (const one of [await currentCode(stack, person.email, secret), recovery]) {
    await forgetWrongCodes();
    const both = await Promise.all([withKey(one, `key of ${one}`.replaceAll(' ', '-')), withKey(one, 'another')]);
    assert.deepEqual(statusesOf(both), [200, 403]);
    const [first] = both;
    const [its, others] = first?.status === 200 ? [`key-of-${one}`, 'another'] : ['another', `key-of-${one}`];
    assert.equal((await withKey(one, its)).status, 200);
    assert.deepEqual(await verdict(withKey(one, others)), wrong);
    assert.deepEqual(await verdict(signIn(person, one)), wrong);
  }
  // Not for longer than an app's code is valid, and not for another code.
  assert.deepEqual(await verdict(withKey(wrongCode(secret), 'another')), wrong);
  assert.equal((await withKey(other, 'key')).status, 200);
  await stack.users.updateOne({ email: person.email }, { $set: { 'secondFactor.lastSpent.at': minutesAgo(2) } });
  await forgetWrongCodes();
  assert.deepEqual(await verdict(withKey(other, 'key')), wrong);
  const proof = { method: 'POST', json: { code: await currentCode(stack, person.email, secret) } };
  const headers = { 'Idempotency-Key': 'proof' };
  for (const status of [200, 200])
    assert.equal((await person.fetch('/jwt/proof', { ...proof, headers })).status, status);
  assert.deepEqual(await verdict(person.fetch('/jwt/proof', proof)), wrong);
});

test('two concurrent confirmations set it up once, and the returned recovery codes work', async () => {
  const person = await confirmedPerson(stack, 'twice@mail.example');
  const { secret } = (await (await post(person, pathOf(person.email))).json()) as { secret: string };
  const code = codeOf(secret);
  const confirmed = () => untilServed(() => confirm(person, code));
  const answers = await Promise.all([1, 2, 3].map(confirmed));
  await refresh(person);
  const returned = answers.map(async (first) => {
    // One that came after the set-up has an outdated token, which the browser refreshes before it asks again.
    const answer = first.status === 401 ? await confirmed() : first;
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as { recoveryCodes: string[] }).recoveryCodes;
  });
  const [recoveryCodes = assert.fail(), ...others] = await Promise.all(returned);
  for (const other of others) assert.deepEqual(other, recoveryCodes);
  assert.equal((await signIn(person, recoveryCodes[3])).status, 200);
  assert.equal((await actionsOf(person.email)).filter((action) => action === 'second factor set up').length, 1);
});

test('a confirmation whose answer was lost is answered again with the same recovery codes, until one is used or they are old', async () => {
  const person = await confirmedPerson(stack, 'unanswered@mail.example');
  const { secret } = (await (await post(person, pathOf(person.email))).json()) as { secret: string };
  const codesOf = async (code = codeOf(secret)): Promise<string[]> => {
    const answer = await confirm(person, code);
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as { recoveryCodes: string[] }).recoveryCodes;
  };
  const stored = async () => {
    const { version, secondFactor } = await stack.user(person.email);
    return { version, ...secondFactor, lastStep: 0, lastSpent: undefined };
  };
  const first = await codesOf();
  await refresh(person);
  const before = await stored();
  assert.deepEqual(await codesOf(), first);
  assert.deepEqual(await verdict(confirm(person, wrongCode(secret))), wrong);
  assert.deepEqual(await stored(), before);
  assert.equal((await actionsOf(person.email)).filter((action) => action === 'second factor set up').length, 1);

  // The next code spent here isn't accepted elsewhere, and one spent elsewhere isn't here.
  const next = codeOf(secret, Date.now() + 30_000);
  assert.deepEqual(await codesOf(next), first);
  assert.deepEqual(await verdict(signIn(person, next)), wrong);
  const lastSpent = { what: String((await factorOf(person.email))?.lastStep), key: 'another', at: new Date() };
  await stack.users.updateOne({ email: person.email }, { $set: { 'secondFactor.lastSpent': lastSpent } });
  assert.deepEqual(await verdict(confirm(person, next)), wrong);

  const since = (await factorOf(person.email))?.since ?? assert.fail();
  await stack.users.updateOne({ email: person.email }, { $set: { 'secondFactor.since': minutesAgo(11) } });
  assert.deepEqual(await verdict(confirm(person, codeOf(secret))), [404, 'not_found']);
  await stack.users.updateOne({ email: person.email }, { $set: { 'secondFactor.since': since } });
  assert.deepEqual(await codesOf(await currentCode(stack, person.email, secret)), first);
  assert.equal((await signIn(person, first[0])).status, 200);
  assert.deepEqual(await verdict(confirm(person, codeOf(secret))), [404, 'not_found']);
});

test('right codes don’t count towards the limit', async () => {
  const person = await confirmedPerson(stack, 'often@mail.example');
  const secret = await putApp(stack, person);
  for (let time = 0; time < 8; time += 1)
    assert.equal((await signIn(person, await currentCode(stack, person.email, secret))).status, 200);
});

test('with a second factor only a code renews the proof of identity, never a password or Google alone', async () => {
  const person = await confirmedPerson(stack, 'prover@mail.example');
  const secret = await putApp(stack, person);
  await ageProof(stack, person);
  const prove = (json: object): Promise<Response> => post(person, '/jwt/proof', json);
  const acts = (): Promise<Response>[] => [
    post(person, pathOf(person.email, '/recovery-codes')),
    remove(person, person.email),
    person.fetch(`/users/${person.email}`, { method: 'DELETE' }),
  ];
  const before = JSON.stringify(await stack.user(person.email));
  assert.deepEqual(await verdict(prove({ idToken: await person.prove() })), [400, 'validation_failed']);
  for (const act of acts()) assert.deepEqual(await verdict(act), [403, 'proof_needed']);
  assert.deepEqual(await verdict(prove({ idToken: await person.prove(), code: wrongCode(secret) })), wrong);
  for (const act of acts()) assert.deepEqual(await verdict(act), [403, 'proof_needed']);
  assert.equal(JSON.stringify(await stack.user(person.email)), before);

  const idToken = await person.prove();
  for (const more of [{}, { idToken }])
    assert.equal((await prove({ ...more, code: await currentCode(stack, person.email, secret) })).status, 200);
  assert.equal((await post(person, pathOf(person.email, '/recovery-codes'))).status, 200);
});

test('a set-up with an old proof, for another person or for a second time changes nothing', async () => {
  const person = await confirmedPerson(stack, 'careful@mail.example');
  const stranger = await confirmedPerson(stack, 'stranger@mail.example');
  await ageProof(stack, person);
  assert.deepEqual(await verdict(post(person, pathOf(person.email))), [403, 'proof_needed']);
  assert.deepEqual(await verdict(post(stranger, pathOf(person.email))), [403, 'forbidden']);
  // Nobody can set one up for somebody else, not even an admin.
  assert.deepEqual(await verdict(post(admin, pathOf(person.email))), [403, 'forbidden']);
  assert.equal((await stack.user(person.email)).secondFactorDraft, undefined);
  assert.deepEqual(await verdict(confirm(stranger, '123456')), [404, 'not_found']);
  assert.deepEqual(await verdict(post(stranger, pathOf(stranger.email, '/recovery-codes'))), [404, 'not_found']);

  await putApp(stack, stranger);
  const before = await factorOf(stranger.email);
  assert.deepEqual(await verdict(post(stranger, pathOf(stranger.email))), [409, 'duplicate']);
  assert.deepEqual(await verdict(remove(person, stranger.email)), [403, 'forbidden']);
  await ageProof(stack, stranger);
  assert.deepEqual(await verdict(remove(stranger, stranger.email)), [403, 'proof_needed']);
  assert.deepEqual(await factorOf(stranger.email), before);
});

test('a secret can’t be confirmed after an hour', async () => {
  const person = await confirmedPerson(stack, 'slow@mail.example');
  const { secret } = (await (await post(person, pathOf(person.email))).json()) as { secret: string };
  await stack.users.updateOne(
    { email: person.email },
    { $set: { 'secondFactorDraft.since': new Date(Date.now() - 3_601_000) } },
  );
  assert.deepEqual(await verdict(confirm(person, codeOf(secret))), [404, 'not_found']);
  assert.equal(await factorOf(person.email), undefined);
});

test('new recovery codes replace all old ones', async () => {
  const person = await confirmedPerson(stack, 'renews@mail.example');
  const before = await setUpApp(person);
  const { recoveryCodes } = (await (await post(person, pathOf(person.email, '/recovery-codes'))).json()) as {
    recoveryCodes: string[];
  };
  assert.deepEqual(await verdict(signIn(person, before.recoveryCodes[0])), wrong);
  assert.equal((await signIn(person, recoveryCodes[9])).status, 200);
  assert.deepEqual((await actionsOf(person.email)).slice(0, 2), ['recovery code used', 'recovery codes renewed']);
});

test('people remove their own; an admin resets that of somebody who lost it, which ends their sessions', async () => {
  const person = await confirmedPerson(stack, 'lost@mail.example');
  await setUpApp(person);
  assert.equal((await remove(person, person.email)).status, 204);
  assert.equal(await factorOf(person.email), undefined);
  assert.equal((await refresh(person)).status, 200);
  assert.deepEqual(await verdict(remove(person, person.email)), [409, 'transition_refused']);

  await setUpApp(person);
  await ageProof(stack, admin);
  assert.deepEqual(await verdict(remove(admin, person.email)), [403, 'proof_needed']);
  assert.equal((await post(admin, '/jwt/proof', { idToken: await admin.prove() })).status, 200);
  assert.equal((await remove(admin, person.email)).status, 204);
  assert.equal(await factorOf(person.email), undefined);
  assert.equal((await person.fetch('/jwt/session')).status, 401);
  assert.deepEqual(await verdict(refresh(person)), [401, 'session_ended']);
  assert.deepEqual((await actionsOf(person.email)).slice(0, 4), [
    'second factor reset',
    'second factor set up',
    'second factor removed',
    'second factor set up',
  ]);
  assert.deepEqual(await verdict(remove(admin, 'nobody@mail.example')), [404, 'not_found']);
});

test('if staff need one, a role is in effect from its set-up until its removal, in all services', async () => {
  const strict = await stack.addReplica({ STAFF_SECOND_FACTOR: 'required' });
  const doctor = await confirmedPerson(stack, 'grey@clinic.example', 'admin', strict.url);
  const internal = testFetch(strict.url, internalHeaders(stack.env['INTERNAL_SECRET'] ?? ''));
  const staffList = async () => (await staffAccountOf({ internal }, doctor.email))?.active;
  const user = async (): Promise<Session['user']> => ((await (await refresh(doctor)).json()) as Session).user;
  assert.deepEqual(
    [(await user()).role, (await user()).held, await staffList()],
    ['patient', { role: 'admin', until: 'second_factor' }, false],
  );
  assert.equal((await doctor.fetch('/users')).status, 403);

  await setUpApp(doctor);
  assert.deepEqual([(await user()).role, (await user()).held, await staffList()], ['admin', undefined, true]);
  assert.equal((await doctor.fetch('/users')).status, 200);

  const { version } = await stack.user(doctor.email);
  assert.equal((await remove(doctor, doctor.email)).status, 204);
  assert.equal((await stack.user(doctor.email)).version, version + 1);
  // The token with the role ends at once.
  assert.deepEqual(await verdict(doctor.fetch('/users')), [401, 'session_stale']);
  assert.deepEqual([(await user()).role, await staffList()], ['patient', false]);
});

test('an ID token alone reveals nothing about somebody with a second factor', async () => {
  const person = await confirmedPerson(stack, 'private@mail.example');
  await putApp(stack, person);
  const browser = openBrowser(stack.url);
  const answer = await browser.register(person.email, { idToken: await person.prove() });
  const text = await answer.text();
  assert.equal(answer.status, 401);
  assert.ok(!text.includes('Ann') && text.includes('second_factor_needed'));
});

test('after a change of the session key authenticator apps keep working, if the previous key is set once', async () => {
  const person = await confirmedPerson(stack, 'rotates@mail.example');
  const { secret, recoveryCodes } = await setUpApp(person);
  const previous = stack.env['SESSION_KEY_FILE'] ?? '';
  const next = join(previous, '..', 'next.pem');
  await loadSigningKey(next, true);
  const sealed = (await factorOf(person.email))?.secret;

  // Without the previous key only recovery codes work, however many codes of the app have been tried.
  const forgetful = await stack.addReplica({ SESSION_KEY_FILE: next });
  assert.ok(stack.log.some((line) => line.includes('neither session key') && line.includes(person.id)));
  for (let tries = 0; tries < 6; tries += 1)
    assert.deepEqual(await verdict(signIn(person, codeOf(secret), forgetful.url)), [503, 'unavailable']);
  assert.equal((await signIn(person, recoveryCodes[0], forgetful.url)).status, 200);
  assert.ok(stack.log.some((line) => line.includes('encrypted with another session key')));
  assert.equal((await factorOf(person.email))?.secret, sealed);

  await stack.addReplica({ SESSION_KEY_FILE: next, SESSION_KEY_PREVIOUS_FILE: previous });
  assert.notEqual((await factorOf(person.email))?.secret, sealed);
  assert.equal((await signIn(person, await currentCode(stack, person.email, secret), forgetful.url)).status, 200);
});
