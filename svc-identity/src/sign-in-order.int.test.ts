import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Session } from '@clinic/contracts';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import type { AccountStanding } from '@clinic/service-kit';
import { nextSecond } from '@clinic/service-kit/testing/wait-until';
import { openBrowser, profile, type Browser } from './testing/browser.ts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { acceptInvitation, invite, type MadeInvitation } from './testing/invitations.ts';
import { confirmedPerson, refresh, verdict } from './testing/people.ts';
import { codeOf, currentCode, putApp } from './testing/authenticator.ts';
import { putSecondFactor, registerUnconfirmed } from './testing/unconfirmed-people.ts';
import { resolveAccount } from './users/resolve-account.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

// First who it is, then the second factor, then the changes; and what an owner finds of somebody who merely typed their address.

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await confirmedPerson(stack, 'ada@clinic.example', 'admin');
const newPassword = 'A-new-Secret-77';
const needsCode = [401, 'second_factor_needed'];

const everythingOf = async (email: string): Promise<string> =>
  JSON.stringify([await stack.users.find({ email }).toArray(), await stack.events({ subject: email })]);
const openSessions = async (email: string): Promise<number> =>
  stack.sessions.countDocuments({ userId: (await stack.user(email))._id, endedAt: { $exists: false } });

/** Somebody with a confirmed address, a password and an authenticator app. */
async function withPasswordAndApp(email: string): Promise<{ browser: Browser; secret: string }> {
  const browser = await registerUnconfirmed(stack, email, 'Owner');
  await stack.confirmEmail(email);
  await nextSecond();
  assert.equal((await browser.startSession(email, await stack.signInWithPassword(email))).status, 200);
  const { _id } = await stack.user(email);
  const person = { ...browser, email, id: _id.toHexString(), prove: () => stack.signInWithPassword(email) };
  const secret = await putApp(stack, { ...person, elsewhere: () => Promise.resolve(browser) });
  return { browser, secret };
}

/** Ways for the owner of an address to prove it in a browser of their own. */
const proofs: Readonly<Record<string, (email: string) => Promise<Response>>> = {
  'signs in with Google': async (email) =>
    openBrowser(stack.url).startSession(email, await stack.signInWithGoogle({ sub: email, email, name: 'Vera Owner' })),
  'resets the password': async (email) => {
    await stack.resetPassword(email, newPassword);
    const idToken = await stack.signInWithPassword(email, newPassword);
    return openBrowser(stack.url).startSession(email, idToken, { passwordChanged: true });
  },
  'resets the password in another program': async (email) => {
    await stack.resetPassword(email, newPassword);
    return openBrowser(stack.url).startSession(email, await stack.signInWithPassword(email, newPassword));
  },
};

test('a password alone moves no address, ends no session and writes no history, if there is a second factor', async () => {
  const [from, to] = ['moves@mail.example', 'moved@mail.example'];
  const { browser, secret } = await withPasswordAndApp(from);
  await stack.changeEmail(from, to);
  await nextSecond();
  const before = await everythingOf(from);
  const thief = openBrowser(stack.url);
  const idToken = await stack.signInWithPassword(to);
  for (const more of [{}, { passwordChanged: true }, { longPassword: true }])
    assert.deepEqual(await verdict(thief.startSession(to, idToken, more)), needsCode);
  assert.deepEqual(await verdict(thief.register(to, { idToken })), needsCode);
  assert.deepEqual(await verdict(thief.startSession(to, idToken, { code: '000000', passwordChanged: true })), [
    403,
    'second_factor_wrong',
  ]);
  assert.equal(await everythingOf(from), before);
  assert.equal(await stack.users.countDocuments({ email: to }), 0);
  assert.equal((await browser.fetch('/jwt/session')).status, 200);

  const { _id } = await stack.user(from);
  const code = await currentCode(stack, from, secret);
  assert.equal((await thief.startSession(to, idToken, { code })).status, 200);
  assert.deepEqual((await stack.user(to))._id, _id);
  assert.equal((await browser.fetch('/jwt/session')).status, 401);
});

test('a sign-in that crosses the set-up of a second factor leaves no session without it', async () => {
  for (let round = 0; round < 3; round += 1) {
    const person = await confirmedPerson(stack, `crosses${round}@mail.example`);
    const path = `/users/${person.email}/second-factor`;
    const { secret } = (await (await person.fetch(path, { method: 'POST' })).json()) as { secret: string };
    const idToken = await person.prove();
    await Promise.all([
      person.fetch(`${path}/confirm`, { method: 'POST', json: { code: codeOf(secret) } }),
      ...Array.from({ length: 6 }, () => openBrowser(stack.url).startSession(person.email, idToken)),
    ]);
    assert.equal((await stack.user(person.email)).secondFactor !== undefined, true);
    assert.equal(await openSessions(person.email), 1);
  }
});

