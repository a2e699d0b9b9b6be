import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Collection, Db } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { isDuplicateKey } from '../http/error-mapping.ts';
import type { IndexPlan } from './database.ts';
import { dropIndexes, type DroppedIndexes } from './indexes.ts';

/**
 * A data migration, run once per database.
 *
 * `up` must be safe to repeat from any point, as it may be interrupted and run again, and must leave data that the
 * previous release can still read, as its replicas keep running meanwhile. It works in bounded batches, each in a
 * transaction of its own or none.
 */
export interface SchemaChange {
  /** Consecutive from 1; never changed once released. */
  readonly number: number;
  /** What it does, e.g. `orders belong to accounts`. */
  readonly name: string;
  readonly up: (context: ServiceContext) => Promise<void>;
  /**
   * Indexes that no query of this release or of the previous one uses, whose replicas still run. They are dropped once,
   * after this release's indexes exist. So a changed index takes two releases: the first adds the new one, the second
   * drops the old one.
   */
  readonly dropsIndexes?: DroppedIndexes;
  /** Releases without this change can no longer work with the data and must not start. */
  readonly breaking?: true;
}

/** The database's record of a change. */
interface ChangeRecord {
  /** The change's number. */
  readonly _id: number;
  readonly name: string;
  readonly breaking: boolean;
  readonly startedAt: Date;
  /** Absent while it runs, or if it was interrupted. */
  readonly finishedAt?: Date;
  /** When its `dropsIndexes` were dropped. */
  readonly indexesDroppedAt?: Date;
  /** SERVICE_VERSION of the release that made it. */
  readonly release: string;
}

interface LockRecord {
  readonly _id: 'schema';
  readonly holder: string;
  readonly until: Date;
}

/** A newer release has changed the database in a way that this one can't work with. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/** Milliseconds a replica holds the lock without renewing it, and between two attempts to take it. */
const lockFor = 30_000;
const retryEvery = 250;

const changesOf = (db: Db): Collection<ChangeRecord> => db.collection('schemaChanges');
const locksOf = (db: Db): Collection<LockRecord> => db.collection('locks');

/**
 * Migrates a database: makes the missing changes in order, one replica at a time, starting from an empty database too.
 * An interrupted change is run again from the start.
 *
 * @returns names of the changes that this call made
 * @throws SchemaTooNewError if a newer release has made a breaking change
 */
export async function applySchemaChanges(context: ServiceContext, changes: readonly SchemaChange[]): Promise<string[]> {
  changes.forEach(({ number, name }, index) => {
    if (number !== index + 1)
      throw new Error(`The schema change '${name}' has number ${number} but must have ${index + 1}`);
  });
  const { db, stopping } = context;
  await refuseNewer(db, changes.length);
  if (await isComplete(db, changes)) return [];
  const holder = randomUUID();
  while (!(await takeLock(db, holder))) {
    await delay(retryEvery, undefined, { signal: stopping });
    if (await isComplete(db, changes)) return [];
  }
  const renewal = setInterval(() => {
    takeLock(db, holder).catch((error: unknown) =>
      context.log.warn({ reason: (error as Error).message }, 'schema lock could not be renewed'),
    );
  }, lockFor / 3);
  const made: string[] = [];
  try {
    for (const change of changes) if (await make(context, change)) made.push(change.name);
  } finally {
    clearInterval(renewal);
    await locksOf(db).deleteOne({ _id: 'schema', holder });
  }
  return made;
}

/**
 * Drops the indexes that schema changes name, once per change. Safe in several replicas.
 *
 * @param plans - the indexes of this release, which stay
 */
export async function dropStaleIndexes(
  { db, log }: Pick<ServiceContext, 'db' | 'log'>,
  changes: readonly SchemaChange[],
  plans: readonly IndexPlan[],
): Promise<void> {
  for (const { number, dropsIndexes } of changes) {
    if (!dropsIndexes) continue;
    const done = await changesOf(db).findOne({ _id: number, indexesDroppedAt: { $exists: true } });
    if (done) continue;
    const indexes = await dropIndexes(db, dropsIndexes, plans);
    await changesOf(db).updateOne({ _id: number }, { $set: { indexesDroppedAt: new Date() } });
    if (indexes.length > 0) log.info({ number, indexes }, 'stale indexes dropped');
  }
}

async function make(context: ServiceContext, { number, name, up, breaking }: SchemaChange): Promise<boolean> {
  const { db, log, settings, stopping } = context;
  const done = await changesOf(db).findOne({ _id: number });
  if (done?.finishedAt) return false;
  stopping.throwIfAborted();
  await changesOf(db).updateOne(
    { _id: number },
    {
      $set: {
        name,
        breaking: breaking === true,
        startedAt: new Date(),
        release: settings.SERVICE_VERSION ?? 'unknown',
      },
    },
    { upsert: true },
  );
  const began = performance.now();
  await up(context);
  await changesOf(db).updateOne({ _id: number }, { $set: { finishedAt: new Date() } });
  log.info(
    { number, name, milliseconds: Math.round(performance.now() - began), resumed: done !== null },
    'schema change made',
  );
  return true;
}

async function isComplete(db: Db, changes: readonly SchemaChange[]): Promise<boolean> {
  const finished = await changesOf(db).countDocuments({ _id: { $lte: changes.length }, finishedAt: { $exists: true } });
  return finished === changes.length;
}

async function refuseNewer(db: Db, known: number): Promise<void> {
  const newer = await changesOf(db).findOne({ _id: { $gt: known }, breaking: true });
  if (!newer) return;
  throw new SchemaTooNewError(
    `The database ${db.databaseName} was changed by release ${newer.release} ('${newer.name}'), which this older release can't work with. Start that release or a later one, or restore the backup from before.`,
  );
}

/** Takes or renews the lock; the lock of a replica that died expires. */
async function takeLock(db: Db, holder: string): Promise<boolean> {
  const now = new Date();
  try {
    const { matchedCount, upsertedCount } = await locksOf(db).updateOne(
      { _id: 'schema', $or: [{ holder }, { until: { $lt: now } }] },
      { $set: { holder, until: new Date(now.getTime() + lockFor) } },
      { upsert: true },
    );
    return matchedCount + upsertedCount > 0;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
