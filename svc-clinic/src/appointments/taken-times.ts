import { slotHoldingStatuses } from '@clinic/contracts';
import type { AppointmentRecord } from './appointment-record.ts';
import type { Collection } from 'mongodb';

/**
 * The times of a doctor's day that appointments hold, 'HH:mm'.
 *
 * @param date - 'yyyy-mm-dd' in the clinic's time zone
 */
export async function takenTimes(appointments: Collection<AppointmentRecord>, doctorEmail: string, date: string): Promise<string[]> {
  const held = await appointments
    .find({ doctorEmail, status: { $in: [...slotHoldingStatuses] }, date })
    .project<Pick<AppointmentRecord, 'time'>>({ _id: 0, time: 1 })
    .toArray();
  return held.map(({ time }) => time);
}
