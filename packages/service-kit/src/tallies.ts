import type { ClientSession, Collection, Document, Filter, OptionalUnlessRequiredId } from 'mongodb';
import type { ServiceContext } from './context.ts';
import { isDuplicateKey } from './error-mapping.ts';

/**
 * Tallies are small documents beside the records, one for many records, that reports add up instead of reading the records:
 * a year of a hundred thousand records must not be read for a chart. They are changed in the transaction of the change
 * they count, by differences alone, so that they are right whoever writes at the same time.
 */
export interface Tally extends Document {
  /** What is counted together, e.g. a day and a doctor. */
  readonly _id: string;
}

/** What a change adds to one tally; differences may be negative. */
export interface TallyChange {
  readonly key: string;
  /** What the tally is about: written with the first change. */
  readonly about: Readonly<Record<string, string>>;
  /** Added to the numbers of these names. */
  readonly add: Readonly<Record<string, number>>;
  /** Written with each change. */
  readonly set?: Readonly<Record<string, string>>;
}

/**
 * Adds to tallies, in the transaction of the change that they count.
 *
 * @param changes - several of one key are one write; all are written in the order of their keys, so that two transactions
 *   can't wait for each other
 */
export async function addToTallies<T extends Tally>(tallies: Collection<T>, session: ClientSession, changes: readonly TallyChange[]): Promise<void> {
  const writes = [...Map.groupBy(changes, ({ key }) => key)].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, ofKey]) => {
    const sums: Record<string, number> = {};
    for (const [name, by] of ofKey.flatMap(({ add }) => Object.entries(add))) sums[name] = (sums[name] ?? 0) + by;
    if (Object.values(sums).every((by) => by === 0)) return [];
    const set = Object.assign({}, ...ofKey.map((change) => change.set ?? {})) as Record<string, string>;
    const about = Object.entries(ofKey[0]?.about ?? {}).filter(([name]) => !Object.hasOwn(set, name));
    const update = { $inc: sums, $setOnInsert: Object.fromEntries(about), ...(Object.keys(set).length > 0 && { $set: set }) };
    return { updateOne: { filter: { _id: key } as Filter<T>, update: update as object, upsert: true } };
  });
  if (writes.length === 0) return;
  try {
    await tallies.bulkWrite(writes, { session });
  } catch (error) {
    // Another transaction has made the same tally since ours began: a conflict like any other, after which ours begins again.
    if (isDuplicateKey(error)) error.addErrorLabel('TransientTransactionError');
    throw error;
  }
}

interface TallyMarker {
  readonly _id: string;
  /** How, and with which settings, the tallies were counted. */
  readonly version: string;
}

export interface TallyPlan {
  /** Anything that makes the tallies others: a number to raise when their form changes, settings they depend on. */
  readonly version: string;
  /**
   * Whether the tallies add up to the records: a cheap look, for what was written by a release that didn't know them.
   * Both are read in one snapshot, or every change meanwhile would look like a loss.
   */
  readonly inStep: (session: ClientSession) => Promise<boolean>;
  /**
   * The first month with records or tallies from this one on, 'yyyy-mm'; `undefined`: none.
   *
   * @param month - empty: from the beginning
   */
  readonly nextMonth: (month: string) => Promise<string | undefined>;
  /** Writes the tallies of one month anew from its records. Everything in it must be given the session. */
  readonly countMonth: (month: string, session: ClientSession) => Promise<void>;
}

const markerId = 'tallies';

/**
 * Counts all tallies anew where they are missing, of another version, or out of step. Runs at start, month by month, each in
 * a transaction of its own, while other replicas go on: a change in between collides with it and is repeated after it.
 *
 * @returns number of months counted
 */
export async function keepTallies(context: ServiceContext, { version, inStep, nextMonth, countMonth }: TallyPlan): Promise<number> {
  const markers = context.db.collection<TallyMarker>('markers');
  const marker = await markers.findOne({ _id: markerId });
  if (marker?.version === version && (await context.inTransaction(inStep))) return 0;
  let counted = 0;
  for (let month = await nextMonth(''); month !== undefined; month = await nextMonth(monthAfter(month))) {
    context.stopping.throwIfAborted();
    const current = month;
    await context.inTransaction((session) => countMonth(current, session));
    counted += 1;
  }
  await markers.updateOne({ _id: markerId }, { $set: { version } }, { upsert: true });
  return counted;
}

/** '2027-01' for '2026-12'. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${String(year + 1).padStart(4, '0')}-01` : `${String(year).padStart(4, '0')}-${String(number + 1).padStart(2, '0')}`;
}

/** First and last day of a month, 'yyyy-mm-dd'. */
export function daysOfMonth(month: string): { readonly from: string; readonly to: string } {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return { from: `${month}-01`, to: `${month}-${String(new Date(Date.UTC(year, number, 0)).getUTCDate()).padStart(2, '0')}` };
}

/** Tallies written by one command. */
const batch = 1_000;

/** Writes a month's tallies in place of those there are; one of `countMonth`'s last steps. */
export async function replaceTallies<T extends Tally>(tallies: Collection<T>, old: Filter<T>, next: readonly T[], session: ClientSession): Promise<void> {
  await tallies.deleteMany(old, { session });
  // A tally that somebody makes meanwhile is a conflict; see addToTallies.
  for (let from = 0; from < next.length; from += batch) {
    try {
      await tallies.insertMany(next.slice(from, from + batch) as unknown as OptionalUnlessRequiredId<T>[], { session });
    } catch (error) {
      if (isDuplicateKey(error)) error.addErrorLabel('TransientTransactionError');
      throw error;
    }
  }
}
