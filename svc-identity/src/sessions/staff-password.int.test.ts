import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Role, Session } from '@clinic/contracts';
import { openBrowser, type Browser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { acceptInvitation, invite } from '../testing/invitations.ts';
import { changeRole, confirmedPerson, refresh, staffAccountOf, verdict } from '../testing/people.ts';

const stack = await startIdentityStack({ STAFF_LONG_PASSWORD: 'required' });
after(() => stack.close());
const admin = await confirmedPerson(stack, 'admin@clinic.example', 'admin');
const short = 'Lake-Road-7';
const long = 'Lake-Road-7-Dhaka';

/** Logs in. @param says - our pages' statement about the password's length; other clients may send none */
async function logIn(
  browser: Browser,
  email: string,
  password: string,
  says: { readonly longPassword?: boolean } = { longPassword: password.length >= 12 },
): Promise<Session['user']> {
  const answer = await browser.startSession(email, await stack.signInWithPassword(email, password), says);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as Session).user;
}

/** Somebody who set that password through a mailed link, which confirms the address. */
async function resetBy(email: string, password: string, role: Role): Promise<Browser> {
  const browser = openBrowser(stack.url);
  const answer = await browser.startSession(email, await stack.signUp(email));
  assert.equal(answer.status, 200);
  await stack.users.updateOne(
    { email },
    {
      $set: { role, emailVerified: true, ...(role !== 'patient' && { staff: true as const }) },
      $unset: { passwordUnproven: 1 },
    },
  );
  await stack.resetPassword(email, password);
  return openBrowser(stack.url);
}

const givenRole = async (email: string, newRole: Role): Promise<number> =>
  (await changeRole(stack, admin, email, newRole)).status;

test('staff who set a short password through the mailed link have no staff rights until they set a longer one', async () => {
  const email = 'reset@clinic.example';
  const doctor = await resetBy(email, short, 'admin');
  const user = await logIn(doctor, email, short);
  assert.deepEqual(
    [user.role, user.held, user.passwordUnproven],
    ['patient', { role: 'admin', until: 'password' }, true],
  );
  assert.deepEqual(await verdict(doctor.fetch('/users')), [403, 'forbidden']);
  // They still count as staff, so patients can keep booking with a doctor.
  assert.equal((await staffAccountOf(stack, email))?.active, true);

  await stack.resetPassword(email, long);
  const longer = await logIn(doctor, email, long);
  assert.deepEqual([longer.role, longer.held, longer.passwordUnproven], ['admin', undefined, undefined]);
  assert.equal((await doctor.fetch('/users')).status, 200);
});

test('a login outside our pages, without a statement about the password, ends the rights of other browsers too', async () => {
  const email = 'past@clinic.example';
  const desk = await resetBy(email, long, 'admin');
  assert.equal((await logIn(desk, email, long)).role, 'admin');
  assert.equal((await desk.fetch('/users')).status, 200);
  const { version } = await stack.user(email);

  assert.equal((await logIn(openBrowser(stack.url), email, long, {})).role, 'patient');
  assert.equal((await stack.user(email)).version, version + 1);
  assert.deepEqual(await verdict(desk.fetch('/users')), [401, 'session_stale']);
  assert.equal((await refresh(desk)).status, 200);
  assert.deepEqual(await verdict(desk.fetch('/users')), [403, 'forbidden']);

  assert.equal((await logIn(openBrowser(stack.url), email, long)).role, 'admin');
  await refresh(desk);
  assert.equal((await desk.fetch('/users')).status, 200);
});

test('a role for somebody with a short password takes effect with a longer one; Google alone needs none', async () => {
  const email = 'promoted@clinic.example';
  const person = await resetBy(email, short, 'patient');
  assert.equal((await logIn(person, email, short)).held, undefined);
  assert.equal(await givenRole(email, 'pharmacist'), 200);
  const { user } = (await (await refresh(person)).json()) as Session;
  assert.deepEqual([user.role, user.held], ['patient', { role: 'pharmacist', until: 'password' }]);

  const google = await confirmedPerson(stack, 'google@clinic.example');
  assert.equal(await givenRole(google.email, 'pharmacist'), 200);
  assert.equal(((await (await refresh(google)).json()) as Session).user.role, 'pharmacist');
});

test('setting a longer password after signing in with Google gives the rights immediately', async () => {
  const email = 'both@clinic.example';
  const browser = await resetBy(email, short, 'admin');
  assert.deepEqual((await logIn(browser, email, short)).held, { role: 'admin', until: 'password' });
  const byGoogle = async (more: object): Promise<Session['user']> => {
    const idToken = await stack.signInWithGoogle({ sub: 'both', email });
    const answer = await browser.startSession(email, idToken, more);
    assert.equal(answer.status, 200);
    return ((await answer.json()) as Session).user;
  };
  // The short password still works; signing in with Google says nothing about it.
  assert.equal((await byGoogle({ longPassword: true })).role, 'patient');
  assert.equal((await byGoogle({ passwordChanged: true, longPassword: true })).role, 'admin');
});

test('an invitation accepted with a short password gives no rights until there is a longer one', async () => {
  const email = 'invited@clinic.example';
  const person = await resetBy(email, short, 'patient');
  await logIn(person, email, short);
  const invited = await invite(admin, email, 'admin');
  const { token } = (await invited.json()) as { token: string };
  const accepted = await acceptInvitation(person, token);
  assert.equal(accepted.status, 200);
  assert.deepEqual(((await accepted.json()) as Session).user.held, { role: 'admin', until: 'password' });
  assert.deepEqual(await verdict(person.fetch('/users')), [403, 'forbidden']);
});

test('with the emulator there is no length check unless the setting requires it', async () => {
  const demo = await stack.addReplica({ STAFF_LONG_PASSWORD: 'auto' });
  const email = 'demo@clinic.example';
  await resetBy(email, short, 'admin');
  const browser = openBrowser(demo.url);
  assert.equal((await logIn(browser, email, short)).role, 'admin');
});
