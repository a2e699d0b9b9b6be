import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { nextSecond } from '@clinic/service-kit/testing/wait-until';
import { openBrowser, type Browser } from '../testing/browser.ts';
import { password, startIdentityStack } from '../testing/identity-stack.ts';
import { refresh, verdict } from '../testing/people.ts';

const stack = await startIdentityStack();
after(() => stack.close());

const newPassword = 'Better-88-words';
async function logIn(email: string, idToken: string): Promise<Browser> {
  const browser = openBrowser(stack.url);
  assert.equal((await browser.startSession(email, idToken)).status, 200);
  return browser;
}
const logOuts = (email: string) => stack.events({ subject: email, action: 'logged out everywhere' });

test('a reset password ends older sessions at the next sign-in, even if the browser doesn’t report it', async () => {
  const email = 'reset@mail.example';
  const phone = await logIn(email, await stack.signUp(email));
  const old = await stack.signInWithPassword(email);
  const desk = await logIn(email, old);
  await nextSecond();
  await stack.resetPassword(email, newPassword);
  // Confirmed, as confirming an account also ends its sessions.
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

test('a refresh that crosses a sign-in leaves its cookies alone; a session that ended before loses them', async () => {
  const email = 'crossing@mail.example';
  const browser = await logIn(email, await stack.signUp(email));
  const { _id } = await stack.user(email);
  const { sessions } = stack;
  // As the confirmation or the new password of this browser ends it, before the new session is open.
  await sessions.updateMany({ userId: _id }, { $set: { endedAt: new Date(), endedEverywhere: true } });
  const crossing = await refresh(browser);
  assert.equal(crossing.status, 401);
  assert.deepEqual(crossing.headers.getSetCookie(), []);

  await sessions.updateMany({ userId: _id }, { $set: { endedAt: new Date(Date.now() - 31_000) } });
  const late = await refresh(browser);
  assert.equal(late.status, 401);
  assert.equal(late.headers.getSetCookie().length, 3);
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
  assert.equal((await desk.startSession(email, changed.idToken, { passwordChanged: true })).status, 200);
  assert.equal((await desk.fetch('/jwt/session')).status, 200);
  assert.equal((await phone.fetch('/jwt/session')).status, 401);
  assert.equal((await logOuts(email)).length, 1);
});

test('signing in again without a change ends nothing', async () => {
  const email = 'again@mail.example';
  const phone = await logIn(email, await stack.signUp(email));
  await nextSecond();
  await logIn(email, await stack.signInWithPassword(email, password));
  assert.equal((await phone.fetch('/jwt/session')).status, 200);
  assert.deepEqual(await logOuts(email), []);
});

test('linking Google ends every other session, even if the linking browser doesn’t report it', async () => {
  const email = 'links@mail.example';
  const phone = await logIn(email, await stack.signUp(email));
  await stack.confirmEmail(email);
  await nextSecond();
  const desk = await logIn(email, await stack.signInWithPassword(email));
  assert.equal((await phone.fetch('/jwt/session')).status, 401);
  const tablet = await logIn(email, await stack.signInWithPassword(email));
  const before = (await logOuts(email)).length;

  const google = await logIn(email, await stack.signInWithGoogle({ sub: 'links', email }));
  for (const browser of [desk, tablet]) {
    assert.equal((await browser.fetch('/jwt/session')).status, 401);
    assert.deepEqual(await verdict(refresh(browser)), [401, 'session_ended']);
  }
  assert.deepEqual(
    (await logOuts(email)).slice(before).map(({ after: shown }) => shown),
    [{ reason: 'Google linked' }],
  );
  // From now on neither way of signing in ends anything.
  for (const idToken of [
    await stack.signInWithPassword(email),
    await stack.signInWithGoogle({ sub: 'links', email }),
  ]) {
    const browser = await logIn(email, idToken);
    for (const each of [google, browser]) assert.equal((await each.fetch('/jwt/session')).status, 200);
  }
  assert.equal((await logOuts(email)).length, before + 1);
});

test('concurrent first sign-ins with Google end the older sessions once', async () => {
  const email = 'links-at-once@mail.example';
  const phone = await logIn(email, await stack.signUp(email));
  await stack.users.updateOne({ email }, { $set: { emailVerified: true } });
  const idToken = await stack.signInWithGoogle({ sub: 'at-once', email });
  const browsers = await Promise.all(Array.from({ length: 6 }, () => logIn(email, idToken)));
  assert.equal((await phone.fetch('/jwt/session')).status, 401);
  assert.equal((await logOuts(email)).length, 1);
  for (const browser of browsers) assert.equal((await refresh(browser)).status, 200);
});

test('an account of an earlier release keeps its sessions, as its earlier links are unknown', async () => {
  const email = 'earlier@mail.example';
  const phone = await logIn(email, await stack.signInWithGoogle({ sub: 'earlier', email }));
  await stack.users.updateOne({ email }, { $unset: { linkedProviders: 1 } });
  await logIn(email, await stack.signInWithGoogle({ sub: 'earlier', email }));
  assert.equal((await phone.fetch('/jwt/session')).status, 200);
  assert.deepEqual((await stack.user(email)).linkedProviders, ['google.com']);
});
