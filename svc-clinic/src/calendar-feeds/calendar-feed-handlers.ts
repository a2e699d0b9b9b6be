import {
  countToday,
  file,
  ProblemError,
  readStanding,
  SharedCount,
  takeUserLock,
  type DailyAct,
  type Handler,
} from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import type { ClinicContext } from '../settings.ts';
import { covers, endFeed, noteFeed } from './end-calendar-feed.ts';
import { feedCalendar } from './feed-calendar.ts';
import { countRead, tryAddress, wrongAddresses } from './feed-limits.ts';
import { feedPath, hashOf, newSecret, secretIn } from './feed-secret.ts';

/** Each new address ends the one before it. */
const newAddresses: DailyAct = { act: 'calendar-addresses', most: 10, done: 'made a new calendar address' };

/** Calendar programs may cache the calendar, proxies may not. */
const cacheControl = 'private, no-cache';

/** Handlers of the calls about calendar subscriptions. */
export function calendarFeedHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);
  const { calendarFeeds } = collections;
  const tries = new SharedCount(context, 'calendar address', wrongAddresses.most, wrongAddresses.windowMs);

  const get: Handler<'getCalendarFeed'> = async ({ caller }) => {
    const feed = await calendarFeeds.findOne({ _id: caller.id });
    const isValid = feed !== null && covers(await readStanding(context, feed._id), feed);
    return isValid ? { since: feed.createdAt.toISOString() } : {};
  };

  const replace: Handler<'replaceCalendarFeed'> = async (request) => {
    const { id, email } = request.caller;
    const secret = newSecret();
    const createdAt = new Date();
    await context.inTransaction(async (session) => {
      await countAddress(context, session, id);
      const earlier = await calendarFeeds.findOneAndReplace(
        { _id: id },
        { email, secretHash: hashOf(secret), createdAt, reads: { since: createdAt, count: 0 } },
        { upsert: true, session },
      );
      await noteFeed(context, request, id, earlier ? 'replaced' : 'started', session);
    });
    return { since: createdAt.toISOString(), path: feedPath(secret) };
  };

  const end: Handler<'endCalendarFeed'> = async (request) => {
    const { id } = request.caller;
    await context.inTransaction(async (session) => {
      const { deletedCount } = await calendarFeeds.deleteOne({ _id: id }, { session });
      if (deletedCount > 0) await noteFeed(context, request, id, 'stopped', session);
    });
  };

  const read: Handler<'readCalendarFeed'> = async (request) => {
    const { params, req } = request;
    const secret = secretIn(params.secret);
    const feed = await tryAddress(tries, req.ip, async () =>
      secret === undefined ? null : calendarFeeds.findOne({ secretHash: hashOf(secret) }),
    );
    if (!feed) throw unknown();
    await countRead(collections, feed);
    const standing = await readStanding(context, feed._id);
    if (!covers(standing, feed)) {
      await endFeed(context, request, feed);
      throw unknown();
    }
    const text = await feedCalendar(
      collections,
      { account: feed._id, role: standing.role },
      clinicClock(context.settings),
    );
    return file('appointments.ics', text, cacheControl);
  };

  return { getCalendarFeed: get, replaceCalendarFeed: replace, endCalendarFeed: end, readCalendarFeed: read };
}

async function countAddress(context: ClinicContext, session: ClientSession, account: string): Promise<void> {
  await takeUserLock(context, session, account);
  await countToday(context, session, account, newAddresses);
}

function unknown(): ProblemError {
  return new ProblemError('not_found', {
    detail: 'There’s no calendar at this address. Its owner may have replaced or stopped it.',
  });
}
