import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { Problem, Session } from '@clinic/contracts';
import type { Invitation } from '../contract/schemas.ts';
import type { ExportedThing } from '@clinic/service-kit';
import { openBrowser, type Browser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { acceptInvitation, doctorProfile as profile, invite, type MadeInvitation } from '../testing/invitations.ts';
import { ageProof, confirmedPerson, refresh, staffAccountOf, verdict, type Person } from '../testing/people.ts';
import { invitationsOf } from './invitation-record.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await confirmedPerson(stack, 'ada@clinic.example', 'admin');
let round = 0;
beforeEach(() => {
  round += 1;
});

const mail = (name: string): string => `${name}${round}@clinic.example`;
const invited = async (email: string, role = 'doctor'): Promise<MadeInvitation> => {
  const answer = await invite(admin, email, role);
  assert.equal(answer.status, 201);
  return (await answer.json()) as MadeInvitation;
};
const open = (token: string): Promise<Response> =>
  stack.anonymous('/staff/invitation', { method: 'POST', json: { token } });
const revoke = (by: Browser, { _id }: Invitation): Promise<Response> =>
  by.fetch(`/staff/invitations/${_id}`, { method: 'DELETE' });
const statesOf = async (email: string, query: string): Promise<string[]> => {
  const listed = await admin.read<Invitation[]>(`/staff/invitations?${query}`);
  return listed.filter((one) => one.email === email).map(({ state }) => state);
};
const stored = (email: string) => invitationsOf(stack.replica.context).find({ email }).toArray();
const eventsOf = async (email: string): Promise<string[]> =>
  (await stack.events({ subject: email, 'record.type': { $ne: 'sign-in' } })).map(({ action }) => action);

test('an invitation leads from link to role and profile, with rights in effect immediately', async () => {
  const email = mail('grey');
  const { invitation, token } = await invited(email.toUpperCase());
  assert.match(token, /^[\w-]{43}$/);
  const { _id: _invitation, invitedAt, expiresAt, ...rest } = invitation;
  assert.deepEqual(rest, { email, role: 'doctor', name: profile.name, state: 'open', invitedBy: admin.email });
  assert.equal(Date.parse(expiresAt) - Date.parse(invitedAt), 7 * 86_400_000);
  assert.deepEqual(await (await open(token)).json(), { email, role: 'doctor', name: profile.name, expiresAt });
  assert.ok(
    !JSON.stringify(await stored(email)).includes(token) && !stack.log.join('').includes(token),
    'the token is stored',
  );

  const grey = await confirmedPerson(stack, email);
  assert.equal((await grey.fetch('/users')).status, 403);
  const answer = await acceptInvitation(grey, token);
  assert.equal(answer.status, 200);
  assert.equal(((await answer.json()) as Session).user.role, 'doctor');
  // Not the previous token, which ended: this browser got a new one with the response.
  assert.equal((await grey.read<Session>('/jwt/session')).user.role, 'doctor');
  const { role, staff, version } = await stack.user(email);
  assert.deepEqual([role, staff, version], ['doctor', true, 2]);
  assert.deepEqual(await staffAccountOf(stack, email), { id: grey.id, email, role: 'doctor', active: true, profile });
  assert.deepEqual(await eventsOf(email), ['invited', 'user created', 'invitation accepted', 'role changed']);
  assert.deepEqual(await statesOf(email, ''), ['accepted']);
  assert.deepEqual(await verdict(open(token)), [409, 'invitation_over']);
});

test('an invitation can make an admin, too, and the person’s other tokens end', async () => {
  const email = mail('second');
  const person = await confirmedPerson(stack, email);
  const phone = await person.elsewhere();
  const { token } = await invited(email, 'admin');
  assert.equal((await acceptInvitation(person, token)).status, 200);
  assert.equal((await person.fetch('/users')).status, 200);
  assert.deepEqual(await verdict(phone.fetch('/jwt/session')), [401, 'session_stale']);
  assert.equal(((await (await refresh(phone)).json()) as Session).user.role, 'admin');
});

test('an invitation accepted five times at once takes effect once; a repeat returns the same result', async () => {
  const email = mail('keen');
  const person = await confirmedPerson(stack, email);
  const { token } = await invited(email);
  const answers = await Promise.all(Array.from({ length: 5 }, () => acceptInvitation(person, token)));
  // Later requests have an outdated token, or find that the same person has already accepted.
  for (const { status } of answers) assert.ok([200, 401].includes(status), String(status));
  assert.ok(answers.some(({ status }) => status === 200));
  await refresh(person);
  assert.equal((await acceptInvitation(person, token)).status, 200);
  assert.deepEqual(await eventsOf(email), ['user created', 'invited', 'invitation accepted', 'role changed']);
  assert.equal((await stack.user(email)).version, 2);
});

test('an invitation works only for its confirmed address, and stays open after a rejection', async () => {
  const email = mail('invited');
  const { token } = await invited(email);
  const stranger = await confirmedPerson(stack, mail('stranger'));
  assert.deepEqual(await verdict(acceptInvitation(stranger, token)), [403, 'forbidden']);
  // Somebody who only typed the address.
  const squatter = openBrowser(stack.url);
  assert.equal((await squatter.startSession(email, await stack.signUp(email))).status, 200);
  assert.deepEqual(await verdict(acceptInvitation(squatter, token)), [403, 'email_unconfirmed']);
  assert.deepEqual(await verdict(acceptInvitation(openBrowser(stack.url), token)), [401, 'unauthenticated']);
  assert.deepEqual(await verdict(acceptInvitation(stranger, 'x'.repeat(43))), [404, 'not_found']);
  assert.deepEqual(await verdict(acceptInvitation(stranger, '<script>')), [400, 'validation_failed']);
  assert.deepEqual(
    [(await stack.user(email)).role, (await stack.user(stranger.email)).role, (await stored(email))[0]?.state],
    ['patient', 'patient', 'open'],
  );

  // The real owner arrives, which logs the squatter out.
  const person = await confirmedPerson(stack, email);
  assert.equal((await squatter.fetch('/jwt/session')).status, 401);
  assert.equal((await acceptInvitation(person, token)).status, 200);
  assert.equal((await stack.user(email)).role, 'doctor');
});

test('an address has one open invitation per role, even if ten are made at once', async () => {
  const email = mail('popular');
  const answers = await Promise.all(Array.from({ length: 10 }, () => invite(admin, email)));
  assert.deepEqual(statusesOf(answers), [201, ...Array.from({ length: 9 }, () => 409)]);
  const refused = (await answers.find(({ status }) => status === 409)?.json()) as Problem;
  assert.equal(refused.detail, `${email} already has an open invitation to this role. Revoke it first.`);
  assert.equal((await stored(email)).length, 1);
  assert.deepEqual(await eventsOf(email), ['invited']);
  assert.equal((await invite(admin, email, 'pharmacist')).status, 201);
});

test('an invitation ends when revoked or expired, and another one can be made', async () => {
  const email = mail('late');
  const person = await confirmedPerson(stack, email);
  const first = await invited(email);
  assert.equal((await revoke(admin, first.invitation)).status, 204);
  assert.deepEqual(await verdict(revoke(admin, first.invitation)), [409, 'transition_refused']);
  const second = await invited(email);
  await invitationsOf(stack.replica.context).updateOne(
    { email, state: 'open' },
    { $set: { expiresAt: new Date(Date.now() - 1) } },
  );
  assert.deepEqual(await verdict(revoke(admin, second.invitation)), [409, 'transition_refused']);
  for (const { token } of [first, second]) {
    assert.deepEqual(await verdict(acceptInvitation(person, token)), [409, 'invitation_over']);
    assert.deepEqual(await verdict(open(token)), [409, 'invitation_over']);
  }
  assert.equal((await stack.user(email)).role, 'patient');
  const third = await invited(email);
  assert.equal((await acceptInvitation(person, third.token)).status, 200);
  assert.deepEqual(await statesOf(email, 'limit=50'), ['accepted', 'expired', 'revoked']);
  for (const state of ['accepted', 'expired', 'revoked'] as const)
    assert.deepEqual(await statesOf(email, `state=${state}`), [state]);
  assert.deepEqual(await statesOf(email, 'state=open'), []);
  assert.deepEqual(
    (await eventsOf(email)).filter((action) => action.includes('invit')),
    ['invited', 'invitation revoked', 'invited', 'invited', 'invitation accepted'],
  );
});

test('of a concurrent revocation and acceptance only one takes effect', async () => {
  for (let game = 0; game < 6; game += 1) {
    const email = mail(`torn${game}x`);
    const person = await confirmedPerson(stack, email);
    const { invitation, token } = await invited(email);
    const [revoked, accepted] = await Promise.all([revoke(admin, invitation), acceptInvitation(person, token)]);
    const [{ state } = { state: 'gone' }] = await stored(email);
    const { role } = await stack.user(email);
    const happened = [revoked.status, accepted.status, state, role].join();
    assert.ok(['204,409,revoked,patient', '409,200,accepted,doctor'].includes(happened), happened);
  }
});

test('an admin who loses the role, is switched off or deleted leaves no open invitation', async () => {
  const ends: Record<string, (other: Person) => Promise<Response>> = {
    demoted: ({ id }) => admin.fetch(`/update-role/${id}`, { method: 'PATCH', json: { newRole: 'patient' } }),
    off: ({ email }) => admin.fetch(`/users/${email}/access`, { method: 'PATCH', json: { disabled: true } }),
    deleted: ({ email }) => admin.fetch(`/users/${email}/erasure`, { method: 'POST', json: {} }),
  };
  for (const [name, end] of Object.entries(ends)) {
    const other = await confirmedPerson(stack, mail(`${name}-admin`), 'admin');
    const email = mail(`${name}-guest`);
    const { token } = (await (await invite(other, email)).json()) as { token: string };
    const guest = await confirmedPerson(stack, email);
    assert.equal((await end(other)).status, 200);
    assert.deepEqual(await verdict(acceptInvitation(guest, token)), [409, 'invitation_over']);
    assert.equal((await stack.user(email)).role, 'patient');
    assert.deepEqual((await eventsOf(email)).at(-1), 'invitation revoked');
  }
});

test('the last admin can’t accept an invitation to another role', async () => {
  const alone = await startIdentityStack();
  try {
    const only = await confirmedPerson(alone, 'only@clinic.example', 'admin');
    const { token } = (await (await invite(only, only.email)).json()) as { token: string };
    assert.deepEqual(await verdict(acceptInvitation(only, token)), [409, 'last_admin']);
    assert.equal((await alone.user(only.email)).role, 'admin');
  } finally {
    await alone.close();
  }
});

test('somebody who already has the role can accept an invitation, and gets the profile if they have none', async () => {
  const email = mail('already');
  const doctor = await confirmedPerson(stack, email, 'doctor');
  const { token } = await invited(email);
  assert.equal((await acceptInvitation(doctor, token)).status, 200);
  assert.equal((await stack.user(email)).version, 1);
  assert.deepEqual(await eventsOf(email), ['user created', 'invited', 'invitation accepted']);
  assert.deepEqual((await staffAccountOf(stack, email))?.profile, profile);
  // The profile isn't published while the person has another role.
  await stack.users.updateOne({ email }, { $set: { role: 'pharmacist' } });
  assert.equal((await staffAccountOf(stack, email))?.profile, undefined);
});

test('if staff need a second factor, the accepted role is held until it is set up', async () => {
  const strict = await stack.addReplica({ STAFF_SECOND_FACTOR: 'required' });
  const email = mail('strict');
  const { token } = await invited(email);
  const person = await confirmedPerson(stack, email, 'patient', strict.url);
  const { user } = (await (await acceptInvitation(person, token)).json()) as Session;
  assert.deepEqual([user.role, user.held], ['patient', { role: 'doctor', until: 'second_factor' }]);
});

test('only admins with a fresh proof can invite and revoke; rejected requests change nothing', async () => {
  const email = mail('nobody');
  const { invitation } = await invited(mail('somebody'));
  const doctor = await confirmedPerson(stack, mail('doctor'), 'doctor');
  const tired = await confirmedPerson(stack, mail('tired'), 'admin');
  await ageProof(stack, tired);
  assert.deepEqual(await verdict(invite(doctor, email)), [403, 'forbidden']);
  assert.deepEqual(await verdict(invite(tired, email)), [403, 'proof_needed']);
  assert.deepEqual(await verdict(doctor.fetch('/staff/invitations')), [403, 'forbidden']);
  assert.deepEqual(await verdict(revoke(doctor, invitation)), [403, 'forbidden']);
  assert.deepEqual(await verdict(revoke(tired, invitation)), [403, 'proof_needed']);
  assert.deepEqual(await verdict(revoke(admin, { ...invitation, _id: 'f'.repeat(24) })), [404, 'not_found']);
  for (const body of [
    { profile: undefined },
    { profile: { ...profile, name: '' } },
    { profile: { ...profile, experience: -1 } },
    { profile: { ...profile, availableTimes: ['9 am'] } },
    { role: 'patient', profile },
  ]) {
    const answer = await verdict(invite(admin, email, 'doctor', body));
    assert.deepEqual(answer, [400, 'validation_failed'], JSON.stringify(body));
  }
  assert.deepEqual(await stored(email), []);
  assert.equal((await stored(mail('somebody')))[0]?.state, 'open');
  // A demoted admin whose token is still valid for a moment.
  await stack.users.updateOne({ email: tired.email }, { $set: { role: 'patient' } });
  await tired.fetch('/jwt/proof', { method: 'POST', json: { idToken: await tired.prove() } });
  assert.equal((await invite(tired, email)).status, 403);
  assert.deepEqual(await stored(email), []);
});

test('guessing tokens is rate limited by address', async () => {
  const limited = await stack.addReplica({ SIGN_INS_PER_MINUTE_AND_ADDRESS: '3', MONGODB_DATABASE: 'identity-tokens' });
  const tries = [];
  for (let at = 0; at < 4; at += 1)
    tries.push(
      await verdict(
        openBrowser(limited.url).fetch('/staff/invitation', { method: 'POST', json: { token: `${at}`.repeat(43) } }),
      ),
    );
  const notFound = [404, 'not_found'];
  assert.deepEqual(tries, [notFound, notFound, notFound, [429, 'rate_limited']]);
});

test('an invitation is erased with its person, and is part of their data export', async () => {
  const email = mail('leaves');
  const person = await confirmedPerson(stack, email);
  await invited(email);
  const copy = await person.read<ExportedThing[]>(`/users/${email}/export`);
  assert.deepEqual(
    copy.filter(({ kind }) => kind === 'invitation').map(({ data }) => [data['role'], data['profile']]),
    [['doctor', profile]],
  );
  assert.equal((await person.fetch(`/users/${email}`, { method: 'DELETE' })).status, 200);
  assert.deepEqual(await stored(email), []);
});
