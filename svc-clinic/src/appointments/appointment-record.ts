import { clinicInstant, hasRole, isAllowed, type Caller, type ClinicMoment, type Ownership } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { hasNoEmail, isErasedEmail } from '@clinic/contracts/erased-person';
import { findingWords } from '@clinic/contracts/search-key';
import { ownedBy, phoneWords, type LookedAt } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import { desk } from '../contract/desk.ts';
import type { VisitDetails } from '../contract/patient.ts';
import type { AppointmentStatus } from '../contract/transitions.ts';
import type { ClinicContext } from '../settings.ts';
import { toAttendance, type AttendanceRecord } from '../attendance/attendance-record.ts';
import type { AnsweredForm, GivenAnswer } from '../questions/question-record.ts';
import { detailsOf, detailsForHistory, personOf, type PatientFields } from './patient-fields.ts';
import { startAndEnd, visitOf, type PromisedFields, type PromiseFields } from './promise.ts';

/** An appointment in the database. */
export interface AppointmentRecord extends PromisedFields, PatientFields {
  readonly _id: ObjectId;
  /** Lower case. */
  readonly patientEmail: string;
  readonly doctorName: string;
  /** Lower case. */
  readonly doctorEmail: string;
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly date: string;
  /** 'HH:mm' in the clinic's time zone. */
  readonly time: string;
  readonly status: AppointmentStatus;
  /** The patient's account; absent if no account has booked it or confirmed the patient's email address. */
  readonly patientId?: string;
  /** The account of the doctor's profile; absent if the profile has none. */
  readonly doctorAccountId?: string;
  /** Both accounts, if present, so that "patient or doctor" is one equality on one index. */
  readonly accounts: readonly string[];
  /** Both emails, so that "patient or doctor" is one equality on one index, already in date order. */
  readonly people: readonly string[];
  /** Search keys by word. A prefix of a word is an index range; a search inside words would read every record. */
  readonly words: readonly string[];
  readonly bookedAt: Date;
  readonly changedAt: Date;
  /** Number of changes since the booking, for calendars (RFC 5545, section 3.8.7.4); absent: none. */
  readonly sequence?: number;
  /** The slot that doctor and admins knew before the patient moved it; removed once they have confirmed or moved it. */
  readonly movedFrom?: ClinicMoment;
  /** It overlaps another one, as earlier releases allowed; removed once staff have moved it. */
  readonly overlaps?: true;
  /** The slot at which staff decided to keep it outside the doctor's hours; no longer counts once it has moved. */
  readonly keptAt?: ClinicMoment;
  /** The time at which the patient, when asked, has said they will come; no longer counts once it has moved. */
  readonly comes?: ClinicMoment;
  /** How far it got on its day; see `attendanceOf`. */
  readonly attendance?: AttendanceRecord;
  /** Which questions its patient answered, and when; absent if none. The answers are in `answers`. */
  readonly answered?: AnsweredForm;
  readonly answers?: readonly GivenAnswer[];
  /** The desk booked it for somebody who came without an appointment. */
  readonly walkIn?: true;
  /** Its place in the series it was booked with; absent if it was booked alone. */
  readonly series?: SeriesPlace;
}

/** An appointment's place in a series. */
interface SeriesPlace {
  readonly id: ObjectId;
  /** From 1. */
  readonly number: number;
  /** How many were booked together. */
  readonly of: number;
}

/** What lists don't read: fields that only serve to find an appointment, and the answers, which are long. */
export const unlistedFieldNames = [
  'people',
  'accounts',
  'words',
  'cells',
  'answers',
] as const satisfies (keyof AppointmentRecord)[];

/** What is read to show an appointment. */
export type ShownAppointment = Omit<AppointmentRecord, (typeof unlistedFieldNames)[number]>;

/** What a booking sets; the rest is derived. */
export type NewAppointment = Omit<
  AppointmentRecord,
  | 'people'
  | 'words'
  | 'accounts'
  | 'changedAt'
  | 'sequence'
  | 'movedFrom'
  | 'keptAt'
  | 'overlaps'
  | 'attendance'
  | 'comes'
  | 'answered'
  | 'answers'
  | keyof PromiseFields
>;

/** Adds the derived fields for search, and the promised time. */
export function appointmentRecord(
  appointment: NewAppointment,
  promised: PromiseFields,
): AppointmentRecord & PromiseFields {
  return { ...appointment, ...promised, ...findingFields(appointment), changedAt: appointment.bookedAt };
}

/** What an appointment can be found by: emails, accounts and words of its people. */
export function findingFields(appointment: NewAppointment): Pick<AppointmentRecord, 'people' | 'accounts' | 'words'> {
  const { patientEmail, patientId, doctorEmail, doctorAccountId } = appointment;
  return {
    people: [...new Set([patientEmail, doctorEmail])],
    accounts: [...new Set([patientId, doctorAccountId].filter((account) => account !== undefined))],
    words: appointmentWords(appointment),
  };
}

