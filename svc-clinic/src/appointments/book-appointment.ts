import { isAllowed, type Caller } from '@clinic/contracts';
import { hasNoEmail, isNobodysEmail } from '@clinic/contracts/erased-person';
import type { Appointment } from '../contract/schemas.ts';
import { newId, takeUserLock, type RecordOwner } from '@clinic/service-kit';
import type { ClientSession, Db } from 'mongodb';
import { forStaff, type ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { collideWithJoining } from '../staff/join-doctor.ts';
import { announceVisit } from '../messages/announce-visit.ts';
import { aboutAppointment, type RecordChange } from '../record-change.ts';
import { countAppointment } from '../reports/appointment-rollups.ts';
import { patientFields, patientGone, type RequestedVisit } from './patient-fields.ts';
import { promiseOf } from './promise.ts';
import { doctorForSlot } from './requested-slot.ts';
import type { ClinicContext } from '../settings.ts';
import type { AppointmentChange } from './appointment-change.ts';
import {
  appointmentFieldsForHistory,
  appointmentRecord,
  toAppointment,
  type AppointmentRecord,
  type ChangeRules,
  type NewAppointment,
} from './appointment-record.ts';
import { countChange, assertRoomForOneMore } from './booking-limits.ts';
import { assertFreeThen, takePatientLock } from './same-time.ts';
import { desk } from '../contract/desk.ts';

export interface Booking {
  readonly db: Db;
  readonly caller: Caller;
  /** Of the patient's address. */
  readonly ownerOf: RecordOwner;
  readonly collections: ClinicCollections;
  readonly requested: RequestedVisit;
  readonly clock: ClinicClock;
  readonly rules: ChangeRules &
    Pick<
      ClinicContext['settings'],
      'CLINIC_MAX_OPEN_APPOINTMENTS' | 'CLINIC_MAX_OPEN_APPOINTMENTS_UNCONFIRMED' | 'CLINIC_MAX_CHANGES_PER_DAY'
    >;
  readonly recordChange: RecordChange;
  /** The clinic offered this time, so it doesn't count towards the patient's daily limit. */
  readonly offered?: true;
}

/** The clock that somebody books by: the desk's also has times outside the opening hours. */
export function bookersClock(caller: Caller, clock: ClinicClock): ClinicClock {
  return isAllowed(caller, desk) ? forStaff(clock) : clock;
}

/**
 * Books a slot for a patient. The database's unique index over the doctor's minutes decides who gets it: a check beforehand
 * could only race.
 *
 * @param session - the transaction of booking, event and idempotency key
 * @returns the appointment, always Pending
 * @throws ProblemError `validation_failed` naming the fields if the doctor is unknown or unavailable, or the slot is past
 *   or not among the doctor's times; `too_many_appointments` and `rate_limited`, except for admins; `too_many_appointments`
 *   also for admins if the patient has another doctor's appointment at that time, see `assertFreeThen`
 *   `slot_taken`, see `doctorForSlot`
 * @throws MongoServerError 11000 if the slot is held; the caller maps it with `explainTakenSlot` once the transaction has
 *   ended
 */
export async function bookAppointment(
  { db, caller, ownerOf, collections, requested, clock: today, rules, recordChange, offered }: Booking,
  session: ClientSession,
): Promise<Appointment> {
  const atDesk = isAllowed(caller, desk);
  const clock = bookersClock(caller, today);
  if (!atDesk) await takeUserLock({ db }, session, caller.id);
  const { doctoremail: doctorEmail, date, time } = requested;
  const { doctor, visit } = await doctorForSlot(collections, { doctorEmail, date, time }, clock, session);
  if (!atDesk) {
    await assertRoomForOneMore(collections, caller, rules, clock, session);
    if (!offered) await countChange(db, session, caller.id, rules.CLINIC_MAX_CHANGES_PER_DAY);
  }
  // The access rule lets only the desk book under somebody else's address.
  const patientId = await ownerOf(session);
  if (atDesk && !(await takePatientLock({ db }, session, { patientId, patientEmail: requested.patientemail })))
    throw patientGone('patientemail', requested.patientemail);
  await collideWithJoining(collections, doctor, session);

  const booked: NewAppointment = {
    _id: newId(),
    ...patientFields(requested, rules.CLINIC_COUNTRY),
    patientEmail: requested.patientemail,
    doctorName: doctor.name,
    doctorEmail: doctor.email,
    date: requested.date,
    time: requested.time,
    status: 'Pending',
    bookedAt: clock.now,
    ...(atDesk && requested.walkIn && { walkIn: true }),
    ...(patientId !== undefined && { patientId }),
    ...(doctor.accountId !== undefined && { doctorAccountId: doctor.accountId }),
  };
  const record = appointmentRecord(booked, promiseOf(booked, visit, clock.timeZone));
  await collections.appointments.insertOne(record, { session });
  // After the write, so that nobody is asked to confirm a second appointment at the time of a slot that is already
  // taken.
  await assertFreeThen(
    { collections, clock, requested: record, alsoThen: requested.alsoThen, requester: atDesk ? 'admin' : 'patient' },
    session,
  );
  await recordBooking({ collections, db, recordChange }, record, patientId === caller.id, session);
  return toAppointment(record, rules, caller);
}

/**
 * Counts a new appointment, adds it to the history and asks for the patient's message.
 *
 * @param own - the patient has booked it
 * @param session - the transaction of the booking
 */
export async function recordBooking(
  { collections, db, recordChange }: Pick<AppointmentChange, 'collections' | 'db' | 'recordChange'>,
  record: AppointmentRecord,
  own: boolean,
  session: ClientSession,
): Promise<void> {
  await countAppointment(collections, undefined, record, session);
  await recordChange(session, {
    ...aboutAppointment(record),
    action: 'booked',
    before: null,
    after: appointmentFieldsForHistory(record),
  });
  await announceVisit(db, { kind: 'appointment-booked' }, record, 0, own, session);
}

/**
 * Requires an address that stands for that of a patient without one to be of such a patient: nobody makes up another.
 *
 * @param field - of the request
 */
export async function assertKnownPatient(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  field: string,
  patientEmail: string | null | undefined,
): Promise<void> {
  if (typeof patientEmail !== 'string' || !isNobodysEmail(patientEmail)) return;
  const known = hasNoEmail(patientEmail) && (await appointments.findOne({ patientEmail }, { projection: { _id: 1 } }));
  if (!known) throw patientGone(field, patientEmail);
}
