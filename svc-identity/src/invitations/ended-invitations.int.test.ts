import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { nextSecond } from '@clinic/service-kit/testing/wait-until';
import { openBrowser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { acceptInvitation, invite, type MadeInvitation } from '../testing/invitations.ts';
import { changeAccess, changeRole, confirmedPerson, verdict, type Person } from '../testing/people.ts';
import { registerUnconfirmed } from '../testing/unconfirmed-people.ts';
import { invitationsOf } from './invitation-record.ts';

// An open invitation gives back nothing that was decided otherwise meanwhile.

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await confirmedPerson(stack, 'ada@clinic.example', 'admin');
const over = [409, 'invitation_over'];

const invited = async (email: string, role: string, by: Person = admin): Promise<string> => {
  const answer = await invite(by, email, role);
  assert.equal(answer.status, 201, await answer.clone().text());
  return ((await answer.json()) as MadeInvitation).token;
};
const statesOf = async (email: string): Promise<string[]> =>
  (await invitationsOf(stack.replica.context).find({ email }).sort({ role: 1 }).toArray()).map(({ state }) => state);
const logInAgain = async (person: Person): Promise<void> =>
  assert.equal((await person.startSession(person.email, await person.prove())).status, 200);

/** What ends the invitations to a doctor, with the role that they have then. */
const decisions: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
  'role-away': ({ email }) => changeRole(stack, admin, email, 'patient'),
  'other-role': ({ email }) => changeRole(stack, admin, email, 'pharmacist'),
  'off-and-on': async ({ email }) => {
    await changeAccess(admin, email, true);
    await changeAccess(admin, email, false);
  },
};

for (const [name, decide] of Object.entries(decisions))
  test(`invitations to every role end with the decision about their person: ${name}`, async () => {
    const email = `${name}@clinic.example`;
    const person = await confirmedPerson(stack, email, 'doctor');
    const tokens = [await invited(email, 'admin'), await invited(email, 'doctor')];
    await decide(person);
    const { role } = await stack.user(email);
    await logInAgain(person);
    for (const token of tokens) assert.deepEqual(await verdict(acceptInvitation(person, token)), over);
    assert.deepEqual([await statesOf(email), (await stack.user(email)).role], [['revoked', 'revoked'], role]);
    const revocations = await stack.events({ subject: email, action: 'invitation revoked' });
    // An invitation is no account: who looked at the event is noted for the invited person.
    assert.deepEqual(
      revocations.map(({ accounts }) => accounts),
      [[admin.id], [admin.id]],
    );
    // A new one counts again.
    assert.equal((await acceptInvitation(person, await invited(email, 'doctor'))).status, 200);
  });

test('giving somebody a role on All Users leaves the invitation to the same role, with its profile', async () => {
  const email = 'both@clinic.example';
  const person = await confirmedPerson(stack, email);
  const token = await invited(email, 'doctor');
  await changeRole(stack, admin, email, 'doctor');
  await logInAgain(person);
  assert.equal((await acceptInvitation(person, token)).status, 200);
  assert.equal((await stack.user(email)).staffProfile?.role, 'doctor');
});

test('an invitation to an address that somebody moves to doesn’t give back what was taken from them', async () => {
  const [from, to] = ['from@clinic.example', 'to@clinic.example'];
  const browser = await registerUnconfirmed(stack, from);
  await stack.confirmEmail(from);
  await nextSecond();
  await browser.startSession(from, await stack.signInWithPassword(from));
  await stack.users.updateOne({ email: from }, { $set: { role: 'admin', staff: true } });
  const token = await invited(to, 'admin');
  await changeRole(stack, admin, from, 'patient');
  await stack.changeEmail(from, to);
  await nextSecond();
  assert.equal((await browser.startSession(to, await stack.signInWithPassword(to))).status, 200);
  assert.deepEqual(await verdict(acceptInvitation(browser, token)), over);
  assert.equal((await stack.user(to)).role, 'patient');
});

test('the next owner of an address can’t accept what was sent to the one before', async () => {
  const [email, elsewhere] = ['hands@clinic.example', 'kept@mail.example'];
  const browser = await registerUnconfirmed(stack, email);
  await stack.confirmEmail(email);
  await nextSecond();
  await browser.startSession(email, await stack.signInWithPassword(email));
  const token = await invited(email, 'doctor');
  await stack.changeEmail(email, elsewhere);
  await nextSecond();
  assert.equal((await browser.startSession(elsewhere, await stack.signInWithPassword(elsewhere))).status, 200);
  assert.deepEqual(await statesOf(email), ['revoked']);
  const next = await confirmedPerson(stack, email);
  assert.deepEqual(await verdict(acceptInvitation(next, token)), over);
});

test('an admin who accepts another role leaves no open invitation, nor does one whose invitations were kept open', async () => {
  const other = await confirmedPerson(stack, 'second@clinic.example', 'admin');
  const [guest, late] = ['guest@clinic.example', 'late@clinic.example'];
  const token = await invited(guest, 'doctor', other);
  assert.equal((await acceptInvitation(other, await invited(other.email, 'doctor'))).status, 200);
  assert.deepEqual(await statesOf(guest), ['revoked']);
  assert.deepEqual(await verdict(acceptInvitation(await confirmedPerson(stack, guest), token)), over);

  // As earlier releases left it.
  const lateToken = await invited(late, 'doctor');
  await invitationsOf(stack.replica.context).updateOne({ email: late }, { $set: { 'invitedBy.id': other.id } });
  assert.deepEqual(await verdict(acceptInvitation(await confirmedPerson(stack, late), lateToken)), over);
});

test('of an acceptance and a decision at the same moment, the decision stays', async () => {
  for (let round = 0; round < 8; round += 1) {
    const email = `torn${round}@clinic.example`;
    const person = await confirmedPerson(stack, email, round % 2 ? 'pharmacist' : 'doctor');
    const token = await invited(email, 'doctor');
    const [accepted] = await Promise.all([
      acceptInvitation(person, token),
      round % 4 < 2 ? changeRole(stack, admin, email, 'patient') : changeAccess(admin, email, true),
    ]);
    assert.ok([200, 401, 403, 409].includes(accepted.status), String(accepted.status));
    const { role, disabled } = await stack.user(email);
    assert.ok(round % 4 < 2 ? role === 'patient' : disabled);
    assert.ok(!(await statesOf(email)).includes('open'));
    // Nor does it come back later.
    if (disabled) await changeAccess(admin, email, false);
    const before = (await stack.user(email)).role;
    const again = openBrowser(stack.url);
    await again.startSession(email, await person.prove());
    await acceptInvitation(again, token);
    assert.equal((await stack.user(email)).role, before);
  }
});
