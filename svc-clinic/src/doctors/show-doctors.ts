import type { Doctor } from '@clinic/contracts';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import type { ClinicContext } from '../settings.ts';
import { toDoctor, type DoctorRecord } from './doctor-record.ts';
import { nextFreeDays } from './next-free.ts';

/** Doctors in their wire shape, each with the earliest free slot. */
export function showDoctors(context: ClinicContext): (records: readonly DoctorRecord[]) => Promise<Doctor[]> {
  const { appointments } = collectionsOf(context.db);
  return async (records) => {
    const clock = clinicClock(context.settings);
    const free = await nextFreeDays(appointments, records, clock);
    return records.map((record) => toDoctor(record, clock, free.get(record.email)));
  };
}
