import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VisitInMessage } from '@clinic/contracts/outbox/entries';
import { outboxKinds, type OutboxKind } from '@clinic/contracts/outbox/kinds';
import { messagesFor } from '../intake/new-messages.ts';
import type { MessageRecord } from '../ledger/message-record.ts';
import { sampleOf } from '../templates/sample-messages.ts';
import type { VisitNow } from '../visits/visit-calls.ts';
import { decideSending } from './decide-sending.ts';
import { isLater, relations } from './outdated.ts';
import type { SendingFacts } from './sending-facts.ts';

const rules = {
  QUIET_HOURS: { from: '21:00', until: '08:00' },
  CLINIC_TZ: 'UTC',
  REMINDER_HOURS: [],
  MAIL_FROM: 'Clinic <clinic@clinic.example>',
};
const to = { account: 'b'.repeat(24), email: 'ann@mail.example' };
const second = 1_000;

/** Milliseconds until an entry of an outbox is in the ledger. */
const outboxTakes = 200;

/** A mail that was sent, and what it says. */
interface Mail {
  readonly kind: string;
  readonly at: number;
  readonly data: MessageRecord['data'];
  /** What its order was by then. */
  readonly order: string | undefined;
}

/** A ledger, its clock, and a mail server that rejects the first attempt of some messages. */
class Ledger {
  now: number;
  visit: VisitNow | undefined;
  /** The status of the only order. */
  order: string | undefined;
  readonly mails: Mail[] = [];
  readonly #rows: MessageRecord[] = [];
  readonly #failing: (place: number) => boolean;

  constructor(start: string, failing: (place: number) => boolean) {
    this.now = Date.parse(start);
    this.#failing = failing;
  }

  /** What a service asks for at this moment. */
  cause(kind: OutboxKind, data: object): void {
    const id = String(this.#rows.length).padStart(24, '0');
    const at = new Date(this.now);
    const rows = messagesFor('source', { id, at: at.toISOString(), kind, to, data }, rules, at);
    this.#rows.push(
      ...rows.map((row) => ({
        ...row,
        nextAttemptAt: new Date(Math.max(row.dueAt.getTime(), this.now + outboxTakes)),
      })),
    );
  }

  /** Lets time pass, and sends what falls due, as a replica does: in the order of causes. */
  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const due = this.#rows.filter(
        ({ status, nextAttemptAt }) => status === 'pending' && nextAttemptAt.getTime() <= end,
      );
      const next = Math.min(...due.map(({ nextAttemptAt }) => nextAttemptAt.getTime()));
      if (due.length === 0) break;
      this.now = Math.max(this.now, next);
      for (const row of due.filter(({ nextAttemptAt }) => nextAttemptAt.getTime() <= this.now).toSorted(byCause))
        this.#attempt(row);
    }
    this.now = end;
  }

  #attempt(row: MessageRecord): void {
    const place = this.#rows.indexOf(row);
    const lease = 'a';
    const verdict = decideSending({ ...row, lease }, this.#facts(), rules);
    const set = (fields: Partial<MessageRecord>) => (this.#rows[place] = { ...row, ...fields });
    if (verdict.act === 'suppress') return void set({ status: 'suppressed', reason: verdict.reason });
    if (verdict.act === 'wait') return void set({ nextAttemptAt: verdict.until });
    if (row.attempts === 0 && this.#failing(place))
      return void set({ attempts: 1, nextAttemptAt: new Date(this.now + 60 * second) });
    const { data } = verdict;
    set({
      status: 'sent',
      sentAt: new Date(this.now),
      data: { ...row.data, ...(data['visit'] ? { visit: data['visit'] } : {}) },
    });
    this.mails.push({ kind: row.kind, at: this.now, data, order: this.order });
  }

  #facts(): SendingFacts {
    return {
      now: new Date(this.now),
      off: new Set(),
      addresses: { accounts: new Map(), owners: new Map() },
      preferences: new Map(),
      bounced: new Set(),
      visits: new Map(this.visit && [[this.visit.id, this.visit]]),
      orders: new Map(this.order === undefined ? [] : [[order.id, this.order]]),
      invitations: new Map(),
      overOffers: new Set(),
      messages: [],
      related: this.#rows.filter(({ createdAt }) => createdAt.getTime() + outboxTakes <= this.now),
    };
  }
}

