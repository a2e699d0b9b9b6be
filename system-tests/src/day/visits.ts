import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { addDays, minuteOf } from '@clinic/contracts';
import type { AttendanceState } from '@clinic/svc-clinic/contract/attendance';
import type { Appointment, FreeTimes } from '@clinic/svc-clinic/contract/schemas';
import type { AppointmentStatus } from '@clinic/svc-clinic/contract/transitions';
import type { Outcome, Visitor } from '../soak/visitor.ts';
import type { ClinicDay, WorkingDoctor } from './clinic-day.ts';
import type { Person } from './people.ts';

/** Somebody's visit as the answers so far say that it is. */
export interface Visit {
  readonly person: Person;
  readonly doctor: WorkingDoctor;
  /** The patient's own browser; absent without an account. */
  readonly own: Visitor | undefined;
  readonly id: string;
  date: string;
  time: string;
  status: AppointmentStatus;
  state: AttendanceState;
  number: number | undefined;
  /** ISO instants. */
  arrivedAt: string | undefined;
  since: string;
  wentInAt: string | undefined;
  /** What its history must be. */
  readonly steps: string[];
  /** What its patient has done of what they wanted. */
  readonly done: Set<string>;
}

const tell = (visit: Visit, { status, code, body }: Outcome): string =>
  `${visit.person.name} (${visit.steps.join(', ')}): ${status} ${code ?? ''} ${JSON.stringify(body)}`;

/** Free times of a doctor on a day after now, as booking forms offer them. */
async function freeTimes(day: ClinicDay, { id }: WorkingDoctor, date: string): Promise<readonly string[]> {
  const { body } = await day.admin.insist('GET', `/doctors/${id}/free-times?date=${date}`);
  return (body as FreeTimes).times;
}

/**
 * Books one of the doctor's free times of the day.
 *
 * @param own - the patient's browser; otherwise a receptionist books
 * @param choose - which of the free times; another one if somebody else is faster
 * @returns `undefined` if none is left
 */
export async function book(
  day: ClinicDay,
  person: Person,
  own: Visitor | undefined,
  choose: (times: readonly string[]) => string,
): Promise<Visit | undefined> {
  const doctor = day.doctors[person.doctor] ?? assert.fail();
  const who = own ?? person.random.pick(day.desks);
  for (;;) {
    const times = await freeTimes(day, doctor, day.date);
    if (times.length === 0) return undefined;
    const time = choose(times);
    const json = {
      patientname: person.name,
      patientemail: own ? person.email : null,
      number: person.phone,
      age: own ? 40 : null,
      address: own ? '5 Lake Road' : null,
      doctoremail: doctor.email,
      date: day.date,
      time,
      ...(person.walksInAt !== undefined && { walkIn: true }),
    };
    const outcome = await who.insist('POST', '/appoinments', json, { 'idempotency-key': randomUUID() });
    if (outcome.code === 'slot_taken') continue;
    assert.equal(outcome.status, 201, JSON.stringify(outcome));
    const { _id: id, date, status } = outcome.body as Appointment;
    const none = { number: undefined, arrivedAt: undefined, since: '', wentInAt: undefined };
    const steps = ['booked'];
    return { person, doctor, own, id, date, time, status, state: 'expected', ...none, steps, done: new Set() };
  }
}

/**
 * Notes the same at once from several places: all succeed, and it is done once.
 *
 * @param by - who press at once; the same person twice is a double press, or one who got no answer
 */
export async function note(visit: Visit, to: AttendanceState, ...by: readonly Visitor[]): Promise<void> {
  const outcomes = await Promise.all(by.map((who) => send(visit, to, who)));
  for (const outcome of outcomes) assert.equal(outcome.status, 200, tell(visit, outcome));
  for (const { body } of outcomes) take(visit, to, body as Appointment);
  visit.steps.push(`attendance noted: ${visit.state} → ${to}`);
  visit.state = to;
}

