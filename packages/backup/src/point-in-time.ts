import {
  BSON,
  MongoCompatibilityError,
  MongoServerError,
  type ClientSession,
  type Document,
  type Timestamp,
} from 'mongodb';
import type { Database } from './database.ts';
import { restoreMark } from './database.ts';
import { BackupError } from './errors.ts';
import { decodeExactly } from './frames.ts';
import { namespaceOf } from './manifest.ts';
import type { Described } from './verify.ts';

/** A snapshot of all databases, readable while others write. */
export interface PointInTime {
  readonly time: Timestamp;
  readonly collections: readonly Described[];
  /** The documents of a collection, as raw bytes. */
  read(collection: Described): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/**
 * Error codes of servers without snapshots: IllegalOperation, InvalidOptions, CommandNotSupported, NotAReplicaSet,
 * SnapshotUnavailable.
 */
const noSnapshots: ReadonlySet<number> = new Set([20, 72, 115, 123, 246]);
/** How often to retry if collections or indexes change while a backup starts. */
const tries = 5;
const batchDocuments = 1000;

/**
 * Opens a snapshot of all databases: one snapshot session, in which all reads are as of the first one
 * (https://www.mongodb.com/docs/manual/reference/read-concern-snapshot/).
 *
 * @throws BackupError if the server has no snapshots: without a common point in time, the copies would be inconsistent
 */
export async function openPointInTime(database: Database, databases: readonly string[]): Promise<PointInTime> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await describe(database, databases);
    const first = before[0];
    if (!first)
      throw new BackupError(
        `there is nothing to back up: ${databases.length === 0 ? 'the server has no database' : `${databases.join(', ')} ${databases.length === 1 ? 'has' : 'have'} no collection`}`,
      );
    const session = database.client.startSession({ snapshot: true });
    try {
      const time = await begin(database, session, first);
      // Collections and indexes aren't part of a snapshot. If they are the same before and after it begins, they
      // match it.
      if (same(before, await describe(database, databases))) {
        return {
          time,
          collections: before,
          read: ({ db, name }) => read(database, session, db, name),
          close: () => session.endSession(),
        };
      }
    } catch (error) {
      await session.endSession();
      throw error;
    }
    await session.endSession();
    if (attempt === tries)
      throw new BackupError('collections or indexes keep changing (is a service just starting?): try again');
  }
}

async function begin({ client }: Database, session: ClientSession, { db, name }: Described): Promise<Timestamp> {
  try {
    await client.db(db).collection(name).findOne({}, { session, raw: true });
  } catch (error) {
    if (
      error instanceof MongoCompatibilityError ||
      (error instanceof MongoServerError && noSnapshots.has(Number(error.code)))
    ) {
      throw new BackupError(
        `this server can't read all databases at one point in time (${error.message}); a backup needs a replica set or sharded cluster of MongoDB 5 or later. mongodump can make one without that guarantee`,
        { cause: error },
      );
    }
    throw error;
  }
  const { snapshotTime } = session as unknown as { snapshotTime?: Timestamp };
  if (!snapshotTime)
    throw new BackupError(
      "the server doesn't report the time of its snapshot: leave readConcernLevel out of MONGODB_URI",
    );
  return snapshotTime;
}

const SNAPSHOT_TOO_OLD = 239;
const SNAPSHOT_UNAVAILABLE = 246;

async function* read(
  { client, embedded }: Database,
  session: ClientSession,
  db: string,
  name: string,
): AsyncGenerator<Buffer> {
  const cursor = client.db(db).collection(name).find({}, { session, raw: true, batchSize: batchDocuments });
  try {
    // With `raw`, the documents are bytes, whatever their type says.
    for await (const document of cursor as AsyncIterable<unknown>) yield document as Buffer;
  } catch (error) {
    if (
      !(error instanceof MongoServerError) ||
      (error.code !== SNAPSHOT_TOO_OLD && error.code !== SNAPSHOT_UNAVAILABLE)
    )
      throw error;
    const advice = embedded
      ? 'too much changed in the meantime, or a collection was dropped: try again when the system is less busy'
      : 'set the server parameter minSnapshotHistoryWindowInSeconds (300 by default) to longer than a backup takes';
    throw new BackupError(`the server dropped the snapshot before the backup was finished: ${advice}`, {
      cause: error,
    });
  } finally {
    await cursor.close();
  }
}

/**
 * Describes all collections of some databases.
 *
 * @throws BackupError for unsupported types, and for partly restored databases
 */
async function describe(database: Database, databases: readonly string[]): Promise<Described[]> {
  const described: Described[] = [];
  for (const db of databases) {
    const collections = await describeDatabase(database, db);
    if (collections.some(({ name }) => name === restoreMark))
      throw new BackupError(`${db} is being restored, or a restore was interrupted: finish that first`);
    described.push(...collections);
  }
  return described;
}

/** Collections of a database with their options and indexes. */
export async function describeDatabase({ client }: Database, db: string): Promise<Described[]> {
  const described: Described[] = [];
  const listed = (await client
    .db(db)
    .listCollections({}, { promoteValues: false, promoteLongs: false })
    .toArray()) as unknown as Document[];
  for (const info of listed.toSorted(byName)) {
    const name = String(info['name']);
    if (name.startsWith('system.')) continue;
    if (String(info['type']) !== 'collection')
      throw new BackupError(
        `${namespaceOf({ db, name })} is a ${String(info['type'])}, which this backup doesn't support: use mongodump`,
      );
    const indexes = (await client
      .db(db)
      .collection(name)
      .listIndexes({ promoteValues: false, promoteLongs: false })
      .toArray()) as unknown as Document[];
    described.push({ db, name, options: info['options'] as Document, indexes: indexes.map(withoutNamespace) });
  }
  return described;
}

/** Sorts by code units, which doesn't depend on the locale. */
function byName(a: Document, b: Document): number {
  return String(a['name']) < String(b['name']) ? -1 : 1;
}

/** Servers before MongoDB 4.4 include the collection's name in each index. */
function withoutNamespace(index: Document): Document {
  return Object.fromEntries(Object.entries(index).filter(([field]) => field !== 'ns'));
}

function same(a: readonly Described[], b: readonly Described[]): boolean {
  return Buffer.compare(BSON.serialize({ a }), BSON.serialize({ a: b })) === 0;
}

/** Encodes a collection's description for the file. */
export function encodeDescription(described: Described): Buffer {
  return Buffer.from(BSON.serialize(described as unknown as Document));
}

/** Whether two collections have the same options and, in any order, the same indexes. */
export function isSameDescription(a: Described, b: Described): boolean {
  return same([canonical(a)], [canonical(b)]);
}

function canonical(described: Described): Described {
  const { db, name, options, indexes } = decodeExactly(encodeDescription(described)) as Described;
  return { db, name, options, indexes: indexes.toSorted(byName) };
}
