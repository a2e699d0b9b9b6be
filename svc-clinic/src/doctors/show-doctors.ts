import type { Doctor } from '../contract/schemas.ts';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import type { ClinicContext } from '../settings.ts';
import { withHolidays } from '../schedule/holidays.ts';
import { toDoctor, type ShownDoctor } from './doctor-record.ts';
import { nextFreeDays } from './next-free.ts';

/** Doctors in their wire shape, each with the earliest free slot. */
export function showDoctors(context: ClinicContext): (records: readonly ShownDoctor[]) => Promise<Doctor[]> {
  const collections = collectionsOf(context.db);
  return async (records) => {
    const clock = await withHolidays(clinicClock(context.settings), collections);
    const free = await nextFreeDays(collections.appointments, records, clock);
    return records.map((record) => toDoctor(record, clock, free.get(record.email)));
  };
}
