import { ProblemError } from '@clinic/service-kit';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { ClinicCollections } from '../collections.ts';
import type { CalendarFeedRecord } from './calendar-feed-record.ts';

const minute = 60_000;

/** Failed reads per network and minute, in each process: whoever tries addresses gets nowhere, and costs little. */
const mostFailures = 60;

/** Reads of one calendar in ten minutes, over all replicas. Programs read it every hour or less often; a person has a few. */
export const mostReads = 30;
const readsWindow = 10 * minute;

/** Limits how many wrong addresses a network can try. */
export function feedLimits(): ReturnType<typeof rateLimit> {
  return rateLimit({
    windowMs: minute,
    limit: mostFailures,
    skipSuccessfulRequests: true,
    keyGenerator: (request) => ipKeyGenerator(request.ip ?? ''),
    standardHeaders: false,
    legacyHeaders: false,
    handler: (_request, _response, next) => next(tooOften(minute / 1_000)),
  });
}

/**
 * Counts a read of a calendar, in the database.
 *
 * @throws ProblemError rate_limited
 */
export async function countRead(
  { calendarFeeds }: Pick<ClinicCollections, 'calendarFeeds'>,
  { _id, secretHash }: CalendarFeedRecord,
): Promise<void> {
  const now = Date.now();
  const own = { _id, secretHash };
  const restarted = await calendarFeeds.updateOne(
    { ...own, 'reads.since': { $lte: new Date(now - readsWindow) } },
    { $set: { reads: { since: new Date(now), count: 1 } } },
  );
  if (restarted.matchedCount > 0) return;
  const counted = await calendarFeeds.updateOne(
    { ...own, 'reads.count': { $lt: mostReads } },
    { $inc: { 'reads.count': 1 } },
  );
  if (counted.matchedCount === 0) throw tooOften(readsWindow / 1_000);
}

function tooOften(retryAfter: number): ProblemError {
  return new ProblemError('rate_limited', { detail: 'This calendar is read too often. Try again later.', retryAfter });
}
