import {
  internal,
  madeWithin,
  provenAddresses,
  type CopyRules,
  type DeletionRules,
  type Person,
  type PersonalRecords,
} from '@clinic/service-kit';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import type { ClinicCollections } from '../collections.ts';
import type { OfferRecord, WaitlistRecord } from '../waitlist/waitlist-record.ts';
import { account, each, forSearch, underTheirNames } from './field-rules.ts';
import { doctorInCopy, doctorProfileDeleted, pharmacistInCopy, pharmacistProfileDeleted } from './profile-records.ts';

/** Deleting the patient of an appointment. Its search fields are derived again from the remaining ones. */
export const patientDeleted: DeletionRules<AppointmentRecord> = {
  ...each('kept', '_id', 'doctorName', 'doctorEmail', 'date', 'time', 'status', 'doctorAccountId', 'bookedAt'),
  ...each('kept', 'changedAt', 'sequence', 'duration', 'place', 'cells', 'walkIn'),
  ...each('emptied', 'patientName', 'patientEmail', 'age', 'address', 'phone', 'accounts', 'people', 'words'),
  ...each('removed', 'reason', 'patientId', 'phoneE164', 'movedFrom', 'keptAt', 'overlaps', 'series'),
  ...each('removed', 'attendance', 'answered', 'answers', 'comes'),
};

/** Deleting the doctor of an appointment: who treated a patient is part of that patient's record, so the name stays. */
export const doctorDeleted: DeletionRules<AppointmentRecord> = {
  ...each('kept', '_id', 'patientName', 'patientEmail', 'doctorName', 'age', 'address', 'phone', 'reason', 'date'),
  ...each(
    'kept',
    'time',
    'status',
    'patientId',
    'phoneE164',
    'bookedAt',
    'changedAt',
    'sequence',
    'duration',
    'place',
    'cells',
    'walkIn',
  ),
  attendance: {
    ...each('kept', 'date', 'time', 'state', 'since', 'number', 'arrivedAt', 'startedAt', 'waited'),
    before: each('kept', 'state', 'since'),
  },
  answered: each('kept', 'form', 'version', 'at'),
  answers: each('kept', 'id', 'text', 'kind', 'required', 'choices', 'answer'),
  ...each('emptied', 'doctorEmail', 'accounts', 'people', 'words'),
  ...each('removed', 'doctorAccountId', 'movedFrom', 'keptAt', 'overlaps', 'series', 'comes'),
};

export const appointmentInCopy: CopyRules<AppointmentRecord> = {
  ...underTheirNames('_id', 'age', 'address', 'reason', 'date', 'time', 'status', 'bookedAt', 'changedAt'),
  ...underTheirNames('phoneE164', 'movedFrom', 'series', 'place', 'attendance', 'answers', 'walkIn'),
  answered: 'answeredAt',
  duration: internal('the copy has it as minutes'),
  cells: internal('the minutes it takes, for the index that keeps others from them'),
  overlaps: internal('another one of an earlier release has its time; staff settle that'),
  ...each(account, 'patientId', 'doctorAccountId', 'accounts'),
  ...each(forSearch, 'people', 'words'),
  patientName: 'patientname',
  patientEmail: 'patientemail',
  doctorName: 'doctorname',
  doctorEmail: 'doctoremail',
  phone: 'number',
  sequence: internal('a counter for calendar programs'),
  keptAt: internal('a decision of the staff; the history has it'),
  comes: internal('what the patient has said; the history has it'),
};

/** The place itself is deleted with its patient, as are its offers. */
export const waitingPatientDeleted: DeletionRules<WaitlistRecord> = {
  ...each('emptied', '_id', 'patientId', 'patientName', 'patientEmail', 'confirmed', 'age', 'address', 'phone'),
  ...each('emptied', 'target', 'about', 'from', 'until', 'parts', 'status', 'joinedAt'),
  ...each('removed', 'reason', 'phoneE164', 'doctorEmail', 'doctorName', 'specialty', 'moving', 'endedAt'),
  ...each('removed', 'afterOffers', 'words'),
};

export const awaitedDoctorDeleted: DeletionRules<WaitlistRecord> = {
  ...each('kept', '_id', 'patientId', 'patientName', 'patientEmail', 'confirmed', 'age', 'address', 'phone'),
  ...each('kept', 'reason', 'doctorName', 'specialty', 'moving', 'from', 'until', 'parts', 'status', 'joinedAt'),
  ...each('kept', 'phoneE164', 'endedAt', 'afterOffers', 'words'),
  ...each('emptied', 'target', 'about', 'doctorEmail'),
};

export const waitlistInCopy: CopyRules<WaitlistRecord> = {
  ...underTheirNames('_id', 'age', 'address', 'reason', 'specialty', 'from', 'until', 'parts', 'status', 'joinedAt'),
  ...underTheirNames('phoneE164', 'afterOffers'),
  words: forSearch,
  patientId: account,
  patientName: 'patientname',
  patientEmail: 'patientemail',
  confirmed: internal('whether the address was confirmed is in the copy of svc-identity'),
  phone: 'number',
  target: internal('doctor or specialty, for searching'),
  about: internal('doctor, specialty or appointment, so that nobody waits twice for the same'),
  doctorEmail: 'doctoremail',
  doctorName: 'doctorname',
  moving: internal('the appointment is in the copy'),
  endedAt: internal('the history says when it ended'),
};

