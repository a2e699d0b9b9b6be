import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ObjectId } from 'mongodb';
import { usesIndex } from '@clinic/service-kit/testing';
import { applyRetention } from '@clinic/service-kit/retention';
import { accessEventsOf, changedRecord, signInRecord, type AccessRecord } from './access/access-events.ts';
import { retention } from './retention.ts';
import type { SessionRecord } from './sessions/session-record.ts';
import { startIdentityStack } from './testing/identity-stack.ts';
import { refresh } from './testing/people.ts';

const stack = await startIdentityStack({ SIGN_INS_KEPT_DAYS: '180' });
after(() => stack.close());

const ago = (days: number): Date => new Date(Date.now() - days * 86_400_000);

test('sign-ins and ended sessions are purged after their retention period; changes of access and active sessions stay', async () => {
  const { context } = stack.replica;
  const browser = await stack.login('stays@clinic.example');
  const event = (type: string, action: string, days: number): AccessRecord => ({
    _id: new ObjectId(),
    at: ago(days),
    call: 'startSession',
    requestId: 'r',
    record: { type, id: 'x' },
    subject: 'gone@mail.example',
    people: ['gone@mail.example'],
    action,
    before: null,
    after: { address: '192.0.2.1' },
  });
  await accessEventsOf(context).insertMany([
    event(signInRecord, 'signed in', 181),
    event(signInRecord, 'sign-in refused', 500),
    event(signInRecord, 'signed in', 179),
    event(changedRecord, 'role changed', 500),
  ]);
  const session = (name: string, ends: Partial<SessionRecord>): SessionRecord => ({
    _id: new ObjectId(),
    userId: new ObjectId(),
    refreshHash: name,
    createdAt: ago(20),
    lastUsedAt: ago(20),
    expiresAt: ago(-10),
    idleUntil: ago(-5),
    ...ends,
  });
  await stack.sessions.insertMany([
    session('logged out', { endedAt: ago(1.1) }),
    session('expired', { expiresAt: ago(1.1) }),
    session('unused', { idleUntil: ago(1.1) }),
    session('just ended', { endedAt: ago(0.9) }),
  ]);

  const figures = { name: 'mf-lab', version: '1.0.0', canary: 0, visits: 1, errors: 0, lastErrorAt: 0 };
  await context.db
    .collection<{ _id: string }>('releaseFigures')
    .insertMany([8, 6].map((days) => ({ _id: `day ${days}`, at: ago(days), ...figures })));
  await context.db
    .collection<{ _id: string }>('gateways')
    .insertMany([2, 0].map((days) => ({ _id: `seen ${days}`, at: ago(days), frontEnds: {} })));

  // The service's own first round may be at it, too.
  await applyRetention(context, retention(context));
  const removed = await applyRetention(context, retention(context));

  assert.deepEqual(
    removed,
    new Map([
      ['sign-in events', 0],
      ['ended sessions', 0],
      ['invitations', 0],
      ['finished deletions', 0],
      ['figures of releases', 0],
      ['gateways that have stopped', 0],
    ]),
  );
  const idsOf = async (name: string) =>
    (await context.db.collection(name).find().toArray()).map(({ _id }) => String(_id));
  assert.deepEqual([await idsOf('releaseFigures'), await idsOf('gateways')], [['day 6'], ['seen 0']]);
  const left = await accessEventsOf(context).find({ subject: 'gone@mail.example' }).sort({ at: 1 }).toArray();
  assert.deepEqual(
    left.map(({ action }) => action),
    ['role changed', 'signed in'],
  );
  const ended = await stack.sessions.find({ refreshHash: /^[a-z ]+$/ }).toArray();
  assert.deepEqual(
    ended.map(({ refreshHash }) => refreshHash),
    ['just ended'],
  );
  assert.equal((await browser.fetch('/jwt/session')).status, 200);
  assert.equal((await refresh(browser)).status, 200);
});

test('each retention filter uses an index', async () => {
  const { context } = stack.replica;
  for (const { collection, over } of retention(context)) {
    for (const filter of over(new Date())) {
      const plan = await context.db.collection(collection).find(filter).explain('queryPlanner');
      assert.ok(usesIndex(plan), JSON.stringify(filter));
    }
  }
});
