import { isFinal, type ClinicMoment, type ParsedBody } from '@clinic/contracts';
import type { PatientChoice } from '../contract/limits.ts';
import type { Appointment } from '../contract/schemas.ts';
import { takeUserLock } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { forStaff } from '../clinic-clock.ts';
import { appointmentTransitions, type AppointmentStatus } from '../contract/transitions.ts';
import { doctorForSlot } from './requested-slot.ts';
import { announceVisit, nextSequence } from '../messages/announce-visit.ts';
import { countAppointment } from '../reports/appointment-rollups.ts';
import {
  actorsOf,
  actsAsPatient,
  assertInTime,
  assertNotMoved,
  changedMeanwhile,
  findForChange,
  finalStatus,
  type AppointmentChange,
} from './appointment-change.ts';
import { toAppointment, type AppointmentRecord } from './appointment-record.ts';
import { countChange } from './booking-limits.ts';
import { changedVisit, promiseOf, visitOf, type Visit } from './promise.ts';
import { assertFreeThen, takePatientLock } from './same-time.ts';
import { freeSlotOf } from '../waitlist/free-slot.ts';
import { attendanceAfterMove, stateOf } from '../attendance/attendance-record.ts';
import { assertNotBegun, assertNotOver } from '../attendance/change-attendance.ts';
import { aboutAppointment } from '../record-change.ts';

/** The clock that somebody moves an appointment by: that of its doctor and the desk also has times outside the opening hours. */
export function moversClock(record: AppointmentRecord, { caller, clock }: Pick<AppointmentChange, 'caller' | 'clock'>) {
  return actsAsPatient(record, caller) ? clock : forStaff(clock);
}

/**
 * Moves an appointment, and offers its old slot to the waitlist.
 *
 * @throws as {@link moveToSlot}
 */
export async function rescheduleAppointment(
  change: AppointmentChange,
  requested: ParsedBody<'rescheduleAppointment'>,
  session: ClientSession,
  patientChoice?: PatientChoice,
): Promise<Appointment> {
  const { appointment, left } = await moveToSlot(change, requested, session, patientChoice);
  if (left) await freeSlotOf(change, left, session);
  return appointment;
}

/**
 * Moves an appointment to another slot of its doctor, and leaves the old slot free: offer it (`freeSlotOf`) once all
 * moves of the transaction are made, as another of them may take it. It is one write of one record, so that the old
 * slot is freed and the new one held at the same moment; the index over the doctor's minutes decides who gets the new one. It
 * has the length and place of the new slot from then on. The id stays.
 * Requesting the current slot changes nothing, except for staff who adopt the length and place that it has now.
 *
 * A move by doctor or admin keeps the status. A move by the patient makes a confirmed appointment pending, because the
 * doctor agreed to another time, and keeps the old time in `movedFrom` until doctor or admin has confirmed or moved it.
 *
 * @param requested - the new date and time in the clinic's time zone, and whether another appointment at that time was confirmed
 * @param session - the transaction of record and event
 * @param patientChoice - the patient's choice if the clinic moves it; the history keeps it
 * @returns the appointment, and its record before the move if it has moved
 * @throws ProblemError `not_found`, `forbidden`; `transition_refused` if it is cancelled, has begun or is over; `too_late` for patients shortly
 *   before, `rate_limited` for patients who moved too often today; `validation_failed` if the slot is past or not among the
 *   doctor's times; `changed_meanwhile` if it isn't where the caller saw it; `too_many_appointments`, see `assertFreeThen`
 * @throws MongoServerError 11000 if the slot is held; see `explainTakenSlot`
 */
export async function moveToSlot(
  change: AppointmentChange,
  { alsoThen, seen, ...slot }: ParsedBody<'rescheduleAppointment'>,
  session: ClientSession,
  patientChoice?: PatientChoice,
): Promise<{ readonly appointment: Appointment; readonly left?: AppointmentRecord }> {
  const { db, collections, id, caller, rules, movingTogether = [] } = change;
  const record = await findForChange(change, session);
  if (isFinal(appointmentTransitions, record.status)) throw finalStatus(record.status);
  const { date, time } = slot;
  if (date === record.date && time === record.time && !change.adoptsHours)
    return { appointment: toAppointment(record, rules, caller) };
  assertNotMoved(record, seen);
  assertInTime(record, change);
  assertNotOver(record, 'moved', change.clock);
  const byPatient = actsAsPatient(record, caller);
  if (byPatient) {
    await takeUserLock({ db }, session, caller.id);
    if (!change.offered) await countChange(db, session, caller.id, rules.CLINIC_MAX_CHANGES_PER_DAY);
  } else await takePatientLock({ db }, session, record);
  const { visit } = await doctorForSlot(
    collections,
    { doctorEmail: record.doctorEmail, date, time, moving: [id, ...movingTogether] },
    moversClock(record, change),
    session,
  );
  const status = byPatient ? 'Pending' : record.status;
  const movedFrom = byPatient ? slotToMention(record, slot) : undefined;
  const moved = await putInSlot(
    change,
    record,
    { ...slot, ...visit, status, movedFrom, alsoThen, patientChoice, byPatient },
    session,
  );
  return { appointment: toAppointment(moved, rules, caller), left: record };
}

