import { formatDate, isFinal, judgeTransition, type ParsedBody } from '@clinic/contracts';
import { isDuplicateKey, ProblemError, refused } from '@clinic/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import {
  actorsOf,
  changedMeanwhile,
  finalStatus,
  findForChange,
  type AppointmentChange,
} from '../appointments/appointment-change.ts';
import { toAppointment, type AppointmentRecord } from '../appointments/appointment-record.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import {
  attendanceStates,
  attendanceTransitions,
  hasBegun,
  hasEnded,
  isHere,
  whyNotNow,
  type AttendanceState,
} from '../contract/attendance.ts';
import type { Appointment } from '../contract/schemas.ts';
import { appointmentTransitions, type AppointmentStatus } from '../contract/transitions.ts';
import { aboutAppointment } from '../record-change.ts';
import { followAppointment } from '../waitlist/follow-appointment.ts';
import {
  attendanceOf,
  dayClock,
  daysOfToday,
  isVisitOfToday,
  stateOf,
  timedVisit,
  undoableUntil,
  type AttendanceRecord,
} from './attendance-record.ts';

const inWords: Readonly<Record<AttendanceState, string>> = {
  expected: 'is expected',
  arrived: 'has arrived',
  called: 'has been called',
  'with doctor': 'is with the doctor',
  finished: 'has been seen',
  missed: 'didn’t come',
};

function wordsOf(record: AppointmentRecord): string {
  const state = stateOf(record);
  return state === 'missed' && attendanceOf(record)?.arrivedAt ? 'has left' : inWords[state];
}

/**
 * Notes how far a visit has got on its day, or takes the last note back.
 *
 * The state it is in already succeeds and changes nothing: of two receptionists who press at once, one has done it.
 *
 * @param requested - the state on the caller's screen, and the next one
 * @param session - the transaction of record, number and event
 * @throws ProblemError `not_found`, `forbidden`; `transition_refused` if it is cancelled or in another state, if the change
 *   isn't in `attendanceTransitions`, or on another day
 */
export async function changeAttendance(
  change: AppointmentChange,
  { from, to }: ParsedBody<'changeAttendance'>,
  session: ClientSession,
): Promise<Appointment> {
  const { collections, id, caller, clock, rules } = change;
  const record = await findForChange(change, session);
  if (isFinal(appointmentTransitions, record.status)) throw finalStatus(record.status);
  const state = stateOf(record);
  if (state === to) return toAppointment(record, rules, caller);
  if (state !== from) throw refused(`${record.patientName} ${wordsOf(record)} by now.`);
  const noted = attendanceOf(record);
  const undone = noted?.before?.state === to && clock.now <= undoableUntil(noted) ? noted : undefined;
  assertMay(record, change, undone ? { from: to, to: from, undo: true } : { from, to });
  if (!undone) assertOnItsDay(record, to, clock);

  const attendance = undone ? takenBack(undone) : await next(record, to, clock, collections, session);
  const unchanged: Filter<AppointmentRecord> = record.attendance
    ? { 'attendance.state': record.attendance.state, 'attendance.since': record.attendance.since }
    : { attendance: { $exists: false } };
  // If the snapshot is older than the record, this condition decides: a visit that just moved isn't the one on screen.
  const { matchedCount } = await collections.appointments.updateOne(
    { _id: id, status: record.status, date: record.date, time: record.time, ...unchanged },
    { $set: { attendance } },
    { session },
  );
  if (matchedCount === 0) throw changedMeanwhile();
  await change.recordChange(session, {
    ...aboutAppointment(record),
    action: 'attendance noted',
    before: { attendance: state },
    after: { attendance: to },
  });
  await followAppointment(change, record, session);
  return toAppointment({ ...record, attendance }, rules, caller);
}

/**
 * A visit that has begun, or that the patient missed, stays where it was.
 *
 * @throws ProblemError `transition_refused`
 */
export function assertNotBegun(record: AppointmentRecord): void {
  const why = whyStays(record);
  if (why !== undefined) throw refused(why);
}

/** Why a visit stays where it is: it has begun, or the patient missed it. */
export function whyStays(record: AppointmentRecord): string | undefined {
  const state = stateOf(record);
  if (!hasBegun(state)) return undefined;
  return `${record.patientName} ${wordsOf(record)}, so this appointment can’t be moved or cancelled.`;
}

/**
 * A visit that is over stays as it was promised.
 *
 * @throws ProblemError `transition_refused`
 */
export function assertNotOver(...asked: Parameters<typeof whyOver>): void {
  const why = whyOver(...asked);
  if (why !== undefined) throw refused(why);
}

