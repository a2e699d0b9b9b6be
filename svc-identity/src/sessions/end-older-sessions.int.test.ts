import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { HistoryEvent } from '@clinic/service-kit';
import { openBrowser, type Browser } from '../testing/browser.ts';
import { password, startIdentityStack, type IdentityStack } from '../testing/identity-stack.ts';
import { refresh, verdict } from '../testing/people.ts';

let stack: IdentityStack;
before(async () => {
  stack = await startIdentityStack();
});
after(() => stack.close());

const newPassword = 'Better-88-words';
/** Firebase's times are in whole seconds: waits until the next step gets a later one. */
const nextSecond = async (): Promise<void> => {
  const now = Math.floor(Date.now() / 1_000);
  while (Math.floor(Date.now() / 1_000) === now) await new Promise((resolve) => setTimeout(resolve, 20));
};
async function logIn(email: string, idToken: string, json: object = {}): Promise<Browser> {
  const browser = openBrowser(stack.url);
  const answer = await browser.fetch('/jwt', {
    method: 'POST',
    json: { email, ...json },
    headers: { Authorization: `Bearer ${idToken}` },
  });
  assert.equal(answer.status, 200);
  return browser;
}
const logOuts = (email: string): Promise<HistoryEvent[]> =>
  stack.replica.context.db
    .collection<HistoryEvent>('events')
    .find({ subject: email, action: 'logged out everywhere' })
    .toArray();

test('a reset password ends older sessions at the next sign-in, even if the browser doesn’t report it', async () => {
  const email = 'reset@mail.example';
  const phone = await logIn(email, await stack.signUp(email));
  const old = await stack.signInWithPassword(email);
  const desk = await logIn(email, old);
  await nextSecond();
  await stack.resetPassword(email, newPassword);
  // An unconfirmed account would end the sessions by itself, too.
  await stack.users.updateOne({ email }, { $set: { emailVerified: true } });
  assert.equal((await phone.fetch('/jwt/session')).status, 200);

  const owner = await logIn(email, await stack.signInWithPassword(email, newPassword));
  for (const browser of [phone, desk]) {
    assert.equal((await browser.fetch('/jwt/session')).status, 401);
    assert.deepEqual(await verdict(refresh(browser)), [401, 'session_ended']);
  }
  assert.deepEqual(
    (await logOuts(email)).map(({ after: shown }) => shown),
    [{ reason: 'password changed' }],
  );
  // A proof from before the change opens no session.
  const late = await openBrowser(stack.url).startSession(email, old);
  assert.equal(late.status, 401);

  const tablet = await logIn(email, await stack.signInWithPassword(email, newPassword));
  for (const browser of [owner, tablet]) assert.equal((await browser.fetch('/jwt/session')).status, 200);
  assert.equal((await logOuts(email)).length, 1);
});

test('changing the password keeps only the session in which it was changed', async () => {
  const email = 'changes@mail.example';
  const phone = await logIn(email, await stack.signUp(email));
  const idToken = await stack.signInWithPassword(email);
  const desk = await logIn(email, idToken);
  await nextSecond();
  const answer = await fetch(`${stack.emulator.url}/identitytoolkit.googleapis.com/v1/accounts:update?key=test`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ idToken, password: newPassword, returnSecureToken: true }),
  });
  const changed = (await answer.json()) as { idToken: string };
  const opened = await desk.fetch('/jwt', {
    method: 'POST',
    json: { email, passwordChanged: true },
    headers: { Authorization: `Bearer ${changed.idToken}` },
  });
  assert.equal(opened.status, 200);
  assert.equal((await desk.fetch('/jwt/session')).status, 200);
  assert.equal((await phone.fetch('/jwt/session')).status, 401);
  assert.equal((await logOuts(email)).length, 1);
});

test('signing in again, with nothing changed, ends nothing', async () => {
  const email = 'again@mail.example';
  const phone = await logIn(email, await stack.signUp(email));
  await nextSecond();
  await logIn(email, await stack.signInWithPassword(email, password));
  assert.equal((await phone.fetch('/jwt/session')).status, 200);
  assert.deepEqual(await logOuts(email), []);
});
