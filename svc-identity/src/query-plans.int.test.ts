import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boxKey, searchFilter, SecretBox } from '@clinic/service-kit';
import { ObjectId, type AggregationCursor, type Document, type FindCursor } from 'mongodb';
import { eventFilter, type EventQuery } from '@clinic/service-kit';
import { usesIndex, winningIndexes, winningStages } from '@clinic/service-kit/testing';
import { accessEventsOf, accessFilter, accessSorts, changedRecord } from './access/access-events.ts';
import { invitationFilter, invitationSorts, invitationsOf } from './invitations/invitation-record.ts';
import { otherwiseSealed } from './second-factor/reseal-secrets.ts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { userRecord } from './testing/people.ts';
import { userConditions, userSorts } from './users/list-users.ts';
import { userPipelines } from './users/report-users.ts';
import { userRollupsOf } from './users/user-rollups.ts';

const stack = await startIdentityStack();
after(() => stack.close());
await stack.users.insertMany(
  Array.from({ length: 300 }, (_, at) =>
    userRecord(`person${at}@mail.example`, { role: at % 9 ? 'patient' : 'doctor', createdAt: new Date(at) }),
  ),
);

async function assertIndexed(name: string, cursor: FindCursor<unknown> | AggregationCursor<Document>): Promise<void> {
  const explained = await cursor.explain('queryPlanner');
  assert.ok(usesIndex(explained), `${name}: ${winningStages(explained).join(' < ')}`);
}

test('every list of users uses an index, on the first page and later ones', async () => {
  for (const [name, sort] of Object.entries(userSorts)) {
    for (const query of [
      {},
      { q: 'a' },
      { q: 'ann' },
      { q: 'ann lee' },
      { q: '1.4.1990' },
      { role: 'doctor' as const, q: '1990-04-01' },
      { role: 'doctor' as const },
      { role: 'doctor' as const, q: 'ann' },
    ]) {
      await assertIndexed(
        `users by ${name} ${JSON.stringify(query)}`,
        stack.users
          .find(searchFilter([userConditions(query)]))
          .sort(sort)
          .limit(20),
      );
    }
  }
  const beyond = {
    sortName: { $gte: 'ann lee' },
    $or: [{ sortName: { $gt: 'ann lee' } }, { sortName: 'ann lee', _id: { $gt: new ObjectId() } }],
  };
  await assertIndexed('next page', stack.users.find(beyond).sort(userSorts.name).limit(20));
});

test('a search for one or two letters reads as many users as it finds, however many have them', async () => {
  await stack.users.insertMany(
    Array.from({ length: 60 }, (_, at) => userRecord(`q${at}@mail.example`, { lastName: `Qu${at}` })),
  );
  for (const q of ['q', 'qu']) {
    const filter = searchFilter([userConditions({ q })]);
    const plans = (['name', '-name'] as const).map((order) =>
      stack.users.find(filter).sort(userSorts[order]).limit(20),
    );
    // A count stops where it is told to.
    plans.push(stack.users.find(filter).limit(20));
    for (const plan of plans) {
      const { executionStats } = await plan.explain('executionStats');
      assert.deepEqual(
        [executionStats.nReturned, executionStats.totalKeysExamined, executionStats.totalDocsExamined],
        [20, 20, 20],
        q,
      );
    }
  }
});

test('a start reads only the second factors that the current key hasn’t encrypted', async () => {
  const [box, former] = ['now', 'former'].map((kid) => new SecretBox(boxKey(kid, kid, 'test')));
  assert.ok(box && former);
  const rest = { since: new Date(), lastStep: 0, recoverySalt: '', recoveryHashes: [] };
  const secondFactor = (at: number) => ({ ...rest, secret: (at % 20 ? box : former).seal('secret', String(at)) });
  await stack.users.insertMany(
    Array.from({ length: 60 }, (_, at) => userRecord(`factor${at}@mail.example`, { secondFactor: secondFactor(at) })),
  );
  const { executionStats } = await stack.users.find(otherwiseSealed(box)).explain('executionStats');
  assert.deepEqual([executionStats.nReturned, executionStats.totalDocsExamined], [3, 3]);
});

