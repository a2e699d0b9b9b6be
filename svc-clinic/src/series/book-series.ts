import { isAllowed, type Caller, type ClinicMoment } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import { newId } from '@clinic/service-kit';
import type { ClientSession, Db } from 'mongodb';
import {
  appointmentRecord,
  toAppointment,
  type AppointmentRecord,
  type ChangeRules,
  type NewAppointment,
} from '../appointments/appointment-record.ts';
import { patientGone, type PatientFields } from '../appointments/patient-fields.ts';
import { promiseOf } from '../appointments/promise.ts';
import { takePatientLock } from '../appointments/same-time.ts';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import type { RecordChange } from '../record-change.ts';
import { recordBooking } from '../appointments/book-appointment.ts';
import { doctorForSlot } from '../appointments/requested-slot.ts';
import { collideWithJoining } from '../staff/join-doctor.ts';
import { conflictProblem, planDates } from './date-conflicts.ts';
import { desk } from '../contract/desk.ts';

/** Patient and doctor of a series. */
export type SeriesParty = PatientFields &
  Pick<AppointmentRecord, 'patientEmail' | 'patientId'> & { readonly doctor: DoctorRecord };

export interface SeriesBooking {
  readonly db: Db;
  readonly collections: ClinicCollections;
  readonly caller: Caller;
  readonly party: SeriesParty;
  readonly dates: readonly ClinicMoment[];
  readonly alsoThen: boolean | undefined;
  /** With the holidays. */
  readonly clock: ClinicClock;
  readonly rules: ChangeRules;
  readonly recordChange: RecordChange;
}

/**
 * Books all dates or none. Two dates and more are a series; one is an appointment like any other. Staff book, so a patient's
 * limits don't count.
 *
 * @param session - the transaction of all appointments, their events and the idempotency key
 * @returns the appointments in order, all Pending
 * @throws ProblemError `slot_taken` or `validation_failed`, naming every date with a conflict
 * @throws MongoServerError 11000 if somebody books one of the times at the same moment; see `explainLostRace`
 */
export async function bookSeries(booking: SeriesBooking, session: ClientSession): Promise<Appointment[]> {
  const { db, collections, caller, party, alsoThen, clock, rules, recordChange } = booking;
  const { doctor, ...patient } = party;
  if (isErasedEmail(patient.patientEmail) || !(await takePatientLock({ db }, session, patient)))
    throw patientGone('booking.patientemail', patient.patientEmail);
  await collideWithJoining(collections, doctor, session);
  const dates = booking.dates.toSorted((one, other) =>
    `${one.date} ${one.time}`.localeCompare(`${other.date} ${other.time}`),
  );
  const requester = isAllowed(caller, desk) ? 'admin' : 'doctor';
  const plan = await planDates({ collections, doctor, patient, clock, alsoThen, requester }, dates, session);
  const problem = conflictProblem(plan, 'dates', patient);
  if (problem) throw problem;

  const id = newId();
  const booked: Appointment[] = [];
  for (const [index, { date, time }] of dates.entries()) {
    // The booking rule itself has the last word, date by date.
    const { visit } = await doctorForSlot(collections, { doctorEmail: doctor.email, date, time }, clock, session);
    const planned: NewAppointment = {
      _id: newId(),
      ...patient,
      doctorName: doctor.name,
      doctorEmail: doctor.email,
      date,
      time,
      status: 'Pending',
      bookedAt: clock.now,
      ...(doctor.accountId !== undefined && { doctorAccountId: doctor.accountId }),
      ...(dates.length > 1 && { series: { id, number: index + 1, of: dates.length } }),
    };
    const record = appointmentRecord(planned, promiseOf(planned, visit, clock.timeZone));
    await collections.appointments.insertOne(record, { session });
    await recordBooking({ collections, db, recordChange }, record, patient.patientId === caller.id, session);
    booked.push(toAppointment(record, rules, caller));
  }
  return booked;
}
