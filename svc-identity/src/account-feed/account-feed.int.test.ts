import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { AccountChange, AccountChanges } from '@clinic/service-kit';
import { nextSecond } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { endSessions } from '../sessions/end-sessions.ts';
import { openBrowser } from '../testing/browser.ts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { changeAccess, changeRole, confirmedPerson, userRecord } from '../testing/people.ts';
import { accountFeedOf } from './account-feed-record.ts';
import { fillAccountFeed } from './fill-account-feed.ts';

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await confirmedPerson(stack, 'admin@clinic.example', 'admin');
const { context } = stack.replica;

async function changesAfter(after: number, limit = 500): Promise<readonly AccountChange[]> {
  const answer = await stack.internal(`/internal/accounts/changes?after=${after}&limit=${limit}`);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as AccountChanges).changes;
}

const entryOf = async (account: string): Promise<AccountChange | undefined> =>
  (await changesAfter(0)).find((change) => change.account === account);

/** What an entry says, without its position. */
async function saysOf(account: string) {
  const { seq: _seq, version: _version, account: _account, sessionsEndedAt, ...said } = (await entryOf(account)) ?? {};
  return { ...said, ...(sessionsEndedAt !== undefined && { sessionsEnded: true }) };
}

test('an account’s entry follows registration, confirmation, address, role, access and deletion', async () => {
  const email = 'ann@mail.example';
  const browser = openBrowser(stack.url);
  assert.equal((await browser.startSession(email, await stack.signUp(email))).status, 200);
  const id = (await stack.user(email))._id.toHexString();
  assert.deepEqual(await saysOf(id), { active: true, former: [], held: [], role: 'patient' });

  await stack.confirmEmail(email);
  await nextSecond();
  assert.equal((await browser.startSession(email, await stack.signInWithPassword(email))).status, 200);
  const confirmed = { active: true, former: [], held: [{ email }], role: 'patient', email, sessionsEnded: true };
  assert.deepEqual(await saysOf(id), confirmed);

  const moved = 'ann2@mail.example';
  await stack.changeEmail(email, moved);
  await nextSecond();
  assert.equal((await browser.startSession(moved, await stack.signInWithPassword(moved))).status, 200);
  const [{ until = '' } = {}] = (await entryOf(id))?.held ?? [];
  const elsewhere = { ...confirmed, email: moved, former: [email], held: [{ email, until }, { email: moved }] };
  assert.deepEqual(await saysOf(id), elsewhere);

  assert.equal((await changeRole(stack, admin, moved, 'doctor')).status, 200);
  assert.deepEqual(await saysOf(id), { ...elsewhere, role: 'doctor', staff: true });
  assert.equal((await changeRole(stack, admin, moved, 'patient')).status, 200);
  assert.equal((await changeAccess(admin, moved, true)).status, 200);
  assert.deepEqual(await saysOf(id), { ...elsewhere, staff: true, active: false });
  assert.equal((await changeAccess(admin, moved, false)).status, 200);
  assert.deepEqual(await saysOf(id), { ...elsewhere, staff: true });

  assert.equal((await admin.fetch(`/users/${moved}/erasure`, { method: 'POST' })).status, 200);
  assert.deepEqual(await saysOf(id), { ...elsewhere, staff: true, active: false, erasing: true });
  assert.equal((await admin.fetch(`/users/${moved}`, { method: 'DELETE' })).status, 200);
  assert.deepEqual(await saysOf(id), { active: false, former: [], held: [], role: 'patient', erasing: true });
});

test('positions are in the order of commits, also with two replicas and many accounts at once', async () => {
  const second = await stack.addReplica();
  const people = await Promise.all(
    Array.from({ length: 8 }, (_, index) => confirmedPerson(stack, `p${index}@mail.example`)),
  );
  const seen: number[] = [];
  let reading = true;
  let after = (await changesAfter(0)).at(-1)?.seq ?? 0;
  const reader = (async () => {
    while (reading)
      for (const { seq } of await changesAfter(after)) {
        seen.push(seq);
        after = seq;
      }
  })();
  const by = {
    caller: { ...admin, role: 'admin', confirmed: true, provenAt: 0, sessionId: '', version: 1, expiresAt: 0 },
    requestId: 'r',
  } as const;
  await Promise.all(
    people.map(({ email }, index) => endSessions(index % 2 ? second.context : stack.replica.context, { email, ...by })),
  );
  reading = false;
  await reader;
  for (const { seq } of await changesAfter(after)) seen.push(seq);
  // A reader that goes by the position misses none.
  assert.equal(new Set(seen).size, 8);
  const ids = new Set(people.map(({ id }) => id));
  const last = (await changesAfter(0)).filter(({ account }) => ids.has(account)).map(({ seq }) => seq);
  assert.deepEqual(
    last,
    seen.filter((seq) => last.includes(seq)),
  );
  assert.equal(last.length, 8);
});

