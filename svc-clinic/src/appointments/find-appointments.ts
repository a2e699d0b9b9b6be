import type { ClinicMoment } from '@clinic/contracts';
import { noRows } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { slotHoldingStatuses, type AppointmentStatus } from '../contract/transitions.ts';
import type { AppointmentRecord } from './appointment-record.ts';

export interface AppointmentQuestion {
  /** Appointments where this email is patient or doctor. */
  readonly person?: string | undefined;
  /** Appointments where this account is patient or doctor. */
  readonly account?: string;
  /** Appointments of this patient's account. */
  readonly patientId?: string;
  /** Appointments with this doctor, by email or by account. */
  readonly doctorEmail?: string;
  readonly doctorAccountId?: string;
  readonly status?: AppointmentStatus;
  /** Only pending and confirmed ones. */
  readonly open?: 'true';
  /** Upcoming or past. */
  readonly when?: 'coming' | 'past';
  /** First and last day, 'yyyy-mm-dd' in the clinic's time zone, inclusive. */
  readonly from?: string;
  readonly until?: string;
}

/** Sort orders of the appointment lists; each is an index read forwards or backwards. */
export const appointmentSorts = {
  date: { date: 1, time: 1, _id: 1 },
  '-date': { date: -1, time: -1, _id: -1 },
} as const;

export const holdsSlot = (status: AppointmentStatus): boolean =>
  slotHoldingStatuses.some((holding) => holding === status);

/**
 * Database filter for a query; an index serves every combination.
 *
 * @param now - on the clinic's clock
 */
export function appointmentFilter(
  { person, account, patientId, doctorEmail, doctorAccountId, status, open, when, from, until }: AppointmentQuestion,
  now: ClinicMoment,
): Filter<AppointmentRecord> {
  return {
    ...(person !== undefined && { people: person }),
    ...(doctorEmail !== undefined && { doctorEmail }),
    ...(account !== undefined && { accounts: account }),
    // One index serves both sides of an appointment; few accounts are both patient and doctor.
    ...(patientId !== undefined && { accounts: patientId, patientId }),
    ...(doctorAccountId !== undefined && { accounts: doctorAccountId, doctorAccountId }),
    ...(open !== undefined && { status: { $in: [...slotHoldingStatuses] } }),
    // With both filters the status decides; a status that holds no slot then matches nothing.
    ...(status !== undefined && (open === undefined || holdsSlot(status) ? { status } : noRows())),
    ...((from ?? until) !== undefined && {
      date: { ...(from !== undefined && { $gte: from }), ...(until !== undefined && { $lte: until }) },
    }),
    ...(when !== undefined && { $and: [momentFilter(when, now)] }),
  };
}

/** The plain bound on the day lets the database use an index; the minute is only compared for today. */
function momentFilter(when: 'coming' | 'past', { date, time }: ClinicMoment): Filter<AppointmentRecord> {
  return when === 'coming'
    ? { date: { $gte: date }, $or: [{ date: { $gt: date } }, { date, time: { $gte: time } }] }
    : { date: { $lte: date }, $or: [{ date: { $lt: date } }, { date, time: { $lt: time } }] };
}
