import { internal, type CopyRules, type DeletionRules, type PersonalRecords } from '@clinic/service-kit';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import type { ClinicCollections } from '../collections.ts';
import type { OfferRecord, WaitlistRecord } from '../waitlist/waitlist-record.ts';
import { account, forSearch } from './internal-fields.ts';
import { doctorInCopy, doctorProfileDeleted, pharmacistInCopy, pharmacistProfileDeleted } from './profile-records.ts';

/** Deleting the patient of an appointment. Its search fields are derived again from the remaining ones. */
export const patientDeleted: DeletionRules<AppointmentRecord> = {
  _id: 'kept',
  patientName: 'emptied',
  patientEmail: 'emptied',
  doctorName: 'kept',
  doctorEmail: 'kept',
  age: 'emptied',
  address: 'emptied',
  phone: 'emptied',
  reason: 'removed',
  date: 'kept',
  time: 'kept',
  status: 'kept',
  patientId: 'removed',
  doctorAccountId: 'kept',
  accounts: 'emptied',
  people: 'emptied',
  words: 'emptied',
  bookedAt: 'kept',
  changedAt: 'kept',
  sequence: 'kept',
  movedFrom: 'removed',
  keptAt: 'removed',
  series: 'removed',
};

/** Deleting the doctor of an appointment: who treated a patient is part of that patient's record, so the name stays. */
export const doctorDeleted: DeletionRules<AppointmentRecord> = {
  _id: 'kept',
  patientName: 'kept',
  patientEmail: 'kept',
  doctorName: 'kept',
  doctorEmail: 'emptied',
  age: 'kept',
  address: 'kept',
  phone: 'kept',
  reason: 'kept',
  date: 'kept',
  time: 'kept',
  status: 'kept',
  patientId: 'kept',
  doctorAccountId: 'removed',
  accounts: 'emptied',
  people: 'emptied',
  words: 'emptied',
  bookedAt: 'kept',
  changedAt: 'kept',
  sequence: 'kept',
  movedFrom: 'removed',
  keptAt: 'removed',
  series: 'removed',
};

export const appointmentInCopy: CopyRules<AppointmentRecord> = {
  _id: '_id',
  patientName: 'patientname',
  patientEmail: 'patientemail',
  doctorName: 'doctorname',
  doctorEmail: 'doctoremail',
  age: 'age',
  address: 'address',
  phone: 'number',
  reason: 'reason',
  date: 'date',
  time: 'time',
  status: 'status',
  patientId: account,
  doctorAccountId: account,
  accounts: account,
  people: forSearch,
  words: forSearch,
  bookedAt: 'bookedAt',
  changedAt: 'changedAt',
  sequence: internal('a counter for calendar programs'),
  movedFrom: 'movedFrom',
  keptAt: internal('a decision of the staff; the history has it'),
  series: 'series',
};

/** The place itself is deleted with its patient, as are its offers. */
export const waitingPatientDeleted: DeletionRules<WaitlistRecord> = {
  _id: 'emptied',
  patientId: 'emptied',
  patientName: 'emptied',
  patientEmail: 'emptied',
  confirmed: 'emptied',
  age: 'emptied',
  address: 'emptied',
  phone: 'emptied',
  reason: 'removed',
  target: 'emptied',
  about: 'emptied',
  doctorEmail: 'removed',
  doctorName: 'removed',
  specialty: 'removed',
  moving: 'removed',
  from: 'emptied',
  until: 'emptied',
  parts: 'emptied',
  status: 'emptied',
  joinedAt: 'emptied',
  endedAt: 'removed',
};

export const awaitedDoctorDeleted: DeletionRules<WaitlistRecord> = {
  _id: 'kept',
  patientId: 'kept',
  patientName: 'kept',
  patientEmail: 'kept',
  confirmed: 'kept',
  age: 'kept',
  address: 'kept',
  phone: 'kept',
  reason: 'kept',
  target: 'emptied',
  about: 'emptied',
  doctorEmail: 'emptied',
  doctorName: 'kept',
  specialty: 'kept',
  moving: 'kept',
  from: 'kept',
  until: 'kept',
  parts: 'kept',
  status: 'kept',
  joinedAt: 'kept',
  endedAt: 'kept',
};

