import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Problem } from '@clinic/contracts';
import type { CallTable } from '@clinic/contracts/calls';
import { declaredFor } from '@clinic/contracts/testing/contract-fields';
import { nextSecond } from '@clinic/service-kit/testing/wait-until';
import { identityCalls } from '../contract/calls.ts';
import { openBrowser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { confirmedPerson } from '../testing/people.ts';
import { putSecondFactor, registerUnconfirmed } from '../testing/unconfirmed-people.ts';

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await stack.login('admin@clinic.example', 'admin');

const calls = Object.entries(identityCalls as CallTable);
/** The calls by which admins act on the account of an address. */
const actions = calls.filter(([, { access, method, path }]) => {
  const byAdmins = access.kind === 'restricted' && access.roles.length > 0;
  return byAdmins && method !== 'GET' && path.startsWith('/users/:email');
});
const copies = calls.filter(([, { shows }]) => shows?.copy === true);
const bodies: Readonly<Record<string, object>> = {
  changeRights: { right: 'stock', given: true },
  changeAccess: { disabled: true },
};

/** @param query - whom the admin saw at the address */
const act = ([id, { method, path }]: (typeof calls)[number], email: string, query = ''): Promise<Response> =>
  admin.fetch(`${path.replace(':email', email)}${query}`, {
    method,
    ...(method !== 'GET' && { json: bodies[id] ?? {} }),
  });

const signIn = async (email: string): Promise<void> => {
  const answer = await openBrowser(stack.url).startSession(email, await stack.signInWithPassword(email));
  assert.equal(answer.status, 200);
};

/** Somebody who gives up an address, and somebody else who has it next. @returns their ids */
async function handOver(email: string, to: string): Promise<{ readonly before: string; readonly now: string }> {
  await registerUnconfirmed(stack, email);
  await stack.confirmEmail(email);
  await nextSecond();
  await signIn(email);
  const before = (await stack.user(email))._id.toHexString();
  await stack.changeEmail(email, to);
  await nextSecond();
  await signIn(to);
  const { id: now } = await confirmedPerson(stack, email);
  assert.notEqual(now, before);
  await putSecondFactor(stack, email);
  await putSecondFactor(stack, to);
  return { before, now };
}

test('every action of admins on the account of an address, and every copy of its data, takes whom they saw there', () => {
  assert.ok(actions.length >= 6 && copies.length > 0);
  for (const [id, { decides }] of [...actions, ...copies])
    assert.equal(declaredFor(decides, 'query.userId'), 'record', id);
});

test('an action on a person whose address is somebody else’s by now changes nobody, and says what to do', async () => {
  const [email, moved] = ['shared@mail.example', 'moved@mail.example'];
  const { before, now } = await handOver(email, moved);
  const stored = async (): Promise<string> => {
    const events = await stack.events({ action: { $ne: 'signed in' } });
    return JSON.stringify([
      await stack.user(email),
      await stack.user(moved),
      await stack.sessions.find().toArray(),
      events,
    ]);
  };
  const untouched = await stored();
  for (const action of [...actions, ...copies]) {
    const answer = await act(action, email, `?userId=${before}`);
    const problem = (await answer.json()) as Problem;
    assert.deepEqual([answer.status, problem.code], [412, 'changed_meanwhile'], action[0]);
    assert.equal(
      problem.detail,
      `${email} belongs to somebody else now. We haven’t changed anything. Reload the page and find the person by name.`,
    );
    assert.equal(await stored(), untouched, action[0]);
  }
  // Whom they see after that they can act on, once or sent twice.
  const [first = assert.fail()] = actions;
  for (const action of [first, ...copies])
    for (const id of [now, now.toUpperCase()]) assert.equal((await act(action, email, `?userId=${id}`)).status, 200);
});

for (const action of actions)
  for (const named of [true, false])
    test(`${action[0]} is done ${named ? 'to the person who was seen' : 'without an id, as earlier pages send it'}`, async () => {
      const email = `${action[0]}.${named}@mail.example`.toLowerCase();
      const { id } = await confirmedPerson(stack, email);
      await putSecondFactor(stack, email);
      const untouched = JSON.stringify(await stack.user(email));
      const { status } = await act(action, email, named ? `?userId=${id}` : '');
      assert.ok(status === 200 || status === 204, String(status));
      assert.notEqual(JSON.stringify(await stack.users.findOne({ email })), untouched);
    });