const byCause = (one: MessageRecord, other: MessageRecord): number => (isLater(one, other) ? 1 : -1);

/** What staff and patients do to a visit, by what may follow. */
const steps = ['confirm', 'move', 'move back', 'hand over', 'cancel', 'undo'] as const;
type Step = (typeof steps)[number];

const [here, there] = [
  { date: '2026-12-10', time: '10:00' },
  { date: '2026-12-11', time: '12:00' },
];

/** Does a step, if it is possible then. @returns whether it was */
function take(ledger: Ledger, step: Step, own: boolean, before: VisitNow | undefined): boolean {
  const { visit } = ledger;
  if (!visit) return false;
  const become = (changes: Partial<VisitNow>): void => {
    ledger.visit = { ...visit, ...changes, sequence: visit.sequence + 1 };
  };
  const announce = (kind: OutboxKind, more: object = {}, ownAct = own): void => {
    const { patient: _patient, changeUntil: _until, ...stated } = ledger.visit ?? visit;
    ledger.cause(kind, { visit: stated, own: ownAct, ...more });
  };
  if (step === 'undo') {
    if (!before) return false;
    become({ status: before.status, doctor: before.doctor, date: before.date, time: before.time });
    if (before.status === visit.status) announce('appointment-moved', { was: visit }, false);
    return true;
  }
  if (visit.status === 'Cancelled') return false;
  if (step === 'confirm') {
    if (visit.status === 'Confirmed') return false;
    become({ status: 'Confirmed' });
    announce('appointment-confirmed', {}, false);
  } else if (step === 'cancel') {
    become({ status: 'Cancelled' });
    announce('appointment-cancelled');
  } else {
    const place = { move: there, 'move back': here, 'hand over': { doctor: 'Dr. House' } }[step];
    if (Object.entries(place).every(([name, value]) => visit[name as 'date'] === value)) return false;
    const isOwn = own && step !== 'hand over';
    become({ ...place, ...(isOwn && { status: 'Pending' as const }) });
    announce('appointment-moved', { was: visit }, isOwn);
  }
  return true;
}

/** All sequences of steps up to a length. */
const sequences = (length: number): Step[][] =>
  length === 0 ? [[]] : [[], ...sequences(length - 1).flatMap((rest) => steps.map((step) => [...rest, step]))];

const days = ['2026-12-01T12:00:00Z', '2026-12-01T20:59:00Z', '2026-12-02T07:59:00Z'];
const attempts = ['none', 'all', 0, 1, 2, 3] as const;

/** A ledger for each time of day, distance between causes, and choice of the first attempts that fail. */
function* circumstances() {
  for (const start of days)
    for (const gap of [5, 29.95, 40, 90])
      for (const failed of attempts) {
        const ledger = new Ledger(start, (place) => failed === 'all' || failed === place);
        yield { ledger, gap: gap * second, name: JSON.stringify({ start, gap, failed }) };
      }
}

/** Lets a visit become what a story says. @returns whether that is possible */
function tell(ledger: Ledger, story: readonly Step[], gap: number, own: boolean): boolean {
  const stated = {
    id: 'a'.repeat(24),
    doctor: 'Dr. Grey',
    ...here,
    minutes: 30,
    sequence: 0,
    status: 'Pending',
  } as const;
  ledger.visit = { ...stated, changeUntil: '' };
  ledger.cause('appointment-booked', { visit: stated, own });
  let before: VisitNow | undefined;
  for (const step of story) {
    ledger.pass(gap);
    const { visit } = ledger;
    // Staff take back what they have just done; see `undoStatusChanges` and `undoMoves`.
    const undoable = !own && (gap < 45 * second || before?.status === visit.status) ? before : undefined;
    if (!take(ledger, step, own, undoable)) return false;
    before = step === 'undo' ? undefined : visit;
  }
  ledger.pass(3 * 86_400 * second);
  return true;
}

