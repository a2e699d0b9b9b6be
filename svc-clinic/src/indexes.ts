import { slotHoldingStatuses } from '@clinic/contracts';

/** Name of the index that prevents double bookings; duplicate key errors contain it. */
export const slotIndex = 'slot_once';

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
    { key: { searchText: 1 } },
    { key: { specialtyKey: 1, nameKey: 1, _id: 1 } },
    { key: { specialtyKey: 1, experience: -1, _id: 1 } },
    { key: { specialtyKey: 1, rating: -1, _id: 1 } },
  ],
  pharmacists: [
    { key: { email: 1 }, unique: true },
    profileOfAccount,
    { key: { nameKey: 1, _id: 1 } },
    { key: { searchText: 1 } },
  ],
  appointments: [
    {
      name: slotIndex,
      key: { doctorEmail: 1, date: 1, time: 1 },
      unique: true,
      partialFilterExpression: { status: { $in: [...slotHoldingStatuses] } },
    },
    { key: { date: 1, time: 1, _id: 1 } },
    { key: { status: 1, date: 1, time: 1, _id: 1 } },
    { key: { people: 1, date: 1, time: 1, _id: 1 } },
    { key: { people: 1, status: 1, date: 1, time: 1, _id: 1 } },
    { key: { doctorEmail: 1, status: 1, date: 1, time: 1, _id: 1 } },
    { key: { words: 1 } },
    { key: { accounts: 1, date: 1, time: 1, _id: 1 } },
    // Also for a patient's upcoming appointments, which every booking counts.
    { key: { accounts: 1, status: 1, date: 1, time: 1, _id: 1 } },
    // For appointments waiting for an account of the patient or of the doctor.
    { key: { patientEmail: 1, patientId: 1 } },
    { key: { doctorEmail: 1, doctorAccountId: 1 } },
  ],
  appointmentTallies: [{ key: { date: 1 } }, { key: { doctorEmail: 1 } }],
} as const;
