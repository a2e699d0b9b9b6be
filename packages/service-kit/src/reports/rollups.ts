import { lastDayOfMonth } from '@clinic/contracts/clinic-time';
import type { ClientSession, Collection, Document, Filter, OptionalUnlessRequiredId } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { isDuplicateKey } from '../http/error-mapping.ts';
import { reasonOf } from '../observability/logged-error.ts';

/**
 * A rollup: a small document that aggregates many records, so that reports don't read the records themselves (a year of
 * a hundred thousand records is too much for a chart). The transaction of each change also increments its rollups, so
 * they stay correct under concurrent writes.
 */
export interface Rollup extends Document {
  /** The group that is counted, e.g. a day and a doctor. */
  readonly _id: string;
}

/** What a change adds to one rollup; increments may be negative. */
export interface RollupChange {
  readonly key: string;
  /** Identifying fields of the rollup: written with the first change. */
  readonly about: Readonly<Record<string, string>>;
  /** Increments by field name. */
  readonly add: Readonly<Record<string, number>>;
  /** Fields set with each change. */
  readonly set?: Readonly<Record<string, string>>;
}

/**
 * Updates rollups, in the transaction of the change that they count.
 *
 * @param changes - several for one key become one write; written in key order, so that two transactions can't deadlock
 */
export async function addToRollups<T extends Rollup>(
  rollups: Collection<T>,
  session: ClientSession,
  changes: readonly RollupChange[],
): Promise<void> {
  const writes = [...Map.groupBy(changes, ({ key }) => key)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, ofKey]) => {
      const sums: Record<string, number> = {};
      for (const [name, by] of ofKey.flatMap(({ add }) => Object.entries(add))) sums[name] = (sums[name] ?? 0) + by;
      if (Object.values(sums).every((by) => by === 0)) return [];
      const set = Object.assign({}, ...ofKey.map((change) => change.set ?? {})) as Record<string, string>;
      const about = Object.entries(ofKey[0]?.about ?? {}).filter(([name]) => !Object.hasOwn(set, name));
      const update = {
        $inc: sums,
        $setOnInsert: Object.fromEntries(about),
        ...(Object.keys(set).length > 0 && { $set: set }),
      };
      return { updateOne: { filter: { _id: key } as Filter<T>, update: update as object, upsert: true } };
    });
  if (writes.length === 0) return;
  try {
    await rollups.bulkWrite(writes, { session });
  } catch (error) {
    // Another transaction has created the same rollup: retry this one as for any write conflict.
    if (isDuplicateKey(error)) error.addErrorLabel('TransientTransactionError');
    throw error;
  }
}

interface RollupMarker {
  readonly _id: string;
  /** Version and settings that the rollups were built with. */
  readonly version?: string;
  /** An unfinished check: its version, and the last finished month. */
  readonly checking?: { readonly version: string; readonly month: string };
}

export interface RollupPlan {
  /** Name in the log, e.g. `orders`. */
  readonly what: string;
  /** Change this to force a rebuild: a number for the format, plus the settings that the rollups depend on. */
  readonly version: string;
  /**
   * Whether the rollups of a month match its records: a cheap check for writes by a release that didn't maintain them.
   * Both are read in one snapshot; otherwise concurrent changes would look like a mismatch.
   */
  readonly inStep: (month: string, session: ClientSession) => Promise<boolean>;
  /**
   * The first month from this one on that has records or rollups, 'yyyy-mm'; `undefined` if there is none.
   *
   * @param month - empty: from the beginning
   */
  readonly nextMonth: (month: string) => Promise<string | undefined>;
  /** Rebuilds the rollups of one month from its records. Pass the session to every operation. */
  readonly countMonth: (month: string, session: ClientSession) => Promise<void>;
}

const markerId = 'tallies';

/**
 * Rebuilds rollups that are missing, have another version, or differ from the records. Works month by month, each in
 * its own transaction, while all replicas keep working: a concurrent change conflicts and is retried. After an
 * interruption it continues after the last finished month.
 *
 * @returns number of months rebuilt
 */
export async function keepRollups(
  context: Pick<ServiceContext, 'db' | 'inTransaction' | 'stopping'>,
  { version, inStep, nextMonth, countMonth }: Omit<RollupPlan, 'what'>,
): Promise<number> {
  const markers = context.db.collection<RollupMarker>('markers');
  const marker = await markers.findOne({ _id: markerId });
  const isCurrent = marker?.version === version;
  const begun = marker?.checking?.version === version ? marker.checking.month : undefined;
  let counted = 0;
  let month = await nextMonth(begun === undefined ? '' : monthAfter(begun));
  while (month !== undefined) {
    context.stopping.throwIfAborted();
    const current = month;
    const isRebuilt = await context.inTransaction(async (session) => {
      if (isCurrent && (await inStep(current, session))) return false;
      await countMonth(current, session);
      return true;
    });
    if (isRebuilt) counted += 1;
    await markers.updateOne({ _id: markerId }, { $set: { checking: { version, month } } }, { upsert: true });
    month = await nextMonth(monthAfter(month));
  }
  await markers.updateOne({ _id: markerId }, { $set: { version }, $unset: { checking: '' } }, { upsert: true });
  return counted;
}

/** Milliseconds until another attempt, if the database failed. */
const retryAfter = 30_000;

/**
 * {@link keepRollups} in the background: a start doesn't wait for it, whatever the number of records. Reports may be
 * incomplete until the log reports the end.
 */
export function keepRollupsInBackground(context: ServiceContext, plan: RollupPlan): void {
  const { log, stopping } = context;
  const attempt = async (): Promise<void> => {
    const began = performance.now();
    try {
      const months = await keepRollups(context, plan);
      const milliseconds = Math.round(performance.now() - began);
      log.info({ what: plan.what, months, milliseconds }, months > 0 ? 'rollups rebuilt' : 'rollups match the records');
    } catch (error) {
      if (stopping.aborted) return;
      log.warn({ what: plan.what, reason: reasonOf(error) }, 'rollups could not be checked, will retry');
      setTimeout(() => void attempt(), retryAfter).unref();
    }
  };
  void attempt();
}

/** '2027-01' for '2026-12'. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${String(year).padStart(4, '0')}-${String(number + 1).padStart(2, '0')}`;
}

/** First and last day of a month, 'yyyy-mm-dd'. */
export function daysOfMonth(month: string): { readonly from: string; readonly to: string } {
  const from = `${month}-01`;
  return { from, to: lastDayOfMonth(from) };
}

/** Rollups written per command. */
const batch = 1_000;

/** Replaces a month's rollups; one of the last steps of `countMonth`. */
export async function replaceRollups<T extends Rollup>(
  rollups: Collection<T>,
  old: Filter<T>,
  next: readonly T[],
  session: ClientSession,
): Promise<void> {
  await rollups.deleteMany(old, { session });
  // A rollup created concurrently is a conflict; see addToRollups.
  for (let from = 0; from < next.length; from += batch) {
    try {
      await rollups.insertMany(next.slice(from, from + batch) as unknown as OptionalUnlessRequiredId<T>[], { session });
    } catch (error) {
      if (isDuplicateKey(error)) error.addErrorLabel('TransientTransactionError');
      throw error;
    }
  }
}
