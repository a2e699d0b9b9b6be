import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObjectId } from 'mongodb';
import type { ClaimedMessage } from './claim.ts';
import type { SendingFacts } from './sending-facts.ts';
import { decideSending } from './decide-sending.ts';

const rules = { QUIET_HOURS: { from: '21:00', until: '08:00' }, CLINIC_TZ: 'Asia/Dhaka' };
const visit = {
  id: 'a'.repeat(24),
  doctor: 'Dr. Grey',
  date: '2026-12-03',
  time: '10:00',
  sequence: 1,
  status: 'Confirmed',
} as const;

/** 22:13 in the evening two days before the visit. */
const atNight = new Date('2026-12-01T16:13:00Z');

const factsWith = (more: Partial<SendingFacts> = {}): SendingFacts =>
  ({
    now: atNight,
    off: new Set(),
    addresses: { accounts: new Map(), owners: new Map() },
    preferences: new Map(),
    bounced: new Set(),
    overOffers: new Set(),
    visits: new Map([[visit.id, { ...visit, changeUntil: '2026-12-03T02:00:00Z' }]]),
    related: [],
    ...more,
  }) as SendingFacts;

/** What svc-clinic says of a visit that is cancelled. */
const cancelled = {
  visits: new Map([[visit.id, { ...visit, status: 'Cancelled', changeUntil: '2026-12-03T02:00:00Z' }]]),
};
const factsOf = (kind: string, more: Partial<SendingFacts> = {}): SendingFacts =>
  factsWith({ ...((kind === 'appointment-cancelled' ? cancelled : {}) as Partial<SendingFacts>), ...more });

function messageOf(kind: string, data: object): ClaimedMessage {
  return {
    _id: new ObjectId(),
    kind,
    to: { email: 'ann@mail.example', account: 'b'.repeat(24) },
    data: { visit, ...data },
    visit: visit.id,
    key: 'clinic:1',
    createdAt: new Date('2026-12-01T05:00:00Z'),
  } as unknown as ClaimedMessage;
}

/** A message of the ledger that has told the visit to be so. */
const told = (stated: object): { readonly related: readonly ClaimedMessage[] } => ({
  related: [
    {
      ...messageOf('appointment-confirmed', { visit: stated }),
      key: 'clinic:0',
      status: 'sent',
      sentAt: new Date('2026-12-01T01:00:00Z'),
    },
  ],
});

for (const kind of ['appointment-booked', 'appointment-moved', 'appointment-cancelled']) {
  const was = kind === 'appointment-moved' ? { was: { date: '2026-12-04', time: '09:00' } } : {};
  test(`at night ${kind} goes out for what its reader has done, and waits for what the clinic has`, () => {
    assert.equal(decideSending(messageOf(kind, { ...was, own: true }), factsOf(kind), rules).act, 'send');
    // Services of earlier releases don't say who did it.
    assert.equal(decideSending(messageOf(kind, was), factsOf(kind), rules).act, 'send');
    assert.deepEqual(decideSending(messageOf(kind, { ...was, own: false }), factsOf(kind), rules), {
      act: 'wait',
      until: new Date('2026-12-02T02:00:00Z'),
    });
  });

  test(`${kind} by the clinic goes out at night if the morning would be too late`, () => {
    const evening = new Date('2026-12-02T16:13:00Z');
    assert.equal(
      decideSending(messageOf(kind, { ...was, own: false }), factsOf(kind, { now: evening }), rules).act,
      'send',
    );
  });
}

test('a message about a visit waits until svc-clinic says whose it is; a cancellation only while it isn’t urgent', () => {
  const noon = new Date('2026-12-01T06:00:00Z');
  const askedAgain = { act: 'wait', until: new Date('2026-12-01T06:00:05Z') };
  const was = { date: '2026-12-04', time: '09:00' };
  for (const kind of [
    'appointment-booked',
    'appointment-confirmed',
    'appointment-moved',
    'appointment-cancelled',
    'appointment-reminder',
  ]) {
    const message = messageOf(kind, { ...(kind === 'appointment-moved' && { was }) });
    assert.deepEqual(decideSending(message, factsWith({ now: noon, visits: undefined }), rules), askedAgain, kind);
    assert.equal(decideSending(message, factsOf(kind, { now: noon }), rules).act, 'send', kind);
  }
  const urgent = messageOf('appointment-cancelled', {});
  const fourHoursBefore = new Date('2026-12-03T00:00:00Z');
  assert.equal(decideSending(urgent, factsWith({ now: fourHoursBefore, visits: undefined }), rules).act, 'send');
});

test('a confirmation or cancellation that was taken back before its patient was told of it is never told', () => {
  const noon = new Date('2026-12-01T06:00:00Z');
  const suppressed = { act: 'suppress', reason: 'out-of-date' };
  const pending = { ...visit, status: 'Pending', changeUntil: '2026-12-03T02:00:00Z' } as const;
  const facts = factsWith({ now: noon, visits: new Map([[visit.id, pending]]) });
  for (const kind of ['appointment-confirmed', 'appointment-cancelled'])
    assert.deepEqual(decideSending(messageOf(kind, { own: false }), facts, rules), suppressed, kind);
});