const offeredPatientDeleted: DeletionRules<OfferRecord> = {
  ...each('emptied', '_id', 'entryId', 'patientId', 'doctorEmail', 'doctorName', 'date', 'time', 'status', 'madeAt'),
  ...each('emptied', 'until'),
  ...each('removed', 'place', 'moves', 'last', 'told', 'settledAt'),
};

export const offeredDoctorDeleted: DeletionRules<OfferRecord> = {
  ...each('kept', '_id', 'entryId', 'patientId', 'doctorName', 'date', 'time', 'place', 'status', 'madeAt', 'until'),
  ...each('kept', 'last', 'told', 'settledAt'),
  doctorEmail: 'emptied',
  moves: { date: 'kept', time: 'kept' },
};

export const offerInCopy: CopyRules<OfferRecord> = {
  ...underTheirNames('_id', 'date', 'time', 'place', 'moves', 'last', 'status', 'madeAt', 'until'),
  patientId: account,
  entryId: internal('links the offer to its place on the waitlist'),
  doctorEmail: internal('the doctor’s name is in the copy'),
  doctorName: 'doctorname',
  told: internal('the copy of svc-messages says when its message was sent'),
  settledAt: internal('the history says when it was settled'),
};

/** Profiles of the account, and those under its address that no account has yet. */
const profilesOf = (person: Person) => [
  ...(person.id === undefined ? [] : [{ accountId: person.id }]),
  ...provenAddresses(person)
    .filter(({ until }) => until === undefined)
    .map((address) => ({ email: address.email, accountId: { $exists: false }, ...madeWithin(address) })),
];

/** What erasure and export do with each collection of this service. */
export const clinicRecords = {
  appointments: {
    whose: {
      patient: (person) => [
        ...(person.id === undefined ? [] : [{ accounts: person.id, patientId: person.id }]),
        ...provenAddresses(person).map((address) => ({
          patientEmail: address.email,
          patientId: { $exists: false },
          ...madeWithin(address),
        })),
      ],
      doctor: (person) => [
        ...(person.id === undefined ? [] : [{ accounts: person.id, doctorAccountId: person.id }]),
        ...provenAddresses(person).map((address) => ({
          doctorEmail: address.email,
          doctorAccountId: { $exists: false },
          ...madeWithin(address),
        })),
      ],
    },
    whenDeleted: { patient: patientDeleted, doctor: doctorDeleted },
    inCopy: appointmentInCopy,
  },
  doctors: {
    whose: { doctor: profilesOf },
    whenDeleted: { doctor: doctorProfileDeleted },
    inCopy: doctorInCopy,
  },
  pharmacists: {
    whose: { pharmacist: profilesOf },
    whenDeleted: { pharmacist: pharmacistProfileDeleted },
    inCopy: pharmacistInCopy,
  },
  calendarFeeds: {
    whose: { owner: ({ id }) => (id === undefined ? [] : [{ _id: id }]) },
    // The record itself is deleted.
    whenDeleted: {
      owner: {
        ...each('emptied', '_id', 'email', 'secretHash'),
        createdAt: 'kept',
        reads: each('kept', 'since', 'count'),
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
  holidays: { whose: {}, whenDeleted: {}, inCopy: internal('days on which the clinic is closed; nobody’s data') },
  waitlist: {
    whose: { patient: ({ id }) => (id === undefined ? [] : [{ patientId: id }]) },
    whenDeleted: { patient: waitingPatientDeleted, doctor: awaitedDoctorDeleted },
    inCopy: waitlistInCopy,
  },
  waitlistOffers: {
    whose: { patient: ({ id }) => (id === undefined ? [] : [{ patientId: id }]) },
    whenDeleted: { patient: offeredPatientDeleted, doctor: offeredDoctorDeleted },
    inCopy: offerInCopy,
  },
  freedTimes: {
    whose: {},
    whenDeleted: {},
    inCopy: internal('notes that live for seconds, until free times are offered'),
  },
  questionForms: { whose: {}, whenDeleted: {}, inCopy: internal('what the clinic asks; nobody’s data') },
  waitingScreens: { whose: {}, whenDeleted: {}, inCopy: internal('the address of the clinic’s screen; nobody’s data') },
  arrivalCodes: {
    whose: {},
    whenDeleted: {},
    inCopy: internal('a code at the desk for one day; leads to an appointment only, and goes after a week'),
  },
  arrivalNumbers: { whose: {}, whenDeleted: {}, inCopy: internal('how many numbers a day has given; nobody’s data') },
  appointmentTallies: {
    // By the address of a profile; see `erasePerson`.
    whose: {},
    whenDeleted: {
      // The id is day and doctor; the rollup itself is deleted.
      doctor: {
        ...each('emptied', '_id', 'doctorEmail'),
        ...each('kept', 'date', 'Pending', 'Confirmed', 'Cancelled'),
      },
    },
    inCopy: internal('counts for reports'),
  },
} satisfies PersonalRecords<ClinicCollections>;
