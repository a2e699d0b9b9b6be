import { takenIndex } from './appointments/taken-times.ts';
import { leftVisits } from './attendance/attendance-record.ts';
import { slotHoldingStatuses } from './contract/transitions.ts';
import { heldStatus, occupyingStatuses } from './waitlist/slot-hold.ts';
import { activeStatuses } from './waitlist/waitlist-record.ts';

/** Name of the index over equal starts; the next release drops it. */
export const slotIndex = 'slot_once';

/**
 * A doctor's minutes are each taken once, by an appointment that is pending or confirmed, or held for somebody on the waitlist.
 * A multikey index compares documents, not the entries of one. What has no cells isn't in it.
 */
export const minutesOnce = {
  name: 'minutes_once',
  key: { doctorEmail: 1, cells: 1 },
  unique: true,
  partialFilterExpression: { status: { $in: [...occupyingStatuses] }, cells: { $exists: true } },
} as const;

/** An account has at most one profile of each kind. */
const profileOfAccount = {
  name: 'profile_of_account',
  key: { accountId: 1 },
  unique: true,
  partialFilterExpression: { accountId: { $exists: true } },
} as const;

/**
 * One index per query of the service; `_id` ends each so that pages continue exactly where they stopped. Equality fields come
 * before sort fields, so that MongoDB serves every page without sorting.
 */
export const indexes = {
  doctors: [
    { key: { email: 1 }, unique: true },
    profileOfAccount,
    { key: { nameKey: 1, _id: 1 } },
    { key: { experience: -1, _id: 1 } },
    { key: { rating: -1, _id: 1 } },
    // For replicas of the previous release.
    { key: { searchText: 1 } },
    { key: { searchParts: 1 } },
    { key: { specialtyKey: 1, nameKey: 1, _id: 1 } },
    { key: { specialtyKey: 1, experience: -1, _id: 1 } },
    { key: { specialtyKey: 1, rating: -1, _id: 1 } },
  ],
  pharmacists: [
    { key: { email: 1 }, unique: true },
    profileOfAccount,
    { key: { nameKey: 1, _id: 1 } },
    // For replicas of the previous release.
    { key: { searchText: 1 } },
    { key: { searchParts: 1 } },
  ],
  appointments: [
    minutesOnce,
    // Answers which times are taken without reading appointments.
    {
      name: takenIndex,
      key: { doctorEmail: 1, date: 1, time: 1, duration: 1 },
      partialFilterExpression: { status: { $in: [...occupyingStatuses] } },
    },
    // The next two keep replicas of the previous release from booking a time twice; the next release drops them.
    {
      name: slotIndex,
      key: { doctorEmail: 1, date: 1, time: 1 },
      unique: true,
      partialFilterExpression: { status: { $in: [...slotHoldingStatuses] } },
    },
    {
      name: 'occupied_once',
      key: { doctorEmail: 1, date: 1, time: 1 },
      unique: true,
      partialFilterExpression: { status: { $in: [...occupyingStatuses] } },
    },
    // Deletes holds an hour after their offer's end if the release that made them no longer runs.
    {
      name: 'hold_expiry',
      key: { heldUntil: 1 },
      expireAfterSeconds: 3_600,
      partialFilterExpression: { status: heldStatus },
    },
    { key: { date: 1, time: 1, _id: 1 } },
    { key: { status: 1, date: 1, time: 1, _id: 1 } },
    { key: { people: 1, date: 1, time: 1, _id: 1 } },
    { key: { people: 1, status: 1, date: 1, time: 1, _id: 1 } },
    { key: { doctorEmail: 1, status: 1, date: 1, time: 1, _id: 1 } },
    {
      key: { 'series.id': 1, 'series.number': 1 },
      partialFilterExpression: { 'series.id': { $exists: true } },
    },
    // For the report of who came and how long they waited, without reading appointments.
    {
      name: 'attended',
      key: { date: 1, 'attendance.state': 1, 'attendance.waited': 1 },
      partialFilterExpression: { 'attendance.state': { $exists: true } },
    },
    // For the report, without reading appointments, as the next one.
    { name: 'left_unseen', key: { date: 1 }, partialFilterExpression: leftVisits },
    { name: 'walked_in', key: { date: 1, status: 1 }, partialFilterExpression: { walkIn: true } },
    // Counts what a patient has missed.
    { name: 'missed', key: { patientEmail: 1 }, partialFilterExpression: { 'attendance.state': 'missed' } },
    // The same of an account within a year.
    {
      name: 'missed_by_account',
      key: { patientId: 1, date: 1 },
      partialFilterExpression: { 'attendance.state': 'missed' },
    },
    { key: { words: 1 } },
    { key: { accounts: 1, date: 1, time: 1, _id: 1 } },
    // Also for a patient's upcoming appointments, which every booking counts.
    { key: { accounts: 1, status: 1, date: 1, time: 1, _id: 1 } },
    // For appointments waiting for an account of the patient or of the doctor.
    { key: { patientEmail: 1, patientId: 1 } },
    { key: { doctorEmail: 1, doctorAccountId: 1 } },
  ],
  waitlist: [
    {
      name: 'waiting_once',
      key: { patientId: 1, about: 1 },
      unique: true,
      partialFilterExpression: { status: { $in: [...activeStatuses] } },
    },
    // For finding who is next, and the places of a doctor.
    { key: { target: 1, status: 1, joinedAt: 1, _id: 1 } },
    { key: { status: 1, until: 1 } },
    { key: { patientId: 1, joinedAt: 1, _id: 1 } },
    { key: { patientEmail: 1, joinedAt: 1, _id: 1 } },
    { key: { joinedAt: 1, _id: 1 } },
    { key: { doctorEmail: 1 } },
    { key: { endedAt: 1 } },
    { key: { words: 1 } },
  ],
  waitlistOffers: [
    // Nobody is offered a slot twice, and nobody has two open offers.
    { name: 'offered_once', key: { patientId: 1, doctorEmail: 1, date: 1, time: 1 }, unique: true },
    { name: 'one_open', key: { patientId: 1 }, unique: true, partialFilterExpression: { status: 'open' } },
    { key: { status: 1, until: 1 } },
    { key: { patientId: 1, madeAt: 1, _id: 1 } },
    { key: { madeAt: 1, _id: 1 } },
    { key: { doctorEmail: 1 } },
    { key: { settledAt: 1 } },
  ],
  freedTimes: [{ key: { at: 1 } }],
  // Also creates the collection: not every database can do that in a transaction.
  calendarFeeds: [{ key: { secretHash: 1 }, unique: true }, { key: { email: 1 } }],
  arrivalCodes: [{ key: { appointment: 1, date: 1 }, unique: true }],
  waitingScreens: [{ key: { secretHash: 1 }, unique: true }],
  // One form a specialty, whoever saves first.
  questionForms: [{ key: { specialtyKey: 1 }, unique: true }],
  appointmentTallies: [{ key: { date: 1 } }, { key: { doctorEmail: 1 } }],
} as const;