/** Where an appointment of the same doctor goes, and what else becomes of it. */
interface NewSlot extends ClinicMoment, Visit {
  readonly status: AppointmentStatus;
  readonly movedFrom: ClinicMoment | undefined;
  readonly alsoThen: boolean | undefined;
  readonly patientChoice?: PatientChoice | undefined;
  readonly byPatient: boolean;
}

/** Writes a move that is allowed, with its event and message. @throws as {@link moveToSlot} */
export async function putInSlot(
  change: AppointmentChange,
  record: AppointmentRecord,
  { date, time, minutes, place, status, movedFrom, alsoThen, patientChoice, byPatient }: NewSlot,
  session: ClientSession,
): Promise<AppointmentRecord> {
  const { db, collections, id, clock } = change;
  assertNotBegun(record);
  const promised = promiseOf({ date, time }, { minutes, place }, clock.timeZone);
  const { movedFrom: _mentioned, overlaps: _former, ...kept } = record;
  const attendance = attendanceAfterMove(record, { ...record, date, time });
  const set = { date, time, ...promised, status, ...(movedFrom && { movedFrom }), ...(attendance && { attendance }) };
  const moved: AppointmentRecord = { ...kept, ...set };
  // The condition includes the status, as in a change of status: an appointment that was just cancelled can't be moved.
  const { matchedCount } = await collections.appointments.updateOne(
    { _id: id, status: record.status, date: record.date, time: record.time },
    {
      $set: { ...set, changedAt: clock.now },
      $unset: { overlaps: '', ...(!movedFrom && { movedFrom: '' }) },
      $inc: { sequence: 1 },
    },
    { session },
  );
  if (matchedCount === 0) throw changedMeanwhile();
  await assertFreeThen(
    { collections, clock, requested: moved, alsoThen, requester: requesterOf(record, change) },
    session,
  );
  await countAppointment(collections, record, moved, session);
  await recordMove(change, record, moved, patientChoice, session);
  await announceVisit(db, { kind: 'appointment-moved', was: record }, moved, nextSequence(record), byPatient, session);
  return moved;
}

async function recordMove(
  change: AppointmentChange,
  record: AppointmentRecord,
  moved: AppointmentRecord,
  patientChoice: PatientChoice | undefined,
  session: ClientSession,
): Promise<void> {
  // Date and time are one value, the slot; older front-ends read both.
  const newStatus = moved.status !== record.status;
  const fieldsOf = ({ date, time, status }: AppointmentRecord) => ({ date, time, ...(newStatus && { status }) });
  await change.recordChange(session, {
    ...aboutAppointment(record),
    action: 'rescheduled',
    before: {
      ...fieldsOf(record),
      ...changedVisit(visitOf(record), visitOf(moved)),
      ...mentionedBefore(record, moved),
    },
    after: {
      ...fieldsOf(moved),
      ...changedVisit(visitOf(moved), visitOf(record)),
      ...(patientChoice !== undefined && { patientChoice }),
    },
  });
}

/** What the move has made out of date, for the history and whoever takes the move back. */
export function mentionedBefore(record: AppointmentRecord, moved: AppointmentRecord) {
  const { movedFrom, keptAt } = record;
  const state = stateOf(record);
  return {
    ...(movedFrom && !moved.movedFrom && { movedFrom }),
    ...(keptAt && !moved.keptAt && { keptAt }),
    ...(state === 'called' && stateOf(moved) === 'arrived' && { attendance: state }),
  };
}

/** A doctor doesn't see their patient's other doctors, unless they are that patient or an admin. */
function requesterOf(record: AppointmentRecord, { caller }: AppointmentChange): 'patient' | 'admin' | 'doctor' {
  const actors = actorsOf(record, caller);
  if (actors.includes('patient')) return 'patient';
  return actors.includes('admin') ? 'admin' : 'doctor';
}

/** The slot that the doctor last knew, unless the appointment is back there. */
function slotToMention(
  { date, time, movedFrom = { date, time } }: AppointmentRecord,
  slot: ClinicMoment,
): ClinicMoment | undefined {
  return movedFrom.date === slot.date && movedFrom.time === slot.time ? undefined : movedFrom;
}
