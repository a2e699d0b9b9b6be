import { slotHoldingStatuses } from '@clinic/contracts';
import type { Collection, Filter } from 'mongodb';
import type { AppointmentRecord } from './appointment-record.ts';

/** Filter for the appointments of one or more doctors that hold their slots within a range of days; uses the slot index. */
export function heldSlots(
  doctorEmail: string | readonly string[],
  from: string,
  until?: string,
): Filter<AppointmentRecord> {
  return {
    doctorEmail: typeof doctorEmail === 'string' ? doctorEmail : { $in: [...doctorEmail] },
    status: { $in: [...slotHoldingStatuses] },
    date: { $gte: from, ...(until !== undefined && { $lte: until }) },
  };
}

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
  const held = appointments
    .find(heldSlots(doctorEmails, from, until))
    .project<Pick<AppointmentRecord, 'doctorEmail' | 'date' | 'time'>>({ _id: 0, doctorEmail: 1, date: 1, time: 1 });
  const taken = new Map<string, string[]>();
  for await (const { doctorEmail, date, time } of held) {
    const key = `${doctorEmail} ${date}`;
    const times = taken.get(key);
    if (times) times.push(time);
    else taken.set(key, [time]);
  }
  return (doctorEmail, date) => taken.get(`${doctorEmail} ${date}`) ?? [];
}