test('a move that was taken back before its patient was told of it is never told', () => {
  const noon = new Date('2026-12-01T06:00:00Z');
  const back = messageOf('appointment-moved', { own: false, was: { date: '2026-12-04', time: '09:00' } });
  const same = told({ date: visit.date, time: visit.time });
  assert.deepEqual(decideSending(back, factsWith({ now: noon, ...same }), rules), {
    act: 'suppress',
    reason: 'out-of-date',
  });
  // After two moves the message names the time that the patient knew.
  const known = told({ date: '2026-12-05', time: '11:00' });
  const verdict = decideSending(back, factsWith({ now: noon, ...known }), rules);
  assert.deepEqual(verdict.act === 'send' && verdict.data['was'], { date: '2026-12-05', time: '11:00' });
});

test('another doctor, length or place at the same time is told, and one that was taken back is not', () => {
  const noon = new Date('2026-12-01T06:00:00Z');
  const now = { ...visit, minutes: 30, place: 'Branch', changeUntil: '2026-12-03T02:00:00Z' };
  const visits = new Map([[visit.id, now]]);
  const known = { doctor: visit.doctor, date: visit.date, time: visit.time, minutes: 30, place: 'Branch' };
  const verdictOf = (stated: object, was: object) =>
    decideSending(
      messageOf('appointment-moved', { own: false, was: { ...known, ...was } }),
      factsWith({ now: noon, visits, ...told(stated) }),
      rules,
    );
  for (const other of [{ doctor: 'Dr. House' }, { minutes: 60 }, { place: 'Level 3' }]) {
    const before = { ...known, ...other };
    const verdict = verdictOf(before, other);
    assert.deepEqual(verdict.act === 'send' && verdict.data['was'], before);
    // Taken back: the last entry says what it was in between, the visit is as the patient knows it.
    assert.equal(verdictOf(known, other).act, 'suppress');
  }
  // What an earlier release has sent says neither length nor place.
  const { minutes: _minutes, place: _place, ...unsaid } = known;
  assert.equal(verdictOf(unsaid, { minutes: 60 }).act, 'send');
  assert.equal(verdictOf({ ...unsaid, doctor: 'Dr. House' }, { doctor: 'Dr. House' }).act, 'send');
  assert.equal(verdictOf(unsaid, { date: '2026-12-05' }).act, 'suppress');
});

test('questions are asked two days before a visit while they wait for an answer, but not at night', () => {
  const noon = new Date('2026-12-01T06:00:00Z');
  const asks = messageOf('appointment-questions', { visit: { ...visit, questions: true } });
  const now = { ...visit, changeUntil: '2026-12-03T02:00:00Z' };
  const factsOf = (current: object, at = noon) =>
    factsWith({ now: at, visits: new Map([[visit.id, { ...now, ...current }]]) });
  const outOfDate = { act: 'suppress', reason: 'out-of-date' };
  assert.equal(decideSending(asks, factsOf({ questions: true }), rules).act, 'send');
  // Answered, or no longer asked.
  assert.deepEqual(decideSending(asks, factsOf({}), rules), outOfDate);
  assert.deepEqual(decideSending(asks, factsOf({ questions: true, time: '11:00' }), rules), outOfDate);
  assert.deepEqual(decideSending(asks, factsOf({ questions: true, status: 'Cancelled' }), rules), outOfDate);
  assert.deepEqual(decideSending(asks, factsOf({ questions: true }, atNight), rules), {
    act: 'wait',
    until: new Date('2026-12-02T02:00:00Z'),
  });
});

test('of two replicas that send messages about one visit at once, the one that claimed later waits', () => {
  const now = new Date('2026-12-01T06:00:00Z');
  const [first, second] = ['first', 'second'].map((lease, index): ClaimedMessage => ({
    ...messageOf('appointment-moved', { was: { date: '2026-12-04', time: '09:00' } }),
    key: `clinic:${2 - index}`,
    status: 'pending',
    lease,
    nextAttemptAt: new Date(now.getTime() + 60_000 + index),
  }));
  assert.ok(first && second);
  const related = [first, second];
  assert.equal(decideSending(first, factsWith({ now, related }), rules).act, 'send');
  assert.equal(decideSending(second, factsWith({ now, related }), rules).act, 'wait');
  // The first replica has died: its lease is over.
  const dead = { ...first, nextAttemptAt: now };
  assert.equal(decideSending(second, factsWith({ now, related: [dead, second] }), rules).act, 'send');
});

test('an offer that lasts until the morning waits for it, unless its reader would then have too little time', () => {
  const offered = (until: string): ClaimedMessage => ({
    ...messageOf('waitlist-offer', {
      visit: undefined,
      offer: { id: 'c'.repeat(24), date: '2026-12-03', time: '10:00' },
    }),
    visit: undefined,
    createdAt: atNight,
    expiresAt: new Date(until),
  });
  const lasting = offered('2026-12-02T02:30:00Z');
  const morning = new Date('2026-12-02T02:00:00Z');
  assert.deepEqual(decideSending(lasting, factsWith(), rules), { act: 'wait', until: morning });
  assert.equal(decideSending(lasting, factsWith({ now: morning }), rules).act, 'send');
  assert.equal(decideSending(offered('2026-12-01T16:43:00Z'), factsWith(), rules).act, 'send');
  const lateRiser = { _id: 'b'.repeat(24), off: [], quietUntil: '08:20', changedAt: atNight };
  const preferences = new Map([[lateRiser._id, lateRiser]]);
  assert.equal(decideSending(lasting, factsWith({ preferences }), rules).act, 'send');
  // Declined at night, on the page.
  const overOffers = new Set(['c'.repeat(24)]);
  assert.deepEqual(decideSending(lasting, factsWith({ now: morning, overOffers }), rules), {
    act: 'suppress',
    reason: 'out-of-date',
  });
});
