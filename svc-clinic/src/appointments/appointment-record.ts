import type { Appointment, AppointmentStatus } from '@clinic/contracts';
import type { ObjectId } from 'mongodb';

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
  /** What a search may begin with; see {@link searchWords}. */
  readonly words: readonly string[];
  readonly bookedAt: Date;
  readonly changedAt: Date;
}

/** What a booking decides; the rest follows from it. */
export type NewAppointment = Omit<AppointmentRecord, 'people' | 'words' | 'changedAt'>;

/** Adds the fields that exist for finding the record again. */
export function appointmentRecord(appointment: NewAppointment): AppointmentRecord {
  const { patientName, patientEmail, doctorName, doctorEmail, bookedAt } = appointment;
  return {
    ...appointment,
    people: [...new Set([patientEmail, doctorEmail])],
    words: searchWords(patientName, patientEmail, doctorName, doctorEmail),
    changedAt: bookedAt,
  };
}

/** The record as the API shows it, with the specified field names (specification section 3). */
export function toAppointment(record: AppointmentRecord): Appointment {
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
  };
}

/**
 * The different words of some texts in lower case: letters and digits of any script, the rest separates.
 * A search by the beginning of words is a range of an index; a search inside words would read every record.
 */
export function searchWords(...texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.normalize('NFC').toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u));
  return [...new Set(words)].filter((word) => word !== '');
}