test('a second factor needs a confirmed address, also for one that was started before', async () => {
  const email = 'early@mail.example';
  const browser = await registerUnconfirmed(stack, email);
  const path = `/users/${email}/second-factor`;
  assert.deepEqual(await verdict(browser.fetch(path, { method: 'POST' })), [403, 'email_unconfirmed']);
  await stack.users.updateOne({ email }, { $set: { secondFactorDraft: { secret: 'sealed', since: new Date() } } });
  assert.deepEqual(await verdict(browser.fetch(`${path}/confirm`, { method: 'POST', json: { code: '000000' } })), [
    403,
    'email_unconfirmed',
  ]);
  assert.equal((await stack.user(email)).secondFactor, undefined);
});

for (const [way, prove] of Object.entries(proofs)) {
  test(`a stranger’s second factor, devices and sessions don’t reach the owner who ${way}`, async () => {
    const email = `${way.replaceAll(' ', '-').toLowerCase()}@mail.example`;
    const squatter = await registerUnconfirmed(stack, email);
    await putSecondFactor(stack, email);
    const squatted = await stack.user(email);
    await nextSecond();

    const { user } = await readJson<Session>(prove(email), 200);
    assert.deepEqual([user.emailVerified, user.secondFactor, user.profileNeeded], [true, undefined, true]);
    const owner = await stack.user(email);
    assert.notDeepEqual(owner._id, squatted._id);
    assert.deepEqual([owner.phone, owner.secondFactor, owner.knownDevices?.length], ['', undefined, 1]);
    assert.equal(owner.uid, squatted.uid, 'Firebase has one account for an address');

    const left = (await stack.users.findOne({ _id: squatted._id })) ?? assert.fail();
    assert.ok(isErasedEmail(left.email) && left.disabled && left.erasingSince && left.uid === undefined);
    assert.ok(left.version > squatted.version && !left.words.includes(email));
    const standing = await stack.internal(`/internal/accounts/${squatted._id.toHexString()}`);
    assert.equal(((await standing.json()) as AccountStanding).active, false);
    assert.equal((await squatter.fetch('/jwt/session')).status, 401);
    assert.deepEqual(await verdict(refresh(squatter)), [401, 'session_ended']);
    assert.ok(!JSON.stringify(await stack.events({ 'record.id': owner._id.toHexString() })).includes('Squatter'));
  });
}

test('an admin finishes the deletion of an account that was given up, which leaves the owner’s alone', async () => {
  const email = 'finished@mail.example';
  await registerUnconfirmed(stack, email);
  const { _id } = await stack.user(email);
  await nextSecond();
  const owner = openBrowser(stack.url);
  assert.equal((await owner.startSession(email, await stack.signInWithGoogle({ sub: email, email }))).status, 200);
  const left = (await stack.users.findOne({ _id })) ?? assert.fail();
  assert.equal((await admin.fetch(`/users/${left.email}`, { method: 'DELETE' })).status, 200);
  assert.equal(await stack.users.countDocuments({ _id }), 0);
  assert.equal((await owner.fetch('/jwt/session')).status, 200);
  // The Firebase account is the owner's now.
  assert.equal((await owner.startSession(email, await stack.signInWithGoogle({ sub: email, email }))).status, 200);
});

test('who registers on a laptop and confirms on a phone keeps the account and what is in it', async () => {
  const email = 'laptop@mail.example';
  await registerUnconfirmed(stack, email, 'Ann');
  await putSecondFactor(stack, email);
  const before = await stack.user(email);
  await nextSecond();
  await stack.confirmEmail(email);
  const phone = openBrowser(stack.url);
  assert.equal((await phone.startSession(email, await stack.signInWithPassword(email))).status, 200);
  const { _id, firstName, phone: number, emailVerified, secondFactor } = await stack.user(email);
  assert.deepEqual(
    [_id, firstName, number, emailVerified, secondFactor],
    [before._id, 'Ann', profile.phone, true, undefined],
  );
});

test('who continues with Google, or with a new password, in the browser of the registration keeps the account', async () => {
  for (const way of ['google', 'password']) {
    const email = `same-${way}@mail.example`;
    const browser = await registerUnconfirmed(stack, email, 'Ann');
    const { _id } = await stack.user(email);
    await nextSecond();
    if (way === 'password') await stack.resetPassword(email, newPassword);
    const idToken = await (way === 'google'
      ? stack.signInWithGoogle({ sub: email, email })
      : stack.signInWithPassword(email, newPassword));
    assert.equal((await browser.startSession(email, idToken)).status, 200);
    const user = await stack.user(email);
    assert.deepEqual([user._id, user.firstName, user.emailVerified], [_id, 'Ann', true]);
  }
});

