import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { passMidnight } from '@clinic/service-kit/testing/hold-clock';
import { nextSecond } from '@clinic/service-kit/testing/wait-until';
import { openBrowser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { verdict } from '../testing/people.ts';
import { registerUnconfirmed } from '../testing/unconfirmed-people.ts';

const stack = await startIdentityStack({ DAILY_LIMITS: 'address-changes=2' });
after(() => stack.close());

const signIn = async (email: string) =>
  verdict(openBrowser(stack.url).startSession(email, await stack.signInWithPassword(email)));

/** Changes the address at Firebase, and signs in twice at once. @returns both answers */
async function move(from: string, to: string) {
  await stack.changeEmail(from, to);
  await nextSecond();
  return Promise.all([signIn(to), signIn(to)]);
}

test('an account takes only so many new addresses on a day, and can always go back to its own', async () => {
  await passMidnight();
  const [own, second, third, fourth] = [
    'own@mail.example',
    'two@mail.example',
    'three@mail.example',
    'four@mail.example',
  ];
  await registerUnconfirmed(stack, own);
  await stack.confirmEmail(own);
  await nextSecond();
  assert.deepEqual(await signIn(own), [200, undefined]);
  const { _id } = await stack.user(own);
  await stack.users.updateOne({ _id }, { $set: { createdAt: new Date(Date.now() - 2 * 86_400_000) } });

  const done = [200, undefined];
  assert.deepEqual(await move(own, second), [done, done]);
  assert.deepEqual(await move(second, third), [done, done]);
  const before = JSON.stringify(await stack.user(third));
  const refused = [429, 'rate_limited'];
  assert.deepEqual(await move(third, fourth), [refused, refused]);
  assert.equal(JSON.stringify(await stack.user(third)), before);
  assert.equal(await stack.users.countDocuments({ email: fourth }), 0);
  // An address of today isn't one to go back to.
  assert.deepEqual(await move(fourth, second), [refused, refused]);

  assert.deepEqual(await move(second, own), [done, done]);
  assert.deepEqual((await stack.user(own))._id, _id);
  assert.equal((await stack.events({ 'record.id': _id.toHexString(), action: 'e-mail changed' })).length, 3);
});