/** What {@link appointmentWords} reads. */
export const wordFields = ['patientName', 'patientEmail', 'doctorName', 'doctorEmail', 'phone'] as const;

/** What the patient's words begin with once more, so that a search for patients reads no visits with a doctor of that name. */
export const patientMark = '=';

/** Search keys of an appointment's words, and the patient's phone number; those of the patient also with {@link patientMark}. */
export function appointmentWords(people: Pick<AppointmentRecord, (typeof wordFields)[number] | 'phoneE164'>): string[] {
  const { patientName, patientEmail, doctorName, doctorEmail } = people;
  const ofPatient = [
    ...findingWords(patientName, hasNoEmail(patientEmail) ? '' : patientEmail),
    ...phoneWords(people.phone, people.phoneE164),
  ];
  const marked = isErasedEmail(patientEmail) ? [] : ofPatient.map((word) => `${patientMark}${word}`);
  return [...new Set([...ofPatient, ...findingWords(doctorName, doctorEmail), ...marked])];
}

/** The patient whom a record is about. */
export function patientOf(record: { readonly patientEmail: string; readonly patientId?: string }): LookedAt {
  return { email: record.patientEmail, id: record.patientId };
}

/** The accounts that an appointment belongs to. */
export function ownershipOf(record: Pick<AppointmentRecord, 'patientId' | 'doctorAccountId'>): Ownership {
  return { patient: record.patientId, doctor: record.doctorAccountId };
}

/** The record's fields under their wire names; its accounts aren't on the wire. @param details - those to show */
export function appointmentFields(
  record: ShownAppointment,
  details: VisitDetails = detailsOf(record),
): Omit<Appointment, 'changeUntil' | 'you' | 'start' | 'end' | 'attendance'> {
  const { minutes, place } = visitOf(record);
  return {
    _id: record._id.toHexString(),
    ...details,
    patientemail: record.patientEmail,
    doctorname: record.doctorName,
    doctoremail: record.doctorEmail,
    date: record.date,
    time: record.time,
    minutes,
    place,
    status: record.status,
    ...(record.movedFrom && { movedFrom: record.movedFrom }),
    ...(record.answered && { answeredAt: record.answered.at.toISOString() }),
    ...(record.walkIn && { walkIn: true }),
    ...(record.series && { series: { ...record.series, id: record.series.id.toHexString() } }),
  };
}

/** {@link appointmentFields} for the history, which has no medical text. */
export function appointmentFieldsForHistory(record: AppointmentRecord): ReturnType<typeof appointmentFields> {
  return appointmentFields(record, detailsForHistory(record));
}

/** Settings that decide until when a patient may change an appointment. */
export type ChangeRules = Pick<
  ClinicContext['settings'],
  'CLINIC_TZ' | 'CLINIC_CHANGE_CUTOFF_HOURS' | 'CLINIC_COUNTRY'
>;

/**
 * The record in its wire shape, for a caller. What tells about health only the patient, the doctor and admins read, not the
 * reception.
 */
export function toAppointment(record: ShownAppointment, rules: ChangeRules, caller: Caller): Appointment {
  const you = partsOf(record, caller);
  const attendance = toAttendance(record, isAllowed(caller, desk) || you.includes('doctor'));
  const readsAll = you.length > 0 || hasRole(caller, ['admin']);
  return ownedBy(patientOf(record), {
    ...appointmentFields(record, readsAll ? detailsOf(record) : personOf(record)),
    ...(attendance && { attendance }),
    ...startAndEnd(record, rules.CLINIC_TZ),
    changeUntil: changeUntil(record, rules).toISOString(),
    you,
  });
}

/** The instant until which the patient may cancel or move an appointment; elapsed hours, even across a clock change. */
export function changeUntil(
  record: Pick<AppointmentRecord, 'date' | 'time'>,
  { CLINIC_TZ, CLINIC_CHANGE_CUTOFF_HOURS }: ChangeRules,
): Date {
  return new Date(clinicInstant(record, CLINIC_TZ).getTime() - CLINIC_CHANGE_CUTOFF_HOURS * 3_600_000);
}

/** The caller's roles in an appointment; doctor only while they have that role. */
export function partsOf(
  { patientId, doctorAccountId }: Pick<AppointmentRecord, 'patientId' | 'doctorAccountId'>,
  caller: Caller,
): ('patient' | 'doctor')[] {
  const parts: ('patient' | 'doctor')[] = [];
  if (doctorAccountId === caller.id && hasRole(caller, ['doctor'])) parts.push('doctor');
  if (patientId === caller.id) parts.push('patient');
  return parts;
}