export const waitlistInCopy: CopyRules<WaitlistRecord> = {
  _id: '_id',
  patientId: account,
  patientName: 'patientname',
  patientEmail: 'patientemail',
  confirmed: internal('whether the address was confirmed is in the copy of svc-identity'),
  age: 'age',
  address: 'address',
  phone: 'number',
  reason: 'reason',
  target: internal('doctor or specialty, for searching'),
  about: internal('doctor, specialty or appointment, so that nobody waits twice for the same'),
  doctorEmail: 'doctoremail',
  doctorName: 'doctorname',
  specialty: 'specialty',
  moving: internal('the appointment is in the copy'),
  from: 'from',
  until: 'until',
  parts: 'parts',
  status: 'status',
  joinedAt: 'joinedAt',
  endedAt: internal('the history says when it ended'),
};

const offeredPatientDeleted: DeletionRules<OfferRecord> = {
  _id: 'emptied',
  entryId: 'emptied',
  patientId: 'emptied',
  doctorEmail: 'emptied',
  doctorName: 'emptied',
  date: 'emptied',
  time: 'emptied',
  place: 'removed',
  moves: 'removed',
  status: 'emptied',
  madeAt: 'emptied',
  until: 'emptied',
  settledAt: 'removed',
};

export const offeredDoctorDeleted: DeletionRules<OfferRecord> = {
  _id: 'kept',
  entryId: 'kept',
  patientId: 'kept',
  doctorEmail: 'emptied',
  doctorName: 'kept',
  date: 'kept',
  time: 'kept',
  place: 'kept',
  moves: { date: 'kept', time: 'kept' },
  status: 'kept',
  madeAt: 'kept',
  until: 'kept',
  settledAt: 'kept',
};

export const offerInCopy: CopyRules<OfferRecord> = {
  _id: '_id',
  entryId: internal('links the offer to its place on the waitlist'),
  patientId: account,
  doctorEmail: internal('the doctor’s name is in the copy'),
  doctorName: 'doctorname',
  date: 'date',
  time: 'time',
  place: 'place',
  moves: 'moves',
  status: 'status',
  madeAt: 'madeAt',
  until: 'until',
  settledAt: internal('the history says when it was settled'),
};

/** What erasure and export do with each collection of this service. */
export const clinicRecords: PersonalRecords<ClinicCollections> = {
  appointments: { whenDeleted: { patient: patientDeleted, doctor: doctorDeleted }, inCopy: appointmentInCopy },
  doctors: { whenDeleted: { doctor: doctorProfileDeleted }, inCopy: doctorInCopy },
  pharmacists: { whenDeleted: { pharmacist: pharmacistProfileDeleted }, inCopy: pharmacistInCopy },
  calendarFeeds: {
    // The record itself is deleted.
    whenDeleted: {
      owner: {
        _id: 'emptied',
        email: 'emptied',
        secretHash: 'emptied',
        createdAt: 'kept',
        reads: { since: 'kept', count: 'kept' },
      },
    },
    inCopy: {
      _id: account,
      email: 'email',
      secretHash: internal('would let nobody find the address, and only its owner has that'),
      createdAt: 'since',
      reads: internal('a counter for the rate limit'),
    },
  },
  holidays: { whenDeleted: {}, inCopy: internal('days on which the clinic is closed; nobody’s data') },
  waitlist: { whenDeleted: { patient: waitingPatientDeleted, doctor: awaitedDoctorDeleted }, inCopy: waitlistInCopy },
  waitlistOffers: {
    whenDeleted: { patient: offeredPatientDeleted, doctor: offeredDoctorDeleted },
    inCopy: offerInCopy,
  },
  freedTimes: { whenDeleted: {}, inCopy: internal('notes that live for seconds, until free times are offered') },
  appointmentTallies: {
    whenDeleted: {
      doctor: {
        // Day and doctor; see forgetInRollups.
        _id: 'emptied',
        date: 'kept',
        doctorEmail: 'emptied',
        Pending: 'kept',
        Confirmed: 'kept',
        Cancelled: 'kept',
      },
    },
    inCopy: internal('counts for reports'),
  },
};
