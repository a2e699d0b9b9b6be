import type { Document, Filter, WithId } from 'mongodb';
import { BackgroundLoop } from '../background-loop.ts';
import type { ServiceContext } from '../context.ts';
import { integer, type Setting } from '../settings/setting-types.ts';

/** A kind of record that expires. */
export interface RetentionRule {
  /** Name in the log, e.g. `sign-in events`. */
  readonly what: string;
  readonly collection: string;
  /** 0 keeps them for ever. */
  readonly keptDays: number;
  /**
   * Filters for expired records, given the cut-off; a record that matches any of them has expired. Each filter needs an
   * index.
   */
  readonly over: (before: Date) => readonly Filter<Document>[];
  /**
   * Empties these fields instead of deleting the record: the fields with their new values. `over` must no longer match
   * the record.
   */
  readonly empty?: Readonly<Document>;
  /** With `empty`: fields that it removes. */
  readonly remove?: readonly string[];
}

/** A retention setting in days. */
export const keptDays = (days: number): Setting<number> => integer({ min: 0, max: 36_500, default: days });

const day = 86_400_000;

/** Days for which a service remembers how many records of a deleted person it erased. */
const erasuresKeptDays = 90;

/** Milliseconds between two purges. */
export const retentionEvery = 3_600_000;

/** Records per command, and commands per filter in one purge; a longer backlog takes several purges. */
const batchSize = 500;
const batchesPerRound = 200;

/**
 * Purges expired records in small commands, so that other work isn't held up. Safe to run in every replica: a record is
 * removed, and counted, once.
 *
 * @returns number of records by rule
 */
export async function applyRetention(
  { db, log, stopping }: Pick<ServiceContext, 'db' | 'log' | 'stopping'>,
  rules: readonly RetentionRule[],
  now = new Date(),
): Promise<ReadonlyMap<string, number>> {
  const removed = new Map<string, number>();
  for (const rule of rules) {
    if (rule.keptDays === 0) continue;
    const { what, collection, keptDays: kept } = rule;
    const records = db.collection(collection);
    let count = 0;
    for (const filter of rule.over(new Date(now.getTime() - kept * day))) {
      for (let batch = 0; batch < batchesPerRound && !stopping.aborted; batch += 1) {
        const old = await records
          .find<WithId<Document>>(filter, { projection: { _id: 1 } })
          .limit(batchSize)
          .toArray();
        // Repeats the filter, in case the record has changed since it was found.
        const still: Filter<Document> = { $and: [{ _id: { $in: old.map(({ _id }) => _id) } }, filter] };
        if (old.length > 0)
          count += rule.empty
            ? (await records.updateMany(still, emptying(rule.empty, rule.remove))).modifiedCount
            : (await records.deleteMany(still)).deletedCount;
        if (old.length < batchSize) break;
      }
    }
    removed.set(what, count);
    if (count > 0)
      log.info(
        { what, records: count, keptDays: kept, ...(rule.empty && { emptied: Object.keys(rule.empty) }) },
        'expired records purged',
      );
  }
  return removed;
}

const emptying = (empty: Readonly<Document>, remove: readonly string[] = []): Document => ({
  $set: empty,
  ...(remove.length > 0 && { $unset: Object.fromEntries(remove.map((field) => [field, ''])) }),
});

/** Purges now and every hour until the service stops. */
export function keepRetention(context: ServiceContext, rules: readonly RetentionRule[]): void {
  const work = async (): Promise<void> => void (await applyRetention(context, rules));
  void new BackgroundLoop(context, { what: 'purge of expired records', work, every: retentionEvery }).run();
}

/** Retention rules that every service has. */
export function kitRetention({ settings }: Pick<ServiceContext, 'settings'>): readonly RetentionRule[] {
  return [
    {
      what: 'answers for repeated requests',
      collection: 'idempotency',
      keptDays: settings.IDEMPOTENCY_KEPT_DAYS,
      over: (before) => [{ createdAt: { $lt: before } }],
    },
    {
      what: 'record views by staff',
      collection: 'looks',
      keptDays: settings.LOOKS_KEPT_DAYS,
      over: (before) => [{ at: { $lt: before } }],
    },
    {
      what: 'records of erasures',
      collection: 'erasures',
      keptDays: erasuresKeptDays,
      over: (before) => [{ doneAt: { $lt: before } }],
    },
  ];
}
