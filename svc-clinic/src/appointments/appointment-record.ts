import { clinicInstant, type Appointment, type AppointmentStatus, type ClinicMoment } from '@clinic/contracts';
import { searchWords } from '@clinic/contracts/search-key';
import type { ObjectId } from 'mongodb';
import type { ClinicContext } from '../settings.ts';

/** An appointment as the database keeps it. */
export interface AppointmentRecord {
  readonly _id: ObjectId;
  readonly patientName: string;
  /** Lower case. */
  readonly patientEmail: string;
  readonly doctorName: string;
  /** Lower case. */
  readonly doctorEmail: string;
  /** Years. */
  readonly age: number;
  readonly address: string;
  readonly phone: string;
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly date: string;
  /** 'HH:mm' in the clinic's time zone. */
  readonly time: string;
  readonly status: AppointmentStatus;
  /** Both e-mails, so that "patient or doctor" is one equality on one index, already in date order. */
  readonly people: readonly string[];
  /**
   * Search keys of what a search may begin with. The beginning of a word is a range of an index; a search inside words would
   * read every record.
   */
  readonly words: readonly string[];
  readonly bookedAt: Date;
  readonly changedAt: Date;
  /** Number of changes since the booking, for calendars (RFC 5545, section 3.8.7.4); absent: none. */
  readonly sequence?: number;
  /** The slot that doctor and admins knew before its patient moved it; gone once they have confirmed or moved it. */
  readonly movedFrom?: ClinicMoment;
}

/** What a booking decides; the rest follows from it. */
export type NewAppointment = Omit<AppointmentRecord, 'people' | 'words' | 'changedAt' | 'sequence' | 'movedFrom'>;

/** Adds the fields that exist for finding the record again. */
export function appointmentRecord(appointment: NewAppointment): AppointmentRecord {
  const { patientEmail, doctorEmail, bookedAt } = appointment;
  return {
    ...appointment,
    people: [...new Set([patientEmail, doctorEmail])],
    words: appointmentWords(appointment),
    changedAt: bookedAt,
  };
}

/** What an appointment is found by. */
export function appointmentWords({ patientName, patientEmail, doctorName, doctorEmail }: Pick<AppointmentRecord, 'patientName' | 'patientEmail' | 'doctorName' | 'doctorEmail'>): string[] {
  return searchWords(patientName, patientEmail, doctorName, doctorEmail);
}

/** The record's fields under the specified names (specification section 3). */
export function appointmentFields(record: AppointmentRecord): Omit<Appointment, 'changeUntil'> {
  return {
    _id: record._id.toHexString(),
    patientname: record.patientName,
    patientemail: record.patientEmail,
    doctorname: record.doctorName,
    doctoremail: record.doctorEmail,
    age: record.age,
    address: record.address,
    number: record.phone,
    date: record.date,
    time: record.time,
    status: record.status,
    ...(record.movedFrom && { movedFrom: record.movedFrom }),
  };
}

/** What of the settings decides until when a patient may change an appointment. */
export type ChangeRules = Pick<ClinicContext['settings'], 'CLINIC_TZ' | 'CLINIC_CHANGE_CUTOFF_HOURS'>;

/** The record as the API shows it. */
export function toAppointment(record: AppointmentRecord, rules: ChangeRules): Appointment {
  return { ...appointmentFields(record), changeUntil: changeUntil(record, rules).toISOString() };
}

/** The instant until which the patient may cancel or move an appointment; real hours, also when the clocks change in between. */
export function changeUntil(record: Pick<AppointmentRecord, 'date' | 'time'>, { CLINIC_TZ, CLINIC_CHANGE_CUTOFF_HOURS }: ChangeRules): Date {
  return new Date(clinicInstant(record, CLINIC_TZ).getTime() - CLINIC_CHANGE_CUTOFF_HOURS * 3_600_000);
}
