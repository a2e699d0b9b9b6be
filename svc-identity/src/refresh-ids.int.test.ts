import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, type Browser } from './testing/browser.ts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { refresh, verdict } from './testing/people.ts';
import { hashRefreshId, type SessionRecord } from './sessions/session-record.ts';

const stack = await startIdentityStack();
after(() => stack.close());

const cookie = 'clinic_refresh';
const idOf = (browser: Browser): string => browser.cookies.get(cookie) ?? assert.fail('there is no refresh cookie');
const sessionOf = async (email: string): Promise<SessionRecord> =>
  (await stack.sessions.findOne({ userId: (await stack.user(email))._id })) ?? assert.fail('there is no session');
/** Backdates when the session's refresh ids were issued and replaced. */
const age = async (email: string, milliseconds: number): Promise<void> => {
  const { _id, nextIssuedAt, rotatedAt } = await sessionOf(email);
  const earlier = (date: Date | undefined): Date | undefined => date && new Date(date.getTime() - milliseconds);
  await stack.sessions.updateOne(
    { _id },
    {
      $set: {
        ...(nextIssuedAt && { nextIssuedAt: earlier(nextIssuedAt) }),
        ...(rotatedAt && { rotatedAt: earlier(rotatedAt) }),
      },
    },
  );
};
const copyOf = (browser: Browser, refreshId = idOf(browser)): Browser => openBrowser(stack.url, [[cookie, refreshId]]);

test('each refresh issues a new id, and the session continues', async () => {
  const browser = await stack.login('rotate@mail.example');
  const seen = new Set([idOf(browser)]);
  for (let round = 0; round < 5; round += 1) {
    assert.equal((await refresh(browser)).status, 200);
    seen.add(idOf(browser));
  }
  assert.equal(seen.size, 6);
  assert.equal((await browser.fetch('/jwt/session')).status, 200);
});

test('a copied id used after its owner has refreshed ends the session for both, and is recorded', async () => {
  const email = 'copied@mail.example';
  const owner = await stack.login(email);
  const thief = copyOf(owner);
  for (let round = 0; round < 2; round += 1) assert.equal((await refresh(owner)).status, 200);
  await age(email, 31_000);
  assert.deepEqual(await verdict(refresh(thief)), [401, 'session_ended']);
  assert.equal((await refresh(owner)).status, 401);
  assert.equal((await stack.events({ subject: email, action: 'refresh id reused' })).length, 1);
});

test('a copied id used before its owner returns is detected then', async () => {
  const email = 'first@mail.example';
  const owner = await stack.login(email);
  const thief = copyOf(owner);
  for (let round = 0; round < 2; round += 1) assert.equal((await refresh(thief)).status, 200);
  await age(email, 31_000);
  assert.equal((await refresh(owner)).status, 401);
  assert.equal((await refresh(thief)).status, 401);
});

test('after a lost response the old id works until the new one is used', async () => {
  const email = 'lost@mail.example';
  const browser = await stack.login(email);
  const old = idOf(browser);
  assert.equal((await refresh(browser)).status, 200);
  await age(email, 31_000);
  const again = copyOf(browser, old);
  assert.equal((await refresh(again)).status, 200);
  assert.notEqual(idOf(again), old);
  for (let round = 0; round < 2; round += 1) assert.equal((await refresh(again)).status, 200);
});

test('twenty tabs refreshing at the same moment all continue with one id', async () => {
  const email = 'tabs@mail.example';
  const browser = await stack.login(email);
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(browser)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  }
  assert.equal((await refresh(browser)).status, 200);
});

test('a session of an earlier release, without these fields, continues', async () => {
  const email = 'earlier@mail.example';
  const browser = await stack.login(email);
  await stack.sessions.updateMany(
    { refreshHash: hashRefreshId(idOf(browser)) },
    { $unset: { spentHashes: 1, provenAt: 1, nextHash: 1, nextIssuedAt: 1 } },
  );
  for (let round = 0; round < 3; round += 1) assert.equal((await refresh(browser)).status, 200);
});

test('logging out ends the session, whichever of its ids the browser has', async () => {
  const browser = await stack.login('leaves@mail.example');
  const old = idOf(browser);
  assert.equal((await refresh(browser)).status, 200);
  assert.equal((await copyOf(browser, old).fetch('/jwt', { method: 'DELETE' })).status, 204);
  assert.equal((await refresh(browser)).status, 401);
});