test('an invited doctor gets in and accepts, whatever a stranger did with the address', async () => {
  const email = 'invited@clinic.example';
  await registerUnconfirmed(stack, email);
  await putSecondFactor(stack, email);
  const { token } = (await (await invite(admin, email)).json()) as MadeInvitation;
  await nextSecond();
  const doctor = openBrowser(stack.url);
  assert.equal((await doctor.startSession(email, await stack.signInWithGoogle({ sub: email, email }))).status, 200);
  assert.equal((await acceptInvitation(doctor, token)).status, 200);
  assert.equal((await stack.user(email)).role, 'doctor');
});

test('proofs, sign-ins and registrations at the same moment leave one account, the owner’s', async () => {
  const email = 'at-once@mail.example';
  const squatter = await registerUnconfirmed(stack, email);
  const stolen = await stack.signInWithPassword(email);
  const { _id: squatted } = await stack.user(email);
  await nextSecond();
  const idToken = await stack.signInWithGoogle({ sub: email, email, name: 'Vera Owner' });
  const owners = Array.from({ length: 3 }, () => openBrowser(stack.url));
  const answers = await Promise.all([
    ...owners.map((browser) => browser.startSession(email, idToken)),
    ...owners.map((browser) => browser.register(email, { idToken, firstName: 'Vera' })),
    openBrowser(stack.url).startSession(email, stolen),
    squatter.register(email, { idToken: stolen }),
    refresh(squatter),
  ]);
  assert.deepEqual([...new Set(statusesOf(answers.slice(0, 6)))], [200]);
  const [user = assert.fail(), ...others] = await stack.users.find({ email }).toArray();
  assert.deepEqual(others, []);
  assert.notDeepEqual(user._id, squatted);
  assert.equal(user.firstName, 'Vera');
  assert.equal((await stack.events({ 'record.id': squatted.toHexString(), action: 'deletion started' })).length, 1);
  for (const browser of owners) assert.equal((await browser.fetch('/jwt/session')).status, 200);
  assert.equal((await squatter.fetch('/jwt/session')).status, 401);
  // Neither Firebase's earlier proof nor a registration with it reaches the owner's account.
  assert.equal((await openBrowser(stack.url).startSession(email, stolen)).status, 401);
  assert.equal((await openBrowser(stack.url).register(email, { idToken: stolen })).status, 401);
});

test('an unconfirmed account that is switched off stays so, whoever proves the address', async () => {
  const email = 'off@mail.example';
  await registerUnconfirmed(stack, email);
  await stack.users.updateOne({ email }, { $set: { disabled: true } });
  await nextSecond();
  const before = JSON.stringify(await stack.user(email));
  for (const prove of Object.values(proofs)) assert.deepEqual(await verdict(prove(email)), [403, 'account_disabled']);
  assert.equal(JSON.stringify(await stack.user(email)), before);
});

test('an address that somebody merely typed is free for its owner to move to; a confirmed one isn’t', async () => {
  const [from, to, taken] = ['settles@mail.example', 'typed@mail.example', 'confirmed@mail.example'];
  const browser = await registerUnconfirmed(stack, from, 'Owner');
  await stack.confirmEmail(from);
  await nextSecond();
  await browser.startSession(from, await stack.signInWithPassword(from));
  const { _id } = await stack.user(from);
  // Accounts whose Firebase account is gone, as Firebase has one for an address.
  for (const [email, emailVerified] of [
    [to, false],
    [taken, true],
  ] as const) {
    await stack.users.deleteMany({ email });
    const other = await confirmedPerson(stack, `other-${email}`);
    await stack.users.updateOne({ email: other.email }, { $set: { email, emailVerified } });
  }
  await stack.changeEmail(from, taken);
  await nextSecond();
  const toTaken = await verdict(browser.startSession(taken, await stack.signInWithPassword(taken)));
  assert.deepEqual([toTaken, (await stack.user(from))._id], [[403, 'forbidden'], _id]);

  await stack.changeEmail(taken, to);
  await nextSecond();
  assert.equal((await browser.startSession(to, await stack.signInWithPassword(to))).status, 200);
  assert.deepEqual((await stack.user(to))._id, _id);
});

test('if Firebase can’t say whether a password is still the first one, nobody gets an account or loses one', async () => {
  const email = 'unknown@mail.example';
  await registerUnconfirmed(stack, email);
  const { uid = '' } = await stack.user(email);
  const authTime = Math.floor(Date.now() / 1_000);
  const account = {
    uid,
    email,
    emailVerified: true,
    provider: 'password',
    name: undefined,
    authTime,
    issuedAt: authTime,
  };
  const proof = { account, passwordChanged: false, refreshId: undefined, accountIsGone: () => Promise.resolve(false) };
  const { context } = stack.replica;
  await assert.rejects(resolveAccount(context, { ...proof, credentials: { unanswered: true } }), {
    code: 'unavailable',
  });
  // Without rights to ask, the account is never taken for the owner's.
  assert.equal((await resolveAccount(context, { ...proof, credentials: {} })).kind, 'new');
  assert.equal((await resolveAccount(context, { ...proof, credentials: { original: true } })).kind, 'proved');
});
