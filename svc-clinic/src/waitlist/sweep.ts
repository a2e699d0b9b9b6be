import { BackgroundLoop, followChanges, newId, ProblemError } from '@clinic/service-kit';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { historyRecorder } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { fillFreed, type Filling } from './fill-times.ts';
import { onFreedTimes } from './freed-times.ts';
import { leaveWaitlist } from './leave-waitlist.ts';
import { settleOffer } from './settle-offer.ts';
import { activeStatuses, type OfferRecord } from './waitlist-record.ts';

/** Longest pause in milliseconds: places end when a day does, and a machine may have been asleep. */
const longestPause = 60_000;

/** Milliseconds that the database waits for a change. */
const awaitChanges = 5_000;

/** Milliseconds after which another replica takes over a note, if the one that took it has died. */
const leaseMs = 5_000;

/** Milliseconds between checks of all free times, for those freed by a replica of the previous release. */
const checkAllEvery = 600_000;

/** Offers, notes and places processed per sweep. */
const batchSize = 20;

/** What is needed to offer times without a request. */
export function fillingOf(context: ClinicContext): Filling {
  return {
    db: context.db,
    collections: collectionsOf(context.db),
    // Evaluated at each use, so that an offer's times are those of its transaction.
    get clock() {
      return clinicClock(context.settings);
    },
    rules: context.settings,
    recordChange: historyRecorder(context, { call: 'waitlist', caller: undefined, requestId: 'waitlist' }),
    inTransaction: (work) => context.inTransaction(work),
  };
}

/**
 * Ends missed offers, offers freed times, and ends places whose last day is past. Its whole state is in the database,
 * so that any replica can continue where another has died; transactions settle each of these once.
 *
 * @returns whether there may be more to do at once
 */
export async function sweepWaitlist(context: ClinicContext): Promise<boolean> {
  const expired = await missOffers(context);
  const freed = await fillNotes(context);
  const ended = await endPlaces(context);
  return expired === batchSize || freed === batchSize || ended === batchSize;
}

async function missOffers(context: ClinicContext): Promise<number> {
  const { collections } = fillingOf(context);
  const over = await collections.waitlistOffers
    .find({ status: 'open', until: { $lte: new Date() } })
    .sort({ until: 1 })
    .limit(batchSize)
    .toArray();
  for (const offer of over) await settleIfOpen(context, offer, 'missed');
  return over.length;
}

/** Ends an offer; does nothing if the patient or another replica was faster. */
export async function settleIfOpen(
  context: ClinicContext,
  offer: OfferRecord,
  outcome: 'missed' | 'withdrawn',
): Promise<void> {
  try {
    await context.inTransaction((session) => settleOffer(fillingOf(context), offer, outcome, session));
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'offer_over')) throw error;
  }
}

async function fillNotes(context: ClinicContext): Promise<number> {
  const { freedTimes } = collectionsOf(context.db);
  for (let count = 0; count < batchSize; count += 1) {
    const now = new Date();
    const note = await freedTimes.findOneAndUpdate(
      { at: { $lte: now } },
      { $set: { at: new Date(now.getTime() + leaseMs) } },
      { sort: { at: 1 } },
    );
    if (!note) return count;
    if (await fillFreed(fillingOf(context), note)) await freedTimes.deleteOne({ _id: note._id });
    else await freedTimes.updateOne({ _id: note._id }, { $set: { at: new Date() } });
  }
  return batchSize;
}

async function endPlaces(context: ClinicContext): Promise<number> {
  const { collections, clock } = fillingOf(context);
  const over = await collections.waitlist
    .find({ status: { $in: [...activeStatuses] }, until: { $lt: clock.today } })
    .limit(batchSize)
    .toArray();
  for (const entry of over)
    await context.inTransaction((session) => leaveWaitlist(fillingOf(context), entry, 'ended', session));
  return over.length;
}

/** Milliseconds until the next offer or note is due, at most `longestPause`. */
async function untilNext(context: ClinicContext): Promise<number> {
  const { waitlistOffers, freedTimes } = collectionsOf(context.db);
  const [offer, note] = await Promise.all([
    waitlistOffers.findOne({ status: 'open' }, { sort: { until: 1 }, projection: { until: 1 } }),
    freedTimes.findOne({}, { sort: { at: 1 }, projection: { at: 1 } }),
  ]);
  const due = Math.min(offer?.until.getTime() ?? Infinity, note?.at.getTime() ?? Infinity);
  return Math.min(longestPause, Math.max(0, due - Date.now()));
}

/** Adds a note that anything may be free, if anybody waits. */
async function checkAll({ db }: ClinicContext): Promise<void> {
  const { waitlist, freedTimes } = collectionsOf(db);
  if (await waitlist.findOne({ status: 'waiting' }, { projection: { _id: 1 } }))
    await freedTimes.insertOne({ _id: newId(), at: new Date(), everybody: true });
}

/** Calls `wake` when any replica has noted freed times, or made an offer that this one may have to end. */
function followOthers(context: ClinicContext, wake: () => void): void {
  const { freedTimes, waitlistOffers } = collectionsOf(context.db);
  const names = [freedTimes.collectionName, waitlistOffers.collectionName];
  void followChanges(context, {
    what: 'waitlist',
    pipeline: [{ $match: { operationType: 'insert', 'ns.coll': { $in: names } } }, { $project: { _id: 1 } }],
    awaitMs: awaitChanges,
    changed: async () => wake(),
  });
}

/** Sweeps until the service stops: when a time is freed or offered anywhere, and when the next offer or note is due. */
export function keepSweeping(context: ClinicContext): void {
  let checkedAt = -Infinity;
  const work = async (): Promise<number> => {
    if (performance.now() - checkedAt > checkAllEvery) {
      await checkAll(context);
      checkedAt = performance.now();
    }
    return (await sweepWaitlist(context)) ? 0 : untilNext(context);
  };
  const loop = new BackgroundLoop(context, { what: 'sweep of the waitlist', work, every: longestPause });
  const unsubscribe = onFreedTimes(collectionsOf(context.db), () => loop.wake());
  followOthers(context, () => loop.wake());
  void loop.run().then(unsubscribe);
}
