import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallId } from '@clinic/contracts';
import { startServer } from '@clinic/mongo-embedded';
import { MongoClient } from 'mongodb';
import { appendEvent, appendEvents } from '../history/events.ts';
import { holdClock } from '../testing/hold-clock.ts';
import { ProblemError } from '../http/problem-error.ts';
import { configureDailyLimits, countToday, type DailyAct } from './daily-limits.ts';
import { runTransaction } from './database.ts';

const engine = await startServer({ port: 0 });
const clients = [new MongoClient(engine.uri), new MongoClient(engine.uri)] as const;
const databases = clients.map((client) => client.db('limits'));
const limits = new Map([
  ['changes', 10],
  ['staff-changes', 1_600],
  ['sign-ins', 3],
]);
for (const db of databases) configureDailyLimits(db, { CLINIC_TZ: 'Asia/Dhaka', DAILY_LIMITS: limits });
const [db] = databases;
assert.ok(db);
test.after(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await engine.close();
});

/** In a transaction of one of two replicas. @returns the problem's code, or `done` */
async function tried(at: number, work: Parameters<typeof runTransaction>[1]): Promise<string> {
  const client = clients[at % 2] ?? assert.fail();
  try {
    await runTransaction(client, work);
    return 'done';
  } catch (error) {
    assert.ok(error instanceof ProblemError);
    // On a busy machine its turn may come too late.
    return error.code === 'unavailable' ? tried(at, work) : error.code;
  }
}

const orders: DailyAct = { act: 'orders', most: 7, done: 'ordered' };

const change = (id: string, role: 'patient' | 'admin', call: string) => ({
  call: { id: call as CallId },
  caller: { id, email: `${id}@mail.example`, role },
  requestId: 'r',
  record: { type: 'thing', id },
  action: 'changed',
  before: {},
  after: {},
});
const eventsOf = (id: string) => db.collection('events').countDocuments({ 'actor.id': id });

test('of fifty concurrent acts on two replicas as many are done as the limit allows; others have their own', async (t) => {
  holdClock(t);
  const things = db.collection('things');
  await things.insertOne({ warm: true });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      tried(at, async (session) => {
        await countToday({ db: databases[at % 2] ?? db }, session, 'ann', orders);
        await clients[at % 2]?.db('limits').collection('things').insertOne({ of: 'ann' }, { session });
      }),
    ),
  );
  assert.equal(answers.filter((one) => one === 'done').length, 7);
  assert.deepEqual([...new Set(answers)].toSorted(), ['done', 'rate_limited']);
  assert.equal(await things.countDocuments({ of: 'ann' }), 7);
  assert.equal(await tried(0, (session) => countToday({ db }, session, 'ben', orders)), 'done');
  assert.equal(await tried(0, (session) => countToday({ db }, session, 'ann', { ...orders, act: 'other' })), 'done');
});

test('what is rolled back isn’t counted, and the next day starts at zero', async (t) => {
  holdClock(t);
  for (let time = 0; time < 20; time += 1)
    await assert.rejects(
      runTransaction(clients[0], async (session) => {
        await countToday({ db }, session, 'cleo', orders);
        throw new RangeError('undone');
      }),
      RangeError,
    );
  for (let time = 0; time < 7; time += 1)
    assert.equal(await tried(0, (session) => countToday({ db }, session, 'cleo', orders)), 'done');
  assert.equal(await tried(0, (session) => countToday({ db }, session, 'cleo', orders)), 'rate_limited');
  await db.collection<{ _id: string }>('persons').updateOne({ _id: 'cleo' }, { $set: { 'today.day': '2020-01-01' } });
  assert.equal(await tried(0, (session) => countToday({ db }, session, 'cleo', orders)), 'done');
});

test('a patient leaves a limited number of events a day, but can always log out and be deleted', async (t) => {
  holdClock(t);
  const append = (at: number, call: string, role: 'patient' | 'admin' = 'patient', id = 'dan') =>
    tried(at, (session) => appendEvent({ db: databases[at % 2] ?? db }, session, change(id, role, call)));
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => append(at, 'changeOwnProfile')));
  assert.equal(answers.filter((one) => one === 'done').length, 10);
  assert.equal(await eventsOf('dan'), 10);
  assert.equal(
    await tried(0, (session) => appendEvents({ db }, session, [change('dan', 'patient', 'placeOrder')])),
    'rate_limited',
  );
  for (const call of ['endSession', 'endSessions', 'endOneSession', 'eraseClinicData', 'finishErasure'])
    assert.equal(await append(0, call), 'done', call);
  for (const expected of ['done', 'done', 'done', 'rate_limited'])
    assert.equal(await append(0, 'startSession'), expected);
  const ofStaff = await Promise.all(
    Array.from({ length: 60 }, (_, at) => append(at, 'updateMedicine', 'admin', 'ada')),
  );
  assert.deepEqual([...new Set(ofStaff)], ['done']);
});

test('a limit of 0 allows nothing, and the problem says until when', async () => {
  const error = await runTransaction(clients[0], (session) =>
    countToday({ db }, session, 'eve', { act: 'none', most: 0, done: 'tried this', instead: 'call the clinic' }),
  ).then(
    () => assert.fail(),
    (problem: unknown) => problem,
  );
  assert.ok(error instanceof ProblemError);
  assert.match(
    error.message,
    /^You’ve tried this 0 times today, the most .* Try again tomorrow, or call the clinic\.$/,
  );
  const { retryAfter = 0 } = error.extras;
  assert.ok(retryAfter > 0 && retryAfter <= 86_400);
});
