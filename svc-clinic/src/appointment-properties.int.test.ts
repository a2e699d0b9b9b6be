import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Appointment } from './contract/schemas.ts';
import fc from 'fast-check';
import { appointmentTransitions, type AppointmentStatus } from './contract/transitions.ts';
import { admin, ann, ben, drGrey, drHouse } from './testing/people.ts';
import { sharedClinic } from './testing/test-clinic.ts';

// One user makes a year's worth of changes in a second.
const clinic = await sharedClinic({ CLINIC_MAX_CHANGES_PER_DAY: '1000000' });
await clinic.addDoctor();
await clinic.addDoctor({ name: 'Dr. House', email: drHouse.email });

const people = [ann, ben, drGrey, drHouse, admin] as const;
const times = ['09:00', '09:30', '10:00', '11:11'] as const;

type Person = (typeof people)[number];
type Step =
  | {
      readonly kind: 'book';
      readonly who: Person;
      readonly patient: string;
      readonly doctor: string;
      readonly time: string;
    }
  | { readonly kind: 'status'; readonly who: Person; readonly which: number; readonly to: AppointmentStatus }
  | { readonly kind: 'move'; readonly who: Person; readonly which: number; readonly time: string };

const who = fc.constantFrom(...people);
const which = fc.nat(5);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('book' as const),
    who,
    patient: fc.constantFrom(ann.email, ben.email),
    doctor: fc.constantFrom(drGrey.email, drHouse.email),
    time: fc.constantFrom(...times),
  }),
  fc.record({
    kind: fc.constant('status' as const),
    who,
    which,
    to: fc.constantFrom('Pending' as const, 'Confirmed' as const, 'Cancelled' as const),
  }),
  fc.record({ kind: fc.constant('move' as const), who, which, time: fc.constantFrom(...times) }),
);

/** Runs one step. @returns the id of a new appointment */
async function run(one: Step, ids: readonly string[]): Promise<string | undefined> {
  const id = 'which' in one ? (ids[one.which % Math.max(ids.length, 1)] ?? 'f'.repeat(24)) : '';
  const answer = await (one.kind === 'book'
    ? clinic.requestBooking(one.who, { patientemail: one.patient, doctoremail: one.doctor, time: one.time })
    : one.kind === 'status'
      ? clinic.setStatus(one.who, id, one.to)
      : clinic.reschedule(one.who, id, clinic.soon, one.time));
  assert.ok([200, 201, 400, 403, 404, 409].includes(answer.status), `${JSON.stringify(one)} answered ${answer.status}`);
  const body = (await answer.json()) as Appointment;
  return answer.status === 201 ? body._id : undefined;
}

const slotOf = ({ date, time }: Readonly<Record<string, unknown>>): string => `${String(date)} ${String(time)}`;

/** Invariants after any sequence of requests: replaying the history from empty must give the database's state. */
async function assertSound(): Promise<void> {
  const records = await clinic.appointments.find({}).toArray();
  const held = records
    .filter(({ status }) => status !== 'Cancelled')
    .map(({ doctorEmail, date, time }) => `${doctorEmail} ${date} ${time}`);
  assert.equal(new Set(held).size, held.length, `a slot is held twice: ${held.join(', ')}`);
  for (const record of records) {
    const events = await clinic.db
      .collection('events')
      .find({ 'record.id': record._id.toHexString() })
      .sort({ at: 1, _id: 1 })
      .toArray();
    const [first, ...changes] = events;
    assert.equal(first?.['action'], 'booked');
    assert.equal(first?.['after'].status, 'Pending');
    let now = first?.['after'] as Record<string, unknown>;
    const times = [slotOf(now)];
    for (const { action, actor, before: was, after: is } of changes) {
      const { movedFrom = now, ...fields } = was as Record<string, unknown>;
      for (const [field, value] of Object.entries(fields))
        assert.equal(now[field], value, `${action} begins where the one before did not end`);
      // What was to be mentioned until the move: a time it had before.
      assert.ok(times.includes(slotOf(movedFrom as Record<string, unknown>)), JSON.stringify(movedFrom));
      if (action === 'status changed') {
        const allowed = Object.keys(appointmentTransitions[was.status as AppointmentStatus]);
        assert.ok(allowed.includes(is.status), `${was.status} became ${is.status}`);
      } else {
        assert.notEqual(now['status'], 'Cancelled', 'a cancelled appointment was moved');
        const statuses =
          actor.email === record.patientEmail && now['status'] === 'Confirmed'
            ? ['Confirmed', 'Pending']
            : [undefined, undefined];
        assert.deepEqual([was.status, is.status], statuses, `${actor.email} moved what was ${String(now['status'])}`);
      }
      now = { ...now, ...(is as object) };
      times.push(slotOf(now));
    }
    assert.deepEqual(
      [record.status, record.date, record.time, record.sequence ?? 0],
      [now['status'], now['date'], now['time'], changes.length],
    );
  }
  assert.equal(await clinic.db.collection('events').countDocuments({ action: 'booked' }), records.length);
}

async function empty(): Promise<void> {
  await clinic.empty('appointments', 'events');
}

test('any sequence of requests follows the transition table, holds no slot twice, and leaves a complete history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
      await empty();
      const ids: string[] = [];
      for (const one of steps) {
        const id = await run(one, ids);
        if (id !== undefined) ids.push(id);
      }
      await assertSound();
    }),
    { numRuns: 30 },
  );
});

test('any set of concurrent requests follows the transition table, too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12, size: 'max' }), async (steps) => {
      await empty();
      const ids: string[] = [];
      for (const time of ['09:00', '09:30', '10:00']) {
        const id = await run({ kind: 'book', who: ann, patient: ann.email, doctor: drGrey.email, time }, []);
        if (id !== undefined) ids.push(id);
      }
      await Promise.all(steps.map((one) => run(one, ids)));
      await assertSound();
    }),
    { numRuns: 20 },
  );
});
