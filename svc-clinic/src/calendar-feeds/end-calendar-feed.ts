import { ObjectId, type ClientSession } from 'mongodb';
import { collectionsOf } from '../collections.ts';
import type { ClinicAction } from '../contract/actions.ts';
import { historyRecorder, type Origin } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import type { CalendarFeedRecord } from './calendar-feed-record.ts';

/** What decides whether a subscription still works. */
export interface Owner {
  readonly active: boolean;
  /** The confirmed address; absent while it is unconfirmed. */
  readonly email?: string | undefined;
  readonly sessionsEndedAt?: string | undefined;
}

/**
 * Whether an address still works: its account is active and has the email address it had then, and whatever ended all its
 * sessions (being switched off, *Log out on all devices*, a new password) came before the address was made.
 */
export function covers(
  { active, email, sessionsEndedAt }: Owner,
  feed: Pick<CalendarFeedRecord, 'createdAt' | 'email'>,
): boolean {
  if (!active || (email !== undefined && email !== feed.email)) return false;
  return sessionsEndedAt === undefined || new Date(sessionsEndedAt) <= feed.createdAt;
}

/** Ends an account's subscription if its address no longer works. */
export async function endUncovered(context: ClinicContext, account: string, owner: Owner): Promise<void> {
  const feed = await collectionsOf(context.db).calendarFeeds.findOne({ _id: account });
  if (feed && !covers(owner, feed))
    await endFeed(context, { call: 'expiry', caller: undefined, requestId: 'expiry' }, feed);
}

/** Ends a subscription, unless it has been replaced meanwhile. */
export async function endFeed(
  context: ClinicContext,
  origin: Origin,
  { _id, secretHash }: Pick<CalendarFeedRecord, '_id' | 'secretHash'>,
): Promise<void> {
  await context.inTransaction(async (session) => {
    const { deletedCount } = await collectionsOf(context.db).calendarFeeds.deleteOne({ _id, secretHash }, { session });
    if (deletedCount > 0) await noteFeed(context, origin, _id, 'stopped', session);
  });
}

/** Adds a change of a subscription to the history. */
export async function noteFeed(
  context: ClinicContext,
  origin: Origin,
  account: string,
  what: 'started' | 'replaced' | 'stopped',
  session: ClientSession,
): Promise<void> {
  const { caller } = origin;
  const action: ClinicAction = `calendar subscription ${what}`;
  await historyRecorder(context, origin)(session, {
    record: { type: 'calendar subscription', id: new ObjectId(account) },
    concerns: caller ? [caller.email] : [],
    accounts: [account],
    action,
    before: what === 'started' ? null : {},
    after: {},
  });
}
