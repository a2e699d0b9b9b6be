import { slotHoldingStatuses } from '@clinic/contracts';
import type { Collection, Filter } from 'mongodb';
import type { AppointmentRecord } from './appointment-record.ts';

/** Appointments of a doctor, or of some, that hold their slots from one day to another; the slot index answers it. */
export function heldSlots(doctorEmail: string | readonly string[], from: string, until?: string): Filter<AppointmentRecord> {
  return {
    doctorEmail: typeof doctorEmail === 'string' ? doctorEmail : { $in: [...doctorEmail] },
    status: { $in: [...slotHoldingStatuses] },
    date: { $gte: from, ...(until !== undefined && { $lte: until }) },
  };
}

/** Tells the held times of a doctor's day, 'HH:mm'. */
export type TakenTimes = (doctorEmail: string, date: string) => readonly string[];

/**
 * The times that appointments hold, read once for some doctors and days.
 *
 * @param from - first day, 'yyyy-mm-dd' in the clinic's time zone
 * @param until - last day, included
 */
export async function takenSlots(
  appointments: Collection<AppointmentRecord>, doctorEmails: readonly string[], from: string, until: string,
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
