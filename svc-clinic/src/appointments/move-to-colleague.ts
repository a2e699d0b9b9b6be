import { rejected } from '@clinic/service-kit';
import { attendanceAfterMove } from '../attendance/attendance-record.ts';
import { assertNotBegun, assertNotOver } from '../attendance/change-attendance.ts';
import { isAllowed, isFinal, type ClinicMoment, type ParsedBody } from '@clinic/contracts';
import type { PatientChoice } from '../contract/limits.ts';
import type { Appointment } from '../contract/schemas.ts';
import type { ClientSession } from 'mongodb';
import { forStaff } from '../clinic-clock.ts';
import { appointmentTransitions } from '../contract/transitions.ts';
import { doctorForSlot } from './requested-slot.ts';
import { announceVisit, nextSequence } from '../messages/announce-visit.ts';
import { countAppointment } from '../reports/appointment-rollups.ts';
import { collideWithJoining } from '../staff/join-doctor.ts';
import {
  actsAsPatient,
  assertNotMoved,
  changedMeanwhile,
  findForChange,
  finalStatus,
  type AppointmentChange,
} from './appointment-change.ts';
import { findingFields, toAppointment, type AppointmentRecord } from './appointment-record.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { changedVisit, promiseOf, visitOf, type Visit } from './promise.ts';
import { mentionedBefore } from './reschedule-appointment.ts';
import { assertFreeThen, takePatientLock } from './same-time.ts';
import { freeSlotOf } from '../waitlist/free-slot.ts';
import { desk } from '../contract/desk.ts';

/**
 * Moves an appointment to another doctor, e.g. from one who is leaving. Like any move it is one write of one record, and
 * the index over the doctor's minutes decides who gets the new slot. Id and status stay; the former doctor loses access. Does nothing if nothing
 * differs.
 *
 * @param requested - the colleague, the slot in the clinic's time zone, and the patient's choice, which the history keeps
 * @param session - the transaction of record and event
 * @throws ProblemError `not_found`; `transition_refused` if it is cancelled, has begun or is over; `validation_failed` if the colleague is
 *   already its doctor, is unknown or unavailable, or doesn't see patients then; `changed_meanwhile` if it isn't where the
 *   caller saw it; `too_many_appointments`, see `assertFreeThen`
 * @throws MongoServerError 11000 if the slot is held; see `explainTakenSlot`
 */
export async function moveToColleague(
  change: AppointmentChange,
  requested: ParsedBody<'moveToColleague'>,
  session: ClientSession,
): Promise<Appointment> {
  const { db, collections, caller, clock, rules } = change;
  const record = await findForChange(change, session);
  if (isFinal(appointmentTransitions, record.status)) throw finalStatus(record.status);
  const { doctoremail, date, time, patientChoice, alsoThen, seen } = requested;
  if (doctoremail === record.doctorEmail) {
    if (date === record.date && time === record.time) return toAppointment(record, rules, caller);
    throw rejected('doctoremail', 'The appointment is already with this doctor. Choose a colleague, or reschedule it');
  }
  assertNotMoved(record, seen);
  assertNotOver(record, 'moved', clock);
  const { doctor, visit } = await doctorForSlot(
    collections,
    { doctorEmail: doctoremail, date, time },
    forStaff(clock),
    session,
  );
  await takePatientLock({ db }, session, record);
  const moved = await handOver(change, record, { doctor, date, time, ...visit, patientChoice, alsoThen }, session);
  await freeSlotOf(change, record, session);
  return toAppointment(moved, rules, caller);
}

/** The doctor and slot to which an appointment goes. */
interface NewDoctor extends ClinicMoment, Visit {
  readonly doctor: DoctorRecord;
  readonly movedFrom?: ClinicMoment | undefined;
  readonly keptAt?: ClinicMoment | undefined;
  readonly patientChoice?: PatientChoice | undefined;
  readonly alsoThen: boolean | undefined;
}

/**
 * Writes a hand-over that is allowed, with its event and message.
 *
 * @param session - of a transaction that holds the patient's lock
 * @throws as {@link moveToColleague}
 */
export async function handOver(
  change: AppointmentChange,
  record: AppointmentRecord,
  { doctor, date, time, minutes, place, movedFrom, keptAt, patientChoice, alsoThen }: NewDoctor,
  session: ClientSession,
): Promise<AppointmentRecord> {
  const { db, collections, id, caller, clock } = change;
  assertNotBegun(record);
  const visit = { minutes, place };
  await collideWithJoining(collections, doctor, session);

  const { movedFrom: _mentioned, keptAt: _decided, overlaps: _first, doctorAccountId: _former, ...kept } = record;
  const promised = promiseOf({ date, time }, visit, clock.timeZone);
  const { accountId, name: doctorName, email: doctorEmail } = doctor;
  const attendance = attendanceAfterMove(record, { date, time, doctorEmail });
  const set = {
    doctorName,
    doctorEmail,
    date,
    time,
    ...promised,
    ...(movedFrom && { movedFrom }),
    ...(keptAt && { keptAt }),
    ...(accountId !== undefined && { doctorAccountId: accountId }),
    ...(attendance && { attendance }),
  };
  const found = findingFields({ ...kept, ...set });
  const moved: AppointmentRecord = { ...kept, ...set, ...found };
  const { matchedCount } = await collections.appointments.updateOne(
    { _id: id, status: record.status, doctorEmail: record.doctorEmail, date: record.date, time: record.time },
    {
      $set: { ...set, ...found, changedAt: clock.now },
      $unset: {
        ...(!movedFrom && { movedFrom: '' }),
        ...(!keptAt && { keptAt: '' }),
        overlaps: '',
        ...(accountId === undefined && { doctorAccountId: '' }),
      },
      $inc: { sequence: 1 },
    },
    { session },
  );
  if (matchedCount === 0) throw changedMeanwhile();
  // Within its old time it overlaps no more than before.
  if (date !== record.date || time !== record.time || visit.minutes > visitOf(record).minutes)
    await assertFreeThen(
      { collections, clock, requested: moved, alsoThen, requester: isAllowed(caller, desk) ? 'admin' : 'doctor' },
      session,
    );
  await countAppointment(collections, record, moved, session);
  await change.recordChange(session, {
    record: { type: 'appointment', id },
    // The former doctor's lists change too.
    concerns: [...new Set([...record.people, ...moved.people])],
    accounts: [...new Set([...record.accounts, ...moved.accounts])],
    action: 'moved to a colleague',
    before: {
      doctorname: record.doctorName,
      doctoremail: record.doctorEmail,
      date: record.date,
      time: record.time,
      ...changedVisit(visitOf(record), visit),
      ...mentionedBefore(record, moved),
    },
    after: {
      doctorname: doctorName,
      doctoremail: doctorEmail,
      date,
      time,
      ...changedVisit(visit, visitOf(record)),
      ...(patientChoice !== undefined && { patientChoice }),
    },
  });
  await announceVisit(
    db,
    { kind: 'appointment-moved', was: record },
    moved,
    nextSequence(record),
    actsAsPatient(record, caller),
    session,
  );
  return moved;
}
