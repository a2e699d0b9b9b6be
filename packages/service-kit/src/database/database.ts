import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient, type Auth, type ClientSession, type Db, type IndexDescription } from 'mongodb';
import { isDatabaseUnavailable, unavailable } from '../http/error-mapping.ts';
import type { Logger } from '../observability/log.ts';

/** The indexes of each collection. */
export type IndexPlan = Readonly<Record<string, readonly IndexDescription[]>>;

/** Time limit of a transaction including its retries, milliseconds. */
const transactionLimit = 10_000;

/** Indexes of the kit's own collections. */
export const kitIndexes: IndexPlan = {
  events: [
    { key: { 'record.type': 1, 'record.id': 1, at: -1, _id: -1 }, name: 'record_history' },
    { key: { at: 1 }, name: 'latest' },
    { key: { at: -1, _id: -1 }, name: 'newest' },
    { key: { people: 1, at: -1, _id: -1 }, name: 'by_person' },
    { key: { 'actor.id': 1, at: -1, _id: -1 }, name: 'by_actor' },
    { key: { accounts: 1, at: -1, _id: -1 }, name: 'by_account' },
    { key: { 'record.id': 1, at: -1, _id: -1 }, name: 'by_record' },
    { key: { action: 1, at: -1, _id: -1 }, name: 'by_action' },
  ],
  idempotency: [{ key: { createdAt: 1 }, name: 'age' }],
  looks: [
    { key: { whose: 1, at: -1, _id: -1 }, name: 'by_person' },
    { key: { at: 1 }, name: 'age' },
    { key: { 'by.id': 1 }, name: 'by_reader' },
  ],
  // Creating an index creates the collection, too: not every database can do that in a transaction.
  contacts: [{ key: { accountId: 1 }, name: 'account' }],
  persons: [{ key: { erasedAt: 1 }, name: 'erased' }],
};

export interface ClientOptions {
  readonly auth?: Auth;
  /** Emits command events, at the cost of parsing every response twice. */
  readonly monitorCommands?: boolean;
}

/** A client with short time limits, so that requests don't pile up: a database that doesn't respond costs a request three seconds. */
export function createClient(
  uri: string,
  serviceName: string,
  { auth, monitorCommands = false }: ClientOptions = {},
): MongoClient {
  return new MongoClient(uri, {
    appName: serviceName,
    // Left out unless requested, so that the URI can set it.
    ...(monitorCommands && { monitorCommands }),
    ...(auth && { auth }),
    serverSelectionTimeoutMS: 3_000,
    connectTimeoutMS: 3_000,
    socketTimeoutMS: 30_000,
    waitQueueTimeoutMS: 3_000,
    maxPoolSize: 50,
    maxIdleTimeMS: 60_000,
    retryReads: true,
    retryWrites: true,
    writeConcern: { w: 'majority' },
  });
}

/** Waits until the database responds, and logs while it doesn't. */
export async function waitForDatabase(client: MongoClient, log: Logger, stop: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    stop.throwIfAborted();
    try {
      await client.connect();
      await client.db('admin').command({ ping: 1 });
      if (tries > 1) log.info({ tries }, 'database is up');
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      log.warn({ tries, reason: (error as Error).message }, 'database does not answer yet, will retry');
      await delay(500, undefined, { signal: stop });
    }
  }
}

/** Creates missing indexes. @throws Error naming the collection, if the database rejects one */
export async function ensureIndexes(db: Db, plans: readonly IndexPlan[]): Promise<void> {
  for (const [collection, indexes] of plans.flatMap((plan) => Object.entries(plan))) {
    if (indexes.length === 0) continue;
    try {
      await db.collection(collection).createIndexes([...indexes]);
    } catch (error) {
      throw new Error(`the indexes of collection ${collection} could not be created: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
}

/** See {@link import('../context.ts').ServiceContext.inTransaction}. */
export async function runTransaction<T>(client: MongoClient, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const deadline = Date.now() + transactionLimit;
  // The driver alone would retry for two minutes; no visitor waits that long.
  return client.withSession((session) =>
    session.withTransaction(
      async () => {
        if (Date.now() > deadline) throw unavailable('Other people are changing this too. Try again.');
        return work(session);
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' }, readPreference: 'primary' },
    ),
  );
}