/** Why a visit is neither confirmed, cancelled nor moved any more: it is over. */
export function whyOver(
  record: AppointmentRecord,
  to: AppointmentStatus | 'moved',
  { now, timeZone }: Pick<ClinicClock, 'now' | 'timeZone'>,
): string | undefined {
  if (!hasEnded(timedVisit(record, timeZone), now.getTime())) return undefined;
  return to === 'Cancelled'
    ? 'This visit is over, so it can’t be cancelled any more. If the patient didn’t come, note “Didn’t come” instead.'
    : `This visit is over, so it can’t be ${to.toLowerCase()} any more. If the patient still needs it, book a new one.`;
}

function assertMay(
  record: AppointmentRecord,
  { caller }: AppointmentChange,
  { from, to, undo = false }: { readonly from: AttendanceState; readonly to: AttendanceState; readonly undo?: boolean },
): void {
  const actors = actorsOf(record, caller).filter((actor) => !undo || actor !== 'patient');
  const verdict = judgeTransition(attendanceTransitions, from, to, actors);
  if (verdict === 'forbidden')
    throw new ProblemError('forbidden', { detail: 'Only the clinic’s staff can note this.' });
  if (verdict === 'impossible')
    throw refused(`${record.patientName} ${inWords[from]}. This can’t be changed to “${to}”.`);
}

function assertOnItsDay(record: AppointmentRecord, to: AttendanceState, clock: ClinicClock): void {
  const why = whyNotNow(timedVisit(record, clock.timeZone), to, dayClock(clock));
  if (why === 'too early') throw refused('This visit’s time hasn’t come yet. Cancel it instead.');
  if (why) throw refused(`This visit is on ${formatDate(record.date)}.`);
}

/** The row's next state. A patient who was here, left and came back keeps number and arrival. */
async function next(
  record: AppointmentRecord,
  state: AttendanceState,
  clock: ClinicClock,
  collections: ClinicCollections,
  session: ClientSession,
): Promise<AttendanceRecord> {
  const { now } = clock;
  const { date, time } = record;
  const noted = attendanceOf(record);
  const { number: had, arrivedAt, startedAt, waited } = noted ?? {};
  const number = had ?? (state === 'missed' ? undefined : await nextNumber(collections, clock, session));
  return {
    date,
    time,
    state,
    since: now,
    ...(number !== undefined && { number }),
    ...((arrivedAt ?? state === 'arrived') && { arrivedAt: arrivedAt ?? now }),
    ...(state === 'with doctor'
      ? { startedAt: now, ...(arrivedAt && { waited: minutesBetween(arrivedAt, now) }) }
      : { ...(startedAt && { startedAt }), ...(waited !== undefined && { waited }) }),
    before: { state: noted?.state ?? 'expected', ...(noted && { since: noted.since }) },
  };
}

function takenBack({ before, startedAt, waited, arrivedAt, ...kept }: AttendanceRecord): AttendanceRecord {
  const { state = 'expected', since = kept.since } = before ?? {};
  return {
    ...kept,
    state,
    since,
    ...(arrivedAt && state !== 'expected' && { arrivedAt }),
    ...(state === 'with doctor' && { ...(startedAt && { startedAt }), ...(waited !== undefined && { waited }) }),
  };
}

const minutesBetween = (from: Date, until: Date): number =>
  Math.max(0, Math.floor((until.getTime() - from.getTime()) / 60_000));

/** One row a day, which concurrent arrivals take in turn. Leaves out numbers that patients still have from before midnight. */
async function nextNumber(
  collections: Pick<ClinicCollections, 'appointments' | 'arrivalNumbers'>,
  clock: ClinicClock,
  session: ClientSession,
): Promise<number> {
  const taken = await numbersOfNight(collections, clock, session);
  try {
    for (;;) {
      const given = await collections.arrivalNumbers.findOneAndUpdate(
        { _id: clock.today },
        { $inc: { last: 1 } },
        { upsert: true, returnDocument: 'after', session },
      );
      const number = given?.last ?? 1;
      if (!taken.has(number)) return number;
    }
  } catch (error) {
    // Another arrival has begun the day: try again as after any write conflict.
    if (isDuplicateKey(error)) error.addErrorLabel('TransientTransactionError');
    throw error;
  }
}

/** The numbers of yesterday's patients who are still here, or who have left and may come back. */
async function numbersOfNight(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  clock: ClinicClock,
  session: ClientSession,
): Promise<ReadonlySet<number>> {
  const [yesterday] = daysOfToday(clock);
  const found = await appointments
    .find(
      { date: yesterday, 'attendance.state': { $in: [...attendanceStates.filter(isHere), 'missed'] } },
      { session, projection: { date: 1, time: 1, duration: 1, attendance: 1 } },
    )
    .toArray();
  const ofToday = found.filter((record) => isVisitOfToday(record, clock));
  return new Set(ofToday.flatMap((record) => attendanceOf(record)?.number ?? []));
}
