import { ObjectId } from 'mongodb';
import { ProblemError, SharedCount, type Handler, type ServiceRequest } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { tooOften, tryAddress, wrongAddresses } from '../calendar-feeds/feed-limits.ts';
import { hashOf, newSecret, secretIn } from '../calendar-feeds/feed-secret.ts';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { historyRecorder } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { waitingRoomNow } from './waiting-room.ts';

/** The clinic has one address, which several screens may show. */
const theScreen = new ObjectId('0'.repeat(24));

/** Reads of the address in ten minutes: a dozen screens that ask every five seconds. */
const reads = { most: 1_500, windowMs: 600_000 } as const;

/** Handlers of the calls about the screen in the waiting room. */
export function waitingScreenHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);
  const { waitingScreens } = collections;
  const tries = new SharedCount(context, 'waiting-room address', wrongAddresses.most, wrongAddresses.windowMs);
  const counted = new SharedCount(context, 'waiting-room reads', reads.most, reads.windowMs);

  const get: Handler<'getWaitingScreen'> = async () => {
    const screen = await waitingScreens.findOne({ _id: theScreen });
    return screen ? { since: screen.createdAt.toISOString() } : {};
  };

  const replace: Handler<'replaceWaitingScreen'> = async (request) => {
    const secret = newSecret();
    const createdAt = new Date();
    await context.inTransaction(async (session) => {
      await waitingScreens.replaceOne(
        { _id: theScreen },
        { secretHash: hashOf(secret), createdAt },
        { upsert: true, session },
      );
      await note(context, request, 'waiting-room address made', session);
    });
    return { since: createdAt.toISOString(), secret };
  };

  const end: Handler<'endWaitingScreen'> = async (request) => {
    await context.inTransaction(async (session) => {
      const { deletedCount } = await waitingScreens.deleteOne({ _id: theScreen }, { session });
      if (deletedCount > 0) await note(context, request, 'waiting-room address stopped', session);
    });
  };

  const read: Handler<'readWaitingRoom'> = async ({ params, req, res }) => {
    const secret = secretIn(params.secret);
    const screen = await tryAddress(tries, req.ip, async () =>
      secret === undefined ? null : waitingScreens.findOne({ secretHash: hashOf(secret) }),
    );
    if (!screen)
      throw new ProblemError('not_found', {
        detail: 'There’s no screen at this address. The clinic may have replaced or stopped it.',
      });
    const { totalHits, resetTime } = await counted.increment(screen.secretHash);
    if (totalHits > reads.most) throw tooOften(Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1_000)));
    res.setHeader('Cache-Control', 'no-store');
    return waitingRoomNow(collections, clinicClock(context.settings));
  };

  return { getWaitingScreen: get, replaceWaitingScreen: replace, endWaitingScreen: end, readWaitingRoom: read };
}

async function note(
  context: ClinicContext,
  request: ServiceRequest<'replaceWaitingScreen' | 'endWaitingScreen'>,
  action: 'waiting-room address made' | 'waiting-room address stopped',
  session: ClientSession,
): Promise<void> {
  await historyRecorder(context, request)(session, {
    record: { type: 'waiting-room screen', id: theScreen },
    concerns: [],
    accounts: [],
    action,
    before: {},
    after: {},
  });
}