/** Two people note different things at once: one of them has done it, the other is told. */
export async function contest(
  visit: Visit,
  ...wishes: readonly (readonly [to: AttendanceState, who: Visitor])[]
): Promise<void> {
  const outcomes = await Promise.all(wishes.map(([to, who]) => send(visit, to, who)));
  const [won, ...more] = wishes.filter((_, index) => outcomes[index]?.status === 200);
  assert.ok(won && more.length === 0, outcomes.map((one) => tell(visit, one)).join('\n'));
  for (const outcome of outcomes)
    if (outcome.status !== 200) assert.equal(outcome.code, 'transition_refused', tell(visit, outcome));
  const [to] = won;
  take(visit, to, outcomes[wishes.indexOf(won)]?.body as Appointment);
  visit.steps.push(`attendance noted: ${visit.state} → ${to}`);
  visit.state = to;
}

const send = (visit: Visit, to: AttendanceState, who: Visitor): Promise<Outcome> =>
  who.insist('PATCH', `/appoinments/${visit.id}/attendance`, { from: visit.state, to });

function take(visit: Visit, to: AttendanceState, { attendance }: Appointment): void {
  assert.equal(attendance?.state, to);
  if (visit.number !== undefined) assert.equal(attendance.number, visit.number, visit.person.name);
  visit.number = attendance.number;
  visit.arrivedAt = attendance.arrivedAt;
  visit.since = attendance.since;
  if (to === 'with doctor') visit.wentInAt ??= attendance.since;
}

/** Patient or staff cancel; a repeated request whose answer was lost finds it cancelled. */
export async function cancel(day: ClinicDay, visit: Visit, who: Visitor): Promise<void> {
  const outcome = await who.insist('PATCH', `/update-appoinment/${visit.id}`, { newStatus: 'Cancelled' });
  if (outcome.status !== 200) assert.equal((await readVisit(day, visit)).status, 'Cancelled', tell(visit, outcome));
  visit.steps.push(`status changed: ${visit.status} → Cancelled`);
  visit.status = 'Cancelled';
}

export async function confirm(visit: Visit): Promise<void> {
  const { who } = visit.doctor;
  const outcome = await who.insist('PATCH', `/update-appoinment/${visit.id}`, { newStatus: 'Confirmed' });
  assert.equal(outcome.status, 200, tell(visit, outcome));
  visit.steps.push(`status changed: ${visit.status} → Confirmed`);
  visit.status = 'Confirmed';
}

/**
 * A receptionist moves a visit, perhaps takes that back, and looks for another time while somebody else is faster.
 *
 * @param where - on the same day at least half an hour later, or on the next
 */
export async function move(
  day: ClinicDay,
  visit: Visit,
  who: Visitor,
  where: 'later' | 'another day' | 'and back',
): Promise<void> {
  const date = where === 'another day' ? addDays(day.date, 1) : day.date;
  const before = { date: visit.date, time: visit.time };
  for (;;) {
    const times = (await freeTimes(day, visit.doctor, date)).filter(
      (time) => where === 'another day' || minuteOf(time) > day.now().minute + 30,
    );
    if (times.length === 0) return;
    const time = visit.person.random.pick(times);
    const outcome = await who.insist('PATCH', `/appoinments/${visit.id}`, { date, time });
    if (outcome.code === 'slot_taken') continue;
    assert.equal(outcome.status, 200, tell(visit, outcome));
    moved(visit, { date, time });
    break;
  }
  if (where !== 'and back') return;
  const seen = { doctoremail: visit.doctor.email, date: visit.date, time: visit.time };
  const undone = await who.insist('PATCH', '/appoinments/undone', { moves: [{ id: visit.id, seen }] });
  // Somebody else may have the old time by now.
  if (undone.code === 'slot_taken') return;
  if (undone.status !== 200) assert.equal((await readVisit(day, visit)).time, before.time, tell(visit, undone));
  moved(visit, before);
}

function moved(visit: Visit, to: { readonly date: string; readonly time: string }): void {
  visit.steps.push(`rescheduled: ${visit.date} ${visit.time} → ${to.date} ${to.time}`);
  Object.assign(visit, to, { state: 'expected', number: undefined, arrivedAt: undefined });
}

async function readVisit({ desks }: ClinicDay, { id, person }: Visit): Promise<Appointment> {
  const { body } = await desks[0].insist('GET', `/appoinments?q=${encodeURIComponent(person.name)}&limit=200`);
  return (body as readonly Appointment[]).find(({ _id }) => _id === id) ?? assert.fail(`no visit of ${person.name}`);
}
