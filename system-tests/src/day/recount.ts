import assert from 'node:assert/strict';
import type { HistoryEvent } from '@clinic/service-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import type { AppointmentReport } from '@clinic/svc-clinic/contract/reports';
import type { AppointmentRecord } from '../../../svc-clinic/src/appointments/appointment-record.ts';
import type { ClinicDay } from './clinic-day.ts';
import { visitsIn } from './agreement.ts';
import type { Person } from './people.ts';
import { inTurns, sentHome } from './run-day.ts';
import type { Visit } from './visits.ts';

type Fields = Readonly<Record<string, string>>;

/** In which one way the day has ended for somebody. */
export function endOf(day: ClinicDay, one: Visit | typeof sentHome | undefined): string {
  if (one === undefined) return 'never came';
  if (one === sentHome) return sentHome;
  if (one.status === 'Cancelled') return 'cancelled';
  if (one.date !== day.date) return 'another day';
  return one.state;
}

/** Each visit's history is what its people did, in order: nothing is missing, and nothing is in it twice. */
export async function historyIsWhole(day: ClinicDay, everybody: ReadonlyMap<Person, Visit | string>): Promise<void> {
  const visits = visitsIn(everybody);
  const events = await day.services.databases.clinic
    .collection<HistoryEvent>('events')
    .find({ 'record.type': 'appointment', 'record.id': { $in: visits.map(({ id }) => id) } })
    .sort({ at: 1, _id: 1 })
    .toArray();
  const byId = Map.groupBy(events, ({ record }) => record.id);
  for (const { id, steps, person } of visits)
    assert.deepEqual((byId.get(id) ?? []).map(inWords), steps, `the history of ${person.name}`);
}

function inWords({ action, ...event }: HistoryEvent): string {
  const [before, after] = [event.before, event.after] as readonly [Fields | null, Fields];
  const change = (...names: readonly string[]): string =>
    [before ?? {}, after].map((fields: Fields) => names.map((name) => fields[name]).join(' ')).join(' → ');
  if (action === 'status changed') return `${action}: ${change('status')}`;
  if (action === 'rescheduled') return `${action}: ${change('date', 'time')}`;
  if (action === 'attendance noted') return `${action}: ${change('attendance')}`;
  return action;
}

/** Everybody with an account finds on their phone what the desk has. */
export async function patientsAgree(everybody: ReadonlyMap<Person, Visit | string>): Promise<void> {
  await inTurns(
    visitsIn(everybody).filter(({ own }) => own),
    async ({ own, id, status, date, time, state, person }) => {
      const answer = await own?.insist('GET', `/appoinments?email=${person.email}`);
      const shown = (answer?.body ?? []) as readonly Appointment[];
      assert.deepEqual(
        shown.map((one) => [one._id, one.status, one.date, one.time, one.attendance?.state ?? 'expected']),
        [[id, status, date, time, state]],
        person.name,
      );
    },
  );
}

/** The overview's figures are those of the records, and of the answers that people got. */
export async function figuresAgree(day: ClinicDay, everybody: ReadonlyMap<Person, Visit | string>): Promise<void> {
  const { body } = await day.admin.insist('GET', `/appoinments/report?from=${day.date}&to=${day.date}`);
  const { totals, byDoctor, byDay, attendance, walkIns, cancellations } = body as AppointmentReport;
  const records = await day.services.databases.clinic
    .collection<AppointmentRecord>('appointments')
    .find({ date: day.date })
    .toArray();
  const visits = visitsIn(everybody).filter(({ date }) => date === day.date);
  assert.equal(records.length, visits.length);
  const counted = (all: readonly Pick<AppointmentRecord, 'status'>[]) => {
    const of = (status: string): number => all.filter((one) => one.status === status).length;
    return { pending: of('Pending'), confirmed: of('Confirmed'), cancelled: of('Cancelled') };
  };
  for (const all of [records, visits]) {
    assert.deepEqual(totals, { all: all.length, ...counted(all) });
    assert.deepEqual(byDay, [{ date: day.date, total: all.length, ...counted(all) }]);
    assert.equal(cancellations.count, totals.cancelled);
  }
  for (const { email } of day.doctors) {
    const own = records.filter(({ doctorEmail }) => doctorEmail === email);
    const { total, pending, confirmed, cancelled } = byDoctor.find((one) => one.email === email) ?? assert.fail(email);
    assert.deepEqual({ total, pending, confirmed, cancelled }, { total: own.length, ...counted(own) });
  }
  assert.equal(
    walkIns,
    visits.filter(({ status, person }) => status !== 'Cancelled' && person.walksInAt !== undefined).length,
  );
  const seen = visits.filter(({ state }) => state === 'finished');
  const waits = seen
    .map(({ arrivedAt = '', wentInAt = '' }) => Math.floor((Date.parse(wentInAt) - Date.parse(arrivedAt)) / 60_000))
    .toSorted((a, b) => a - b);
  const least = (share: number): number | undefined => waits[Math.ceil(waits.length * share) - 1];
  assert.deepEqual(attendance, {
    seen: seen.length,
    missed: visits.filter(({ state, arrivedAt }) => state === 'missed' && arrivedAt === undefined).length,
    waiting: { median: least(0.5), ninetieth: least(0.9) },
  });
}
