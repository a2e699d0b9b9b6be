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

/** Slots per response of the database: one is enough for the doctors of a page. */
const mostAtOnce = 5_000;

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
    .project<Pick<AppointmentRecord, 'doctorEmail' | 'date' | 'time'>>({ _id: 0, doctorEmail: 1, date: 1, time: 1 })
    .batchSize(mostAtOnce);
  const taken = new Map<string, string[]>();
  for (const { doctorEmail, date, time } of await held.toArray()) {
    const key = `${doctorEmail} ${date}`;
    const times = taken.get(key);
    if (times) times.push(time);
    else taken.set(key, [time]);
  }
  return (doctorEmail, date) => taken.get(`${doctorEmail} ${date}`) ?? [];
}
