import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Session, User } from '@clinic/contracts';
import type { AccessEvent } from './contract/schemas.ts';
import type { StaffAccount } from '@clinic/service-kit';
import { nextSecond } from '@clinic/service-kit/testing/wait-until';
import { openBrowser, profile, type Browser } from './testing/browser.ts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { changeAccess, changeRole, refresh, staffAccountOf, verdict } from './testing/people.ts';

// What somebody who registers with another person's address can do, and what is left of it once the owner arrives.

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await stack.login('admin@clinic.example', 'admin');

/** Somebody who registered with another person's address, and their own name and phone. */
async function squat(email: string): Promise<Browser> {
  const browser = openBrowser(stack.url);
  const idToken = await stack.signUp(email);
  assert.equal((await browser.startSession(email, idToken)).status, 200);
  assert.equal((await browser.register(email, { idToken, firstName: 'Squatter' })).status, 200);
  await nextSecond();
  return browser;
}

async function assertLockedOut(squatter: Browser, email: string): Promise<void> {
  assert.equal((await squatter.fetch('/jwt/session')).status, 401);
  assert.equal((await refresh(squatter)).status, 401);
  assert.equal((await squatter.fetch(`/users/${email}`)).status, 401);
  assert.equal((await squatter.fetch(`/users/${email}/sessions`, { method: 'DELETE' })).status, 401);
}

/** Ways for the owner of an address to prove it. */
const proofs: Readonly<Record<string, (email: string) => Promise<string>>> = {
  'signs in with Google': (email) => stack.signInWithGoogle({ sub: email, email, name: 'Vera Owner' }),
  'resets the password': async (email) => {
    await stack.resetPassword(email, 'A-new-Secret-77');
    return stack.signInWithPassword(email, 'A-new-Secret-77');
  },
};
for (const [way, prove] of Object.entries(proofs)) {
  test(`nothing of a squatter is left once the owner ${way}`, async () => {
    const email = `owner-${way.replace(/\W/g, '-').toLowerCase()}@mail.example`;
    const squatter = await squat(email);
    const stolen = await stack.signInWithPassword(email);
    await nextSecond();
    const owner = openBrowser(stack.url);
    const session = await owner.startSession(email, await prove(email));
    assert.equal(session.status, 200);
    const { user } = (await session.json()) as Session;
    assert.equal(user.emailVerified, true);
    assert.notEqual(user.firstName, 'Squatter');
    assert.equal(user.profileNeeded, true);
    const kept = await stack.user(email);
    assert.deepEqual([kept.phone, kept.dateOfBirth, kept.registered], ['', '', false]);
    assert.ok(!kept.words.includes('squatter'));

    await assertLockedOut(squatter, email);
    // Earlier proofs open no session, although Firebase still considers them valid.
    assert.equal((await openBrowser(stack.url).startSession(email, stolen)).status, 401);
    assert.equal((await owner.fetch('/jwt/session')).status, 200);

    assert.equal((await owner.register(email)).status, 200);
    const { user: complete } = await owner.read<Session>('/jwt/session');
    assert.deepEqual([complete.firstName, complete.profileNeeded], [profile.firstName, undefined]);
  });
}

test('confirming in the browser of the registration keeps the profile and logs out other browsers', async () => {
  const email = 'honest@mail.example';
  const browser = openBrowser(stack.url);
  const idToken = await stack.signUp(email);
  assert.equal((await browser.register(email, { idToken })).status, 200);
  assert.equal((await browser.startSession(email, idToken)).status, 200);
  const other = openBrowser(stack.url);
  assert.equal((await other.startSession(email, await stack.signInWithPassword(email))).status, 200);
  await stack.confirmEmail(email);
  // Nothing changes until somebody proves their identity.
  assert.equal((await stack.user(email)).emailVerified, false);
  await nextSecond();
  const confirmed = await browser.startSession(email, await stack.signInWithPassword(email));
  assert.equal(confirmed.status, 200);
  const { user } = (await confirmed.json()) as Session;
  assert.deepEqual([user.emailVerified, user.firstName, user.profileNeeded], [true, profile.firstName, undefined]);
  assert.equal((await stack.user(email)).phone, profile.phone);
  assert.equal((await refresh(other)).status, 401);
  const [event] = await admin.read<AccessEvent[]>(`/access-events?email=${email}&action=e-mail%20confirmed`);
  assert.deepEqual(
    [event?.before, event?.after],
    [{ emailVerified: false }, { emailVerified: true, by: 'password', profile: 'kept' }],
  );
});

test('concurrent confirmations confirm once', async () => {
  const email = 'at-once@mail.example';
  await squat(email);
  await stack.confirmEmail(email);
  await nextSecond();
  const idToken = await stack.signInWithPassword(email);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => openBrowser(stack.url).startSession(email, idToken)),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal((await stack.events({ subject: email, action: 'e-mail confirmed' })).length, 1);
});

