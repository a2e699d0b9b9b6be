import { clinicMoment, type Appointment, type ParsedBody } from '@clinic/contracts';
import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import { ObjectId, type ClientSession, type MongoServerError } from 'mongodb';
import type { ClinicCollections } from '../collections.ts';
import type { RecordChange } from '../record-change.ts';
import { appointmentRecord, toAppointment } from './appointment-record.ts';
import { freeTimesOfDay } from './free-times.ts';
import { slotRefusals } from './slot-refusals.ts';
import { takenTimes } from './taken-times.ts';

export interface Booking {
  readonly collections: ClinicCollections;
  readonly wanted: ParsedBody<'bookAppointment'>;
  readonly now: Date;
  /** IANA time zone of the clinic. */
  readonly timeZone: string;
  readonly recordChange: RecordChange;
}

/**
 * Books a slot for a patient. The database's unique index decides who gets it: looking first could only ever be wrong.
 *
 * @param session - the transaction that booking, event and idempotency key share
 * @returns the appointment, always Pending
 * @throws ProblemError `validation_failed` naming the fields when the doctor is unknown or unavailable, the slot is past
 *   or not among the doctor's times
 * @throws MongoServerError 11000 when the slot is held; the caller turns it around with {@link explainTakenSlot} once the
 *   transaction has ended
 */
export async function bookAppointment({ collections, wanted, now, timeZone, recordChange }: Booking, session: ClientSession): Promise<Appointment> {
  const doctor = await collections.doctors.findOne({ email: wanted.doctoremail }, { session });
  const refusals = slotRefusals(doctor, wanted, clinicMoment(now, timeZone));
  if (!doctor || refusals.length > 0) throw new ProblemError('validation_failed', { errors: refusals });

  const record = appointmentRecord({
    _id: new ObjectId(),
    patientName: wanted.patientname,
    patientEmail: wanted.patientemail,
    doctorName: doctor.name,
    doctorEmail: doctor.email,
    age: wanted.age,
    address: wanted.address,
    phone: wanted.number,
    date: wanted.date,
    time: wanted.time,
    status: 'Pending',
    bookedAt: now,
  });
  await collections.appointments.insertOne(record, { session });
  const appointment = toAppointment(record);
  await recordChange(session, { record: { type: 'appointment', id: record._id }, action: 'booked', before: null, after: appointment });
  return appointment;
}

/**
 * Turns the database's refusal of a second booking into the answer for people, with what else is free that day.
 *
 * @returns `slot_taken` with the other free times, or the error unchanged when it is about something else
 */
export async function explainTakenSlot(error: unknown, { collections, wanted, now, timeZone }: Booking): Promise<unknown> {
  if (!isTakenSlot(error)) return error;
  const doctor = await collections.doctors.findOne({ email: wanted.doctoremail });
  if (!doctor) return error;
  const taken = await takenTimes(collections.appointments, wanted.doctoremail, wanted.date);
  const { times, anyTime } = freeTimesOfDay(doctor, wanted.date, taken, clinicMoment(now, timeZone));
  const detail = times.length > 0 || anyTime ? 'Please choose another time.' : 'Nothing is free on this day any more; please choose another day.';
  // Whoever takes the time between our transaction and this read must not be offered it.
  const freeTimes = times.filter((time) => time !== wanted.time);
  return new ProblemError('slot_taken', { detail, freeTimes });
}

function isTakenSlot(error: unknown): boolean {
  if (!isDuplicateKey(error)) return false;
  const { keyPattern } = error as MongoServerError & { readonly keyPattern?: Readonly<Record<string, unknown>> };
  return keyPattern !== undefined && 'doctorEmail' in keyPattern && 'time' in keyPattern;
}
