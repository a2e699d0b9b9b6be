import { internal, type CopyRules, type DeletionRules, type PersonalRecords } from '@clinic/service-kit';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import type { ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import type { PharmacistRecord } from '../pharmacists/pharmacist-record.ts';

const forSearch = internal('derived from other fields, for searching and sorting');
const account = internal('the account’s id; the account is in the copy of svc-identity');

/** Deleting the patient of an appointment. Lists that help to find it are derived again from what is left. */
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
};

/** The profile itself is deleted; these rules are for its history. */
export const doctorProfileDeleted: DeletionRules<DoctorRecord> = {
  _id: 'kept',
  name: 'emptied',
  email: 'emptied',
  qualification: 'kept',
  education: 'kept',
  specialization: 'kept',
  experience: 'kept',
  location: 'emptied',
  image: 'emptied',
  isAvailable: 'kept',
  availableTimes: 'kept',
  daysOff: 'kept',
  rating: 'kept',
  nameKey: 'emptied',
  specialtyKey: 'emptied',
  searchText: 'emptied',
  createdAt: 'kept',
  accountId: 'kept',
  suspended: 'kept',
  bookedWithoutAccount: 'kept',
};

export const doctorInCopy: CopyRules<DoctorRecord> = {
  _id: '_id',
  name: 'name',
  email: 'email',
  qualification: 'qualification',
  education: 'education',
  specialization: 'specialization',
  experience: 'experience',
  location: 'location',
  image: 'image',
  isAvailable: 'isAvailable',
  availableTimes: 'availableTimes',
  daysOff: 'daysOff',
  rating: 'rating',
  nameKey: forSearch,
  specialtyKey: forSearch,
  searchText: forSearch,
  createdAt: internal('the history says when the profile was created'),
  accountId: account,
  suspended: internal('included in isAvailable'),
  bookedWithoutAccount: internal('a counter for concurrent writes'),
};

/** The profile itself is deleted; these rules are for its history. */
export const pharmacistProfileDeleted: DeletionRules<PharmacistRecord> = {
  _id: 'kept',
  name: 'emptied',
  email: 'emptied',
  phone: 'emptied',
  status: 'kept',
  qualification: 'kept',
  specialization: 'kept',
  experience: 'kept',
  nameKey: 'emptied',
  searchText: 'emptied',
  createdAt: 'kept',
  accountId: 'kept',
};

export const pharmacistInCopy: CopyRules<PharmacistRecord> = {
  _id: '_id',
  name: 'name',
  email: 'email',
  phone: 'phone',
  status: 'status',
  qualification: 'qualification',
  specialization: 'specialization',
  experience: 'experience',
  nameKey: forSearch,
  searchText: forSearch,
  createdAt: internal('the history says when the profile was created'),
  accountId: account,
};

/** What a deletion and a copy of one's data do with each collection of this service. */
export const clinicRecords: PersonalRecords<ClinicCollections> = {
  appointments: { whenDeleted: { patient: patientDeleted, doctor: doctorDeleted }, inCopy: appointmentInCopy },
  doctors: { whenDeleted: { doctor: doctorProfileDeleted }, inCopy: doctorInCopy },
  pharmacists: { whenDeleted: { pharmacist: pharmacistProfileDeleted }, inCopy: pharmacistInCopy },
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
