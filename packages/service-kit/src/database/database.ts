import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient, type Auth, type ClientSession, type IndexDescription } from 'mongodb';
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
  idempotency: [
    { key: { createdAt: 1 }, name: 'age' },
    { key: { names: 1 }, name: 'by_name' },
  ],
  looks: [
    { key: { whose: 1, at: -1, _id: -1 }, name: 'by_person' },
    { key: { at: 1 }, name: 'age' },
    { key: { 'by.id': 1 }, name: 'by_reader' },
  ],
  // Creating an index creates the collection, too: not every database can do that in a transaction.
  knownAccounts: [
    { key: { pending: 1 }, name: 'pending', partialFilterExpression: { pending: { $exists: true } } },
    { key: { 'held.email': 1 }, name: 'held_address' },
  ],
  contacts: [{ key: { accountId: 1 }, name: 'account' }],
  persons: [{ key: { erasedAt: 1 }, name: 'erased' }],
  erasures: [
    { key: { doneAt: 1 }, name: 'done' },
    { key: { 'local.email': 1 }, name: 'local', partialFilterExpression: { 'local.email': { $exists: true } } },
  ],
};

export interface ClientOptions {
  readonly auth?: Auth;
  /** Emits command events, at the cost of parsing every response twice. */
  readonly monitorCommands?: boolean;
  /**
   * Milliseconds a single command may take; a server that hangs is noticed sooner. 0 for no limit, e.g. to build an
   * index.
   */
  readonly commandLimitMs?: number;
}

/** Options of an address that would weaken the services' promises; in lower case, as MongoDB ignores case. */
const pinnedOptions = new Set([
  'readpreference',
  'readpreferencetags',
  'maxstalenessseconds',
  'readconcernlevel',
  'w',
  'journal',
  'wtimeoutms',
  'wtimeout',
  'retryreads',
  'retrywrites',
]);

/**
 * Removes the options that an address may not set. With `readPreference=secondaryPreferred`, for
 * example, a service could miss what it has just written.
 *
 * @returns the address without them, and the names of those that were removed
 */
export function withoutPinnedOptions(uri: string): { readonly uri: string; readonly ignored: readonly string[] } {
  const start = uri.indexOf('?');
  if (start === -1) return { uri, ignored: [] };
  const options = uri.slice(start + 1).split('&');
  const nameOf = (option: string): string => option.split('=', 1)[0] ?? '';
  const isPinned = (option: string): boolean => pinnedOptions.has(nameOf(option).toLowerCase());
  const kept = options.filter((option) => !isPinned(option));
  const address = uri.slice(0, start);
  return {
    uri: kept.length > 0 ? `${address}?${kept.join('&')}` : address,
    ignored: options.filter(isPinned).map(nameOf),
  };
}

/**
 * A client that reads from the primary what a majority has, writes to a majority, and notices within five seconds that
 * a server hangs: a heartbeat every two seconds, which may take three. The driver then ends the commands in flight.
 * (Its `timeoutMS` has no effect in 7.8.) Finding another server takes three seconds at most, so that a request ends
 * within eight.
 */
export function createClient(
  uri: string,
  serviceName: string,
  { auth, monitorCommands = false, commandLimitMs = 30_000 }: ClientOptions = {},
): MongoClient {
  return new MongoClient(withoutPinnedOptions(uri).uri, {
    appName: serviceName,
    // Absent rather than false: the URI may turn it on.
    ...(monitorCommands && { monitorCommands }),
    ...(auth && { auth }),
    heartbeatFrequencyMS: 2_000,
    serverSelectionTimeoutMS: 3_000,
    connectTimeoutMS: 3_000,
    socketTimeoutMS: commandLimitMs,
    waitQueueTimeoutMS: 3_000,
    maxPoolSize: 50,
    maxIdleTimeMS: 60_000,
    retryReads: true,
    retryWrites: true,
    readPreference: 'primary',
    readConcern: { level: 'majority' },
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
      log.warn({ tries, reason: (error as Error).message }, 'database not responding yet, will retry');
      await delay(500, undefined, { signal: stop });
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