test('a change that is rolled back leaves no entry', async () => {
  const before = await changesAfter(0);
  const other = await confirmedPerson(stack, 'rolled@mail.example');
  const entry = await entryOf(other.id);
  const answer = await changeRole(stack, { ...other }, 'rolled@mail.example', 'doctor');
  assert.equal(answer.status, 403);
  assert.deepEqual(await entryOf(other.id), entry);
  assert.equal((await changesAfter(0)).length, before.length + 1);
});

test('accounts of an earlier release get their entries, with the addresses that they gave up', async () => {
  const _id = new ObjectId();
  const email = 'now@mail.example';
  const createdAt = new Date('2005-12-31T08:00:00.000Z');
  await stack.users.insertOne(userRecord(email, { _id, role: 'doctor', staff: true, createdAt }));
  const event = (at: Date, action: string, before: object, after: object) => ({
    at,
    record: { type: 'user', id: _id.toHexString() },
    people: ['then@mail.example', email],
    action,
    before,
    after,
  });
  const moved = new Date('2006-02-02T08:00:00.000Z');
  await context.db
    .collection('events')
    .insertMany([
      event(
        new Date('2006-01-01T08:00:00.000Z'),
        'e-mail confirmed',
        { emailVerified: false },
        { emailVerified: true },
      ),
      event(moved, 'e-mail changed', { email: 'then@mail.example' }, { email }),
    ]);
  assert.equal(await entryOf(_id.toHexString()), undefined);
  await Promise.all([fillAccountFeed(context), fillAccountFeed(context)]);
  assert.deepEqual(await saysOf(_id.toHexString()), {
    active: true,
    email,
    former: ['then@mail.example'],
    held: [{ email: 'then@mail.example', until: moved.toISOString() }, { email }],
    role: 'doctor',
    staff: true,
  });
  assert.equal(await fillAccountFeed(context), 0);
  assert.equal(await accountFeedOf(context).countDocuments({ _id: _id.toHexString() }), 1);

  // An entry of a release without times gets them; others only read it again if they say more than the address.
  const other = new ObjectId();
  await stack.users.insertOne(userRecord('plain@mail.example', { _id: other }));
  await fillAccountFeed(context);
  const before = await entryOf(other.toHexString());
  await accountFeedOf(context).updateMany({}, { $unset: { held: '' } });
  await Promise.all([fillAccountFeed(context), fillAccountFeed(context)]);
  assert.deepEqual(await entryOf(other.toHexString()), before);
  assert.deepEqual((await saysOf(_id.toHexString())).held, [
    { email: 'then@mail.example', until: moved.toISOString() },
    { email },
  ]);
  const taker = new ObjectId();
  await stack.users.insertOne(userRecord('then@mail.example', { _id: taker }));
  await fillAccountFeed(context);
  assert.deepEqual((await saysOf(taker.toHexString())).held, [
    { email: 'then@mail.example', since: moved.toISOString() },
  ]);
});

test('of an account that moved under an earlier release, the first address counts as held if anything has proved it', async () => {
  const moved = new Date('2006-02-02T08:00:00.000Z');
  for (const [proof, type, before, after] of [
    ['signed in', 'sign-in', null, { provider: 'google.com' }],
    ['second factor set up', 'user', { secondFactor: false }, { secondFactor: true }],
    ['signed in', 'sign-in', null, { provider: 'password' }],
    ['user created', 'user', null, {}],
  ] as const) {
    const _id = new ObjectId();
    const [first, email] = [`first-${String(_id)}@mail.example`, `now-${String(_id)}@mail.example`];
    const createdAt = new Date('2005-12-31T08:00:00.000Z');
    await stack.users.insertOne(userRecord(email, { _id, createdAt }));
    const about = (record: string) => ({ record: { type: record, id: _id.toHexString() }, people: [first, email] });
    await context.db.collection('events').insertMany([
      { ...about(type), at: new Date('2006-01-01T08:00:00.000Z'), action: proof, before, after },
      { ...about('user'), at: moved, action: 'e-mail changed', before: { email: first }, after: { email } },
      // What happens at the new address says nothing of the first.
      {
        ...about('sign-in'),
        at: new Date('2006-03-03T08:00:00.000Z'),
        action: 'signed in',
        before: null,
        after: { provider: 'google.com' },
      },
    ]);
    await fillAccountFeed(context);
    const isProved = proof === 'second factor set up' || (after as { provider?: string }).provider === 'google.com';
    assert.deepEqual(
      (await saysOf(_id.toHexString())).held,
      [...(isProved ? [{ email: first, until: moved.toISOString() }] : []), { email }],
      `${proof} ${JSON.stringify(after)}`,
    );
  }
});

test('the feed needs the secret of internal calls, and is read in pages', async () => {
  assert.equal((await stack.anonymous('/internal/accounts/changes?after=0')).status, 401);
  assert.equal((await stack.internal('/internal/accounts/changes?after=x')).status, 400);
  const all = await changesAfter(0);
  const [first] = all;
  assert.deepEqual(await changesAfter(0, 1), [first]);
  assert.deepEqual(await changesAfter(first?.seq ?? 0), all.slice(1));
});
