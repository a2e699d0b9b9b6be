import { networkOf } from '@clinic/contracts/network';
import { ProblemError, type SharedCount } from '@clinic/service-kit';
import type { ClinicCollections } from '../collections.ts';
import type { CalendarFeedRecord } from './calendar-feed-record.ts';

const minute = 60_000;

/** Wrong addresses per network and window, over all replicas: guessing is hopeless, and costs us little. */
export const wrongAddresses = { most: 60, windowMs: minute } as const;

/** Reads of one calendar in ten minutes, over all replicas. Programs read it every hour or less often; a person has a few. */
export const mostReads = 30;
const readsWindow = 10 * minute;

/**
 * Looks up what is at an address that may be wrong. Counts the attempt first and takes it back if the address was
 * right, so that concurrent attempts can't exceed the limit.
 *
 * @param tries - counter of wrong addresses by network
 * @param ip - the request's network address
 * @throws ProblemError rate_limited
 */
export async function tryAddress<Found>(
  tries: SharedCount,
  ip: string | undefined,
  find: () => Promise<Found | null>,
): Promise<Found | null> {
  return trySecret(tries, networkOf(ip ?? ''), wrongAddresses.most, find);
}

/** {@link tryAddress} for any secret. @param key - who tries @param most - wrong ones in the counter's window */
export async function trySecret<Found>(
  tries: SharedCount,
  key: string,
  most: number,
  find: () => Promise<Found | null>,
): Promise<Found | null> {
  const { totalHits, resetTime } = await tries.increment(key);
  if (totalHits > most) throw tooOften(Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1_000)));
  let found: Found | null | undefined;
  try {
    found = await find();
    return found;
  } finally {
    // An outage doesn't count either.
    if (found !== null) await tries.decrement(key);
  }
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

/** The problem for what is tried or read too often. @param retryAfter - seconds */
export function tooOften(retryAfter: number): ProblemError {
  return new ProblemError('rate_limited', { detail: 'This is tried too often. Try again later.', retryAfter });
}