test('an unconfirmed account can’t get a staff role, and one it already has takes effect on confirmation', async () => {
  const email = 'doctor-to-be@mail.example';
  const stranger = await squat(email);
  for (const role of ['doctor', 'pharmacist', 'admin'])
    assert.deepEqual(await verdict(changeRole(stack, admin, email, role)), [403, 'email_unconfirmed']);
  assert.equal((await stack.user(email)).role, 'patient');

  // As admins could in an earlier release.
  await stack.users.updateOne(
    { email },
    { $set: { role: 'admin', staff: true, versionChangedAt: new Date() }, $inc: { version: 1 } },
  );
  const { user } = (await (await refresh(stranger)).json()) as Session;
  assert.deepEqual([user.role, user.held], ['patient', { role: 'admin', until: 'email' }]);
  assert.deepEqual(await verdict(stranger.fetch('/users')), [403, 'forbidden']);
  assert.equal((await stranger.read<User>(`/users/${email}`)).role, 'patient');
  const shown = await admin.read<User>(`/users/${email}`);
  assert.deepEqual([shown.role, shown.emailVerified], ['admin', false]);

  const owner = openBrowser(stack.url);
  const answer = await owner.startSession(email, await stack.signInWithGoogle({ sub: 'dtb', email }));
  const opened = (await answer.json()) as Session;
  assert.deepEqual([opened.user.role, opened.user.held], ['admin', undefined]);
  await assertLockedOut(stranger, email);
});

test('a sign-in with somebody else’s address writes nothing into their history', async () => {
  const victim = 'victim@mail.example';
  const attacker = 'attacker@mail.example';
  const idToken = await stack.signUp(attacker);
  for (const typed of [victim, 'invented@mail.example', 'admin@clinic.example'])
    assert.equal((await openBrowser(stack.url).startSession(typed, idToken)).status, 403);
  const about = [
    { subject: victim },
    { people: victim },
    { 'record.id': victim },
    { subject: 'invented@mail.example' },
  ];
  assert.deepEqual(await stack.events({ $or: about }), []);
  assert.deepEqual(await stack.events({ subject: 'admin@clinic.example', action: 'sign-in refused' }), []);
  assert.equal((await stack.events({ subject: attacker, action: 'sign-in refused' })).length, 1);
});

test('a changed password ends every other session', async () => {
  const email = 'changed@mail.example';
  const phone = await squat(email);
  const desk = openBrowser(stack.url);
  const idToken = await stack.signInWithPassword(email);
  await nextSecond();
  assert.equal((await desk.startSession(email, idToken, { passwordChanged: true })).status, 200);
  assert.equal((await desk.fetch('/jwt/session')).status, 200);
  assert.deepEqual(await verdict(refresh(phone)), [401, 'session_ended']);
});

test('sensitive actions need a proof of identity from the last minutes', async () => {
  const email = 'harm@mail.example';
  await stack.login(email, 'patient');
  const boss = await stack.login('boss@clinic.example', 'admin');
  const acts: readonly (readonly [string, string, unknown?])[] = [
    ['PATCH', `/update-role/${(await stack.user(email))._id.toHexString()}`, { newRole: 'doctor' }],
    ['PATCH', `/users/${email}/access`, { disabled: true }],
    ['DELETE', `/users/${email}/sessions`],
    ['GET', `/users/${email}/export`],
    ['POST', `/users/${email}/erasure`],
    ['DELETE', `/users/${email}`],
  ];
  await stack.sessions.updateMany(
    { userId: (await stack.user('boss@clinic.example'))._id },
    { $set: { provenAt: new Date(Date.now() - 601_000) } },
  );
  assert.equal((await refresh(boss)).status, 200);
  const stored = async (): Promise<string> => {
    // Without what the service derives a moment after a change.
    const { phoneE164: _derived, ...others } = await stack.user(email);
    return JSON.stringify(others);
  };
  const before = await stored();
  for (const [method, path, json] of acts)
    assert.deepEqual(await verdict(boss.fetch(path, { method, json })), [403, 'proof_needed'], `${method} ${path}`);
  assert.equal(await stored(), before);
  // Exporting one's own data and logging oneself out don't harm others.
  assert.equal((await boss.fetch('/users/boss@clinic.example/export')).status, 200);
  assert.equal((await boss.fetch('/users?limit=1')).status, 200);

  const prove = (json: object) => boss.fetch('/jwt/proof', { method: 'POST', json });
  const another = await stack.signInWithPassword(email);
  for (const [proof, expected] of [
    [{}, [400, 'validation_failed']],
    [{ idToken: another }, [403, 'forbidden']],
    [{ code: '000000' }, [400, 'validation_failed']],
  ] as const)
    assert.deepEqual(await verdict(prove(proof)), expected);
  assert.equal((await changeRole(stack, boss, email, 'doctor')).status, 403);
  assert.equal((await prove({ idToken: await stack.signInWithPassword('boss@clinic.example') })).status, 200);
  assert.equal((await changeRole(stack, boss, email, 'doctor')).status, 200);
});

test('other services get the staff list, which says whether each role is in effect', async () => {
  const email = 'staff-list@mail.example';
  await stack.login(email, 'patient');
  const inList = async (): Promise<Pick<StaffAccount, 'role' | 'active'> | undefined> => {
    const found = await staffAccountOf(stack, email);
    return found && { role: found.role, active: found.active };
  };
  assert.equal(await inList(), undefined);
  assert.equal((await changeRole(stack, admin, email, 'doctor')).status, 200);
  assert.deepEqual(await inList(), { role: 'doctor', active: true });
  assert.equal((await changeAccess(admin, email, true)).status, 200);
  assert.deepEqual(await inList(), { role: 'doctor', active: false });
  assert.equal((await changeAccess(admin, email, false)).status, 200);
  assert.equal((await changeRole(stack, admin, email, 'patient')).status, 200);
  assert.deepEqual(await inList(), { role: 'patient', active: true });
});
