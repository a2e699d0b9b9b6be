import type { ClinicMoment } from '@clinic/contracts';
import { isDuplicateKey, ProblemError } from '@clinic/service-kit';
import type { MongoServerError } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import { freeTimesOfDay } from './free-times.ts';
import { takenSlots } from './taken-times.ts';

export interface WantedSlot extends ClinicMoment {
  readonly doctorEmail: string;
}

/**
 * Turns the database's refusal to hold a slot twice into the answer for people, with what else is free that day.
 *
 * @param error - what the transaction threw; it has ended
 * @returns `slot_taken` with the other free times, or the error unchanged when it is about something else
 */
export async function explainTakenSlot(error: unknown, wanted: WantedSlot, { doctors, appointments }: ClinicCollections, clock: ClinicClock): Promise<unknown> {
  if (!isTakenSlot(error)) return error;
  const doctor = await doctors.findOne({ email: wanted.doctorEmail });
  if (!doctor) return error;
  const taken = await takenSlots(appointments, [doctor.email], wanted.date, wanted.date);
  const { times, anyTime } = freeTimesOfDay(doctor, wanted.date, taken(doctor.email, wanted.date), clock);
  const detail = times.length > 0 || anyTime ? 'Please choose another time.' : 'Nothing is free on this day any more; please choose another day.';
  // Whoever takes the time between our transaction and this read must not be offered it.
  const freeTimes = times.filter((time) => time !== wanted.time);
  return new ProblemError('slot_taken', { detail, freeTimes });
}

function isTakenSlot(error: unknown): boolean {
  if (!isDuplicateKey(error)) return false;
  const { keyPattern } = error as MongoServerError & { readonly keyPattern?: Readonly<Record<string, unknown>> };
  return keyPattern !== undefined && 'doctorEmail' in keyPattern && 'time' in keyPattern;
}