const told = ({ data }: Mail): VisitInMessage => data['visit'] as VisitInMessage;
const saidIn = (mail: Mail): string => `${told(mail).doctor} ${told(mail).date} ${told(mail).time}`;

test('whatever becomes of a visit, its patient knows in the end, once, whichever attempt fails, by day and at night', () => {
  let stories = 0;
  for (const story of sequences(3))
    for (const own of [true, false])
      for (const { ledger, gap, name: when } of circumstances()) {
        if (!tell(ledger, story, gap, own)) continue;
        stories += 1;
        const { mails, visit } = ledger;
        const name = `${when} ${JSON.stringify({ story, own, mails: mails.map((mail) => `${mail.kind} ${saidIn(mail)}`) })}`;
        const last = mails.at(-1);
        assert.ok(visit && last, name);
        // The truth in the end.
        assert.equal(last.kind === 'appointment-cancelled', visit.status === 'Cancelled', name);
        assert.equal(saidIn(last), `${visit.doctor} ${visit.date} ${visit.time}`, name);
        if (visit.status === 'Confirmed') assert.equal(told(last).status, 'Confirmed', name);
        for (const [index, mail] of mails.entries()) {
          const earlier = mails[index - 1];
          if (!earlier) continue;
          // Nothing twice, and after a cancellation nothing.
          assert.notEqual(mail.kind, 'appointment-booked', name);
          assert.ok(mail.kind !== earlier.kind || saidIn(mail) !== saidIn(earlier), name);
          assert.notEqual(earlier.kind, 'appointment-cancelled', name);
          // No other time or doctor without a word about what was told.
          if (saidIn(mail) !== saidIn(earlier))
            assert.equal(saidIn({ ...mail, data: { visit: mail.data['was'] ?? {} } }), saidIn(earlier), name);
        }
      }
  assert.ok(stories > 3_000, `${stories} stories`);
});

const order = { id: 'c'.repeat(24), number: 'A1', total: 3, currency: '৳' };

/** What becomes of an order, and what is told of it. */
const courses = [
  ['pending', 'Delivered'],
  ['pending', 'Cancelled'],
  ['pending', 'Shipped', 'Delivered'],
  ['pending', 'Shipped', 'Cancelled'],
] as const;
const toldOf: Readonly<Record<(typeof courses)[number][number], OutboxKind | undefined>> = {
  pending: 'order-placed',
  Shipped: 'order-shipped',
  Cancelled: 'order-cancelled',
  Delivered: undefined,
};

test('of an order nothing is told that is no longer so, whether a message has said it or not', () => {
  for (const whole of courses)
    for (const course of whole.map((_, index) => whole.slice(0, index + 1)))
      for (const { ledger, gap, name } of circumstances()) {
        for (const status of course) {
          ledger.order = status;
          const kind = toldOf[status];
          if (kind) ledger.cause(kind, { order });
          ledger.pass(gap);
        }
        ledger.pass(86_400 * second);
        const sent = ledger.mails.map(({ kind }) => kind);
        const story = `${name} ${course.join()}: ${sent.join()}`;
        for (const mail of ledger.mails) assert.equal(mail.kind, toldOf[mail.order as 'pending'], story);
        assert.equal(new Set(sent).size, sent.length, story);
        const last = toldOf[course.at(-1) ?? 'pending'];
        if (last) assert.equal(sent.at(-1), last, story);
      }
});

test('of two messages about one account, address or order, the earlier one is sent last only if it is still true', () => {
  for (const kind of outboxKinds)
    for (const later of outboxKinds) {
      if (relations[kind].about === 'visit') continue;
      const ledger = new Ledger('2026-11-30T08:30:00Z', (place) => place === 0);
      const { data } = sampleOf(later);
      if ('visit' in data) ledger.visit = { ...data.visit, changeUntil: '' };
      ledger.cause(kind, sampleOf(kind).data);
      ledger.pass(second);
      ledger.cause(later, data);
      ledger.pass(600 * second);
      const isUntrue = relations[kind].outdatedBy.includes(later);
      assert.deepEqual(
        ledger.mails.map((mail) => mail.kind),
        isUntrue ? [later] : [later, kind],
        `${kind}, then ${later}`,
      );
    }
});
