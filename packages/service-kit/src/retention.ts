import type { Document, Filter, WithId } from 'mongodb';
import type { ServiceContext } from './context.ts';
import { integer, type Setting } from './settings.ts';

/** A kind of record that is kept for a time. */
export interface RetentionRule {
  /** What the log calls them, e.g. `sign-in events`. */
  readonly what: string;
  readonly collection: string;
  /** 0: for good. */
  readonly keptDays: number;
  /** Which records are over, given the moment before which they are; a record under any of the conditions is. Each needs an index. */
  readonly over: (before: Date) => readonly Filter<Document>[];
  /** Fields that are emptied instead of removing the record, with what they then hold; `over` must not find it any more. */
  readonly empty?: Readonly<Document>;
}

/** A setting of days for which something is kept. */
export const keptDays = (days: number): Setting<number> => integer({ min: 0, max: 36_500, default: days });

const day = 86_400_000;

/** Milliseconds between two rounds. */
export const retentionEvery = 3_600_000;

/** Records of one command, and commands for one condition in one round; a longer backlog takes several rounds. */
const batchSize = 500;
const batchesPerRound = 200;

/**
 * Removes what is older than it is kept, in small commands between which others get their turn. Each replica does it; a
 * record is removed, and counted, once.
 *
 * @returns how many records, by rule
 */
export async function applyRetention({ db, log, stopping }: Pick<ServiceContext, 'db' | 'log' | 'stopping'>, rules: readonly RetentionRule[], now = new Date()): Promise<ReadonlyMap<string, number>> {
  const removed = new Map<string, number>();
  for (const rule of rules) {
    if (rule.keptDays === 0) continue;
    const { what, collection, keptDays: kept } = rule;
    const records = db.collection(collection);
    let count = 0;
    for (const filter of rule.over(new Date(now.getTime() - kept * day))) {
      for (let batch = 0; batch < batchesPerRound && !stopping.aborted; batch += 1) {
        const old = await records.find<WithId<Document>>(filter, { projection: { _id: 1 } }).limit(batchSize).toArray();
        // What was changed since it was found is judged again.
        const still: Filter<Document> = { $and: [{ _id: { $in: old.map(({ _id }) => _id) } }, filter] };
        if (old.length > 0) count += rule.empty ? (await records.updateMany(still, { $set: rule.empty })).modifiedCount : (await records.deleteMany(still)).deletedCount;
        if (old.length < batchSize) break;
      }
    }
    removed.set(what, count);
    if (count > 0) log.info({ what, records: count, keptDays: kept, ...(rule.empty && { emptied: Object.keys(rule.empty) }) }, 'expired records purged');
  }
  return removed;
}

/** Applies the rules now and every hour, until the service stops. */
export function keepRetention(context: ServiceContext, rules: readonly RetentionRule[]): void {
  const round = (): void => {
    applyRetention(context, rules).catch((error: unknown) => {
      if (!context.stopping.aborted) context.log.warn({ reason: (error as Error).message }, 'purge of expired records failed, will retry');
    });
  };
  round();
  const timer = setInterval(round, retentionEvery);
  context.stopping.addEventListener('abort', () => clearInterval(timer));
}

/** What every service keeps for a time. */
export function kitRetention({ settings }: Pick<ServiceContext, 'settings'>): readonly RetentionRule[] {
  return [
    { what: 'answers for repeated requests', collection: 'idempotency', keptDays: settings.IDEMPOTENCY_KEPT_DAYS, over: (before) => [{ createdAt: { $lt: before } }] },
    { what: 'who of the staff read records', collection: 'looks', keptDays: settings.LOOKS_KEPT_DAYS, over: (before) => [{ at: { $lt: before } }] },
  ];
}