test('every list of access events uses an index', async () => {
  const events = accessEventsOf(stack.replica.context);
  for (const query of [
    {},
    { email: 'ann@mail.example' },
    { action: 'signed in' as const },
    { email: 'ann@mail.example', action: 'signed in' as const },
  ]) {
    await assertIndexed(
      `events ${JSON.stringify(query)}`,
      events.find(accessFilter(query)).sort(accessSorts.newest).limit(20),
    );
  }
});

test('every query of invitations uses an index', async () => {
  const invitations = invitationsOf(stack.replica.context);
  for (const state of [undefined, 'open', 'accepted', 'revoked', 'expired'] as const) {
    await assertIndexed(
      `invitations ${state}`,
      invitations.find(invitationFilter(state)).sort(invitationSorts.newest).limit(20),
    );
  }
  for (const filter of [
    { tokenHash: 'x' },
    { email: 'x', role: 'doctor' as const, state: 'open' as const },
    { 'invitedBy.id': 'x', state: 'open' as const },
    { expiresAt: { $lt: new Date() } },
    { email: 'x' },
    { acceptedBy: 'x' },
  ]) {
    await assertIndexed(`invitations ${JSON.stringify(filter)}`, invitations.find(filter));
  }
});

test('the report of users counts from indexes', async () => {
  const period = { from: '2026-01-15', to: '2027-01-10', timeZone: 'America/New_York' };
  const { ofRole, newByDay } = userPipelines(period);
  await assertIndexed('a role', stack.users.aggregate(ofRole('doctor')));
  await assertIndexed('days', userRollupsOf(stack.replica.context).aggregate(newByDay));
});

test('the queries of every request and every poll of the feed use an index', async () => {
  const { sessions } = stack;
  const since = new Date(Date.now() - 15_000);
  await assertIndexed('changed rights', stack.users.find({ versionChangedAt: { $gte: since } }));
  await assertIndexed('ended sessions', sessions.find({ endedAt: { $gte: since } }));
  await assertIndexed('refresh', sessions.find({ refreshHash: 'x' }));
  await assertIndexed(
    'sessions of a user',
    sessions
      .find({ userId: new ObjectId(), endedAt: { $exists: false } })
      .sort({ lastUsedAt: -1, _id: -1 })
      .limit(200),
  );
  await assertIndexed('account', stack.users.find({ uid: 'x' }));
  await assertIndexed('email', stack.users.find({ email: 'x' }));
  await assertIndexed('admins', stack.users.find({ role: 'admin' }));
});

test('every filter of the whole history uses an index, in its order', async () => {
  const span = { from: '2026-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' };
  const queries: EventQuery[] = [
    {},
    { person: 'ann@mail.example' },
    { record: 'a'.repeat(24) },
    { action: 'role changed' },
    { from: span.from },
    { person: 'ann@mail.example', until: span.until },
  ];
  const changes: EventQuery[] = [
    { changes: 'true' },
    { changes: 'true', ...span },
    { changes: 'true', person: 'ann@mail.example' },
    { changes: 'true', person: 'ann@mail.example', ...span },
  ];
  for (const query of [...queries, ...changes]) {
    const explained = await stack.replica.context.db.command({
      explain: { find: 'events', filter: eventFilter(query, changedRecord), sort: { at: -1, _id: -1 }, limit: 51 },
      verbosity: 'queryPlanner',
    });
    assert.ok(usesIndex(explained, { sorted: true }), JSON.stringify(query));
    // Reads no sign-ins in between.
    if (query.changes)
      assert.deepEqual(
        winningIndexes(explained),
        [query.person ? 'changes_by_person' : 'changes'],
        JSON.stringify(query),
      );
  }
});
