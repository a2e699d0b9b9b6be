import { addDays, clinicInstant } from '@clinic/contracts';
import { countOfDay, ProblemError } from '@clinic/service-kit';
import type { ClientSession, Db } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';

/**
 * Counts a booking or a move of a patient, each of which stays in the history for good. Confirming and cancelling need no
 * limit: each can follow a booking or a move only once.
 *
 * @param session - the transaction of the change, in which the person has taken their turn (`takePersonTurn`)
 * @param userId - the patient's id
 * @param most - bookings and moves a day
 * @throws ProblemError `rate_limited`, until the clinic's midnight
 */
export async function countChange(db: Db, session: ClientSession, userId: string, most: number, { now, today, timeZone }: ClinicClock): Promise<void> {
  if (await countOfDay({ db }, session, userId, today, most)) return;
  const tomorrow = clinicInstant({ date: addDays(today, 1), time: '00:00' }, timeZone);
  throw new ProblemError('rate_limited', {
    detail: `You have booked or moved appointments ${most} times today, which is the most for one day. Please try again tomorrow, or call the clinic: we book and move them for you.`,
    retryAfter: Math.ceil((tomorrow.getTime() - now.getTime()) / 1_000),
  });
}
