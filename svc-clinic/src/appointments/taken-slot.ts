import type { ClinicMoment } from '@clinic/contracts';
import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import type { MongoServerError } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { freeTimesOfDay } from './free-times.ts';
import { takenSlots } from './taken-times.ts';

export interface RequestedSlot extends ClinicMoment {
  readonly doctorEmail: string;
}

/**
 * Maps the duplicate key error of a held slot to a problem for the user, with the other free times of that day.
 *
 * @param error - what the transaction threw; it has ended
 * @returns `slot_taken` with the other free times, or the unchanged error if it is about something else
 */
export async function explainTakenSlot(
  error: unknown,
  requested: RequestedSlot,
  { doctors, appointments }: ClinicCollections,
  clock: ClinicClock,
): Promise<unknown> {
  if (!isTakenSlot(error)) return error;
  const doctor = await doctors.findOne({ email: requested.doctorEmail });
  if (!doctor) return error;
  const taken = await takenSlots(appointments, [doctor.email], requested.date, requested.date);
  const { times, anyTime } = freeTimesOfDay(doctor, requested.date, taken(doctor.email, requested.date), clock);
  const detail =
    times.length > 0 || anyTime
      ? 'Choose another time.'
      : 'There are no free times left on this day. Choose another day.';
  // Somebody may have taken the time between our transaction and this read; don't offer it.
  const freeTimes = times.filter((time) => time !== requested.time);
  return new ProblemError('slot_taken', { detail, freeTimes });
}

function isTakenSlot(error: unknown): boolean {
  if (!isDuplicateKey(error)) return false;
  const { keyPattern } = error as MongoServerError & { readonly keyPattern?: Readonly<Record<string, unknown>> };
  return keyPattern !== undefined && 'doctorEmail' in keyPattern && 'time' in keyPattern;
}
