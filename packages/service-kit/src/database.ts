import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient, type Auth, type ClientSession, type Db, type IndexDescription } from 'mongodb';
import { isDatabaseAway, unavailable } from './error-mapping.ts';
import type { Logger } from './log.ts';

/** The indexes of each collection. */
export type IndexPlan = Readonly<Record<string, readonly IndexDescription[]>>;

/** How long one transaction with its repeats may take, milliseconds. */
const transactionLimit = 10_000;

/** Indexes of the collections that the kit itself keeps. */
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
  // The collections of both are made with their indexes: not every database lets a transaction do that.
  contacts: [{ key: { accountId: 1 }, name: 'account' }],
  persons: [{ key: { erasedAt: 1 }, name: 'erased' }],
};

export interface ClientOptions {
  readonly auth?: Auth;
  /** Whether the client tells of each command, which costs reading every answer twice. */
  readonly monitorCommands?: boolean;
}

/**
 * A client that gives up soon instead of piling requests up: a database that doesn't answer costs a request three seconds.
 */
export function createClient(uri: string, serviceName: string, { auth, monitorCommands = false }: ClientOptions = {}): MongoClient {
  return new MongoClient(uri, {
    appName: serviceName,
    // Left to the address where it isn't asked for.
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

/** Waits until the database answers, and says so while it doesn't. */
export async function waitForDatabase(client: MongoClient, log: Logger, stop: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    stop.throwIfAborted();
    try {
      await client.connect();
      await client.db('admin').command({ ping: 1 });
      if (tries > 1) log.info({ tries }, 'database is up');
      return;
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      log.warn({ tries, reason: (error as Error).message }, 'database does not answer yet, trying again');
      await delay(500, undefined, { signal: stop });
    }
  }
}

/** Creates what is missing of the indexes. @throws Error naming the collection, when the database refuses one */
export async function ensureIndexes(db: Db, plans: readonly IndexPlan[]): Promise<void> {
  for (const [collection, indexes] of plans.flatMap((plan) => Object.entries(plan))) {
    if (indexes.length === 0) continue;
    try {
      await db.collection(collection).createIndexes([...indexes]);
    } catch (error) {
      throw new Error(`the indexes of collection ${collection} could not be created: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** See {@link import('./context.ts').ServiceContext.inTransaction}. */
export async function runTransaction<T>(client: MongoClient, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const deadline = Date.now() + transactionLimit;
  // The driver itself would repeat for two minutes, which no visitor waits.
  return client.withSession((session) =>
    session.withTransaction(
      async () => {
        if (Date.now() > deadline) throw unavailable('Too many people are changing the same thing. Please try again.');
        return work(session);
      },
      { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' }, readPreference: 'primary' },
    ),
  );
}
