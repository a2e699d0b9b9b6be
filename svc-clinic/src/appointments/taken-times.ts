import { slotHoldingStatuses } from '@clinic/contracts';
import type { Collection, Filter } from 'mongodb';
import { occupyingStatuses } from '../waitlist/slot-hold.ts';
import type { AppointmentRecord } from './appointment-record.ts';

function within(
  doctorEmail: string | readonly string[],
  statuses: readonly string[],
  from: string,
  until?: string,
): Filter<AppointmentRecord> {
  return {
    doctorEmail: typeof doctorEmail === 'string' ? doctorEmail : { $in: [...doctorEmail] },
    status: { $in: [...statuses] },
    date: { $gte: from, ...(until !== undefined && { $lte: until }) },
  } as Filter<AppointmentRecord>;
}

/** Filter for the appointments of one or more doctors from a day on; uses the slot index. */
export const bookedSlots = (
  doctorEmail: string | readonly string[],
  from: string,
  until?: string,
): Filter<AppointmentRecord> => within(doctorEmail, slotHoldingStatuses, from, until);

/**
 * Filter for what holds slots of one or more doctors within a range of days: appointments, and offers to people on the
 * waitlist; uses the index of occupied slots.
 */
export const heldSlots = (
  doctorEmail: string | readonly string[],
  from: string,
  until?: string,
): Filter<AppointmentRecord> => within(doctorEmail, occupyingStatuses, from, until);

/** Returns the held times of a doctor's day, 'HH:mm'. */
export type TakenTimes = (doctorEmail: string, date: string) => readonly string[];

/**
 * Reads the held times of some doctors and days with one query.
 *
 * @param from - first day, 'yyyy-mm-dd' in the clinic's time zone
 * @param until - last day, inclusive
 */
export async function takenSlots(
  appointments: Collection<AppointmentRecord>,
  doctorEmails: readonly string[],
  from: string,
  until: string,
): Promise<TakenTimes> {
  // One document per doctor, not per appointment: for a month of many doctors, transferring documents is the main cost.
  // The index by doctor, status and date covers the query, so that no appointment is read.
  const doctors = appointments.aggregate<{ _id: string; dates: string[]; times: string[] }>([
    { $match: heldSlots(doctorEmails, from, until) },
    { $group: { _id: '$doctorEmail', dates: { $push: '$date' }, times: { $push: '$time' } } },
  ]);
  const taken = new Map<string, Map<string, string[]>>();
  for (const { _id, dates, times } of await doctors.toArray()) {
    const ofDoctor = new Map<string, string[]>();
    for (const [at, date] of dates.entries()) {
      const held = ofDoctor.get(date);
      const time = times[at] ?? '';
      if (held) held.push(time);
      else ofDoctor.set(date, [time]);
    }
    taken.set(_id, ofDoctor);
  }
  return (doctorEmail, date) => taken.get(doctorEmail)?.get(date) ?? [];
}
