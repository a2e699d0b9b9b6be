import { addDays, clinicInstant } from '@clinic/contracts';
import { countOfDay, ProblemError } from '@clinic/service-kit';
import type { ClientSession, Db } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';

/**
 * Counts a patient's booking or move towards the daily limit, as each adds to the history permanently. Confirming and
 * cancelling need no limit: each can happen only once per booking or move.
 *
 * @param session - the transaction of the change, which holds the per-user lock (`takeUserLock`)
 * @param userId - the patient's id
 * @param most - bookings and moves per day
 * @throws ProblemError `rate_limited`, until the clinic's midnight
 */
export async function countChange(
  db: Db,
  session: ClientSession,
  userId: string,
  most: number,
  { now, today, timeZone }: ClinicClock,
): Promise<void> {
  if (await countOfDay({ db }, session, userId, today, most)) return;
  const tomorrow = clinicInstant({ date: addDays(today, 1), time: '00:00' }, timeZone);
  throw new ProblemError('rate_limited', {
    detail: `You’ve booked or moved appointments ${most} times today, the most you can in one day. Try again tomorrow, or call the clinic and we’ll do it for you.`,
    retryAfter: Math.ceil((tomorrow.getTime() - now.getTime()) / 1_000),
  });
}
