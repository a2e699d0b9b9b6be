import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Engine } from '../commands/command.ts';
import { Store } from '../storage/store.ts';
import { Batch, rootMessage } from './batch.ts';
import { serve } from './connection.ts';
import { openDataDirectory } from './data-directory.ts';
import { createEngine, recover } from './engine.ts';
import { deleteExpired, EXPIRE_EVERY_MS } from '../storage/expiry.ts';
import { Purge } from '../storage/purge.ts';

/** Options of {@link startServer}. */
export interface ServerOptions {
  /** Data directory; by default everything is in memory, and gone on close. */
  dataDir?: string | undefined;
  /** 0 for any free port. */
  port: number;
  /** A loopback address; others are rejected without `privateNetwork`, because there is no authentication. */
  host?: string;
  /**
   * The address is in a network that only the clinic's own programs can reach: anyone in it can read and write
   * everything.
   */
  privateNetwork?: boolean;
  /** `host:port` advertised to clients on that network; default: the address it listens on. */
  advertised?: string | undefined;
  /** Name of the replica set that the server claims to be. */
  replicaSet?: string;
  /** Milliseconds to keep replies to retryable writes, and the changes of watched databases; default two minutes. */
  keepAnswersMs?: number | undefined;
  /** Milliseconds between searches for documents that TTL indexes expire; default one minute, as in MongoDB. */
  expireEveryMs?: number | undefined;
  /**
   * For tests: rejects each query with a `comment`, by which those of a service's requests are known, that has a filter
   * or an order but no index. These are still allowed, such as `users by email, _id` or `users in the order of name`.
   */
  scannable?: Iterable<string> | undefined;
}

/** A running server. */
export interface RunningServer {
  /** For `new MongoClient(uri)`. */
  uri: string;
  port: number;
  /**
   * Stops at once: closes connections and aborts open transactions. Everything acknowledged is on disk, if there
   * is a data directory.
   */
  close(): Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const REAP_EVERY_MS = 5_000;
const PURGE_EVERY_MS = 500;

/**
 * Starts the embedded database.
 * @returns once it accepts connections
 * @throws DataDirectoryError if the directory is in use by another process or damaged
 */
export async function startServer({
  dataDir,
  port,
  host = '127.0.0.1',
  replicaSet = 'rs0',
  privateNetwork = false,
  advertised,
  keepAnswersMs,
  expireEveryMs = EXPIRE_EVERY_MS,
  scannable,
}: ServerOptions): Promise<RunningServer> {
  if (!LOOPBACK.has(host) && !privateNetwork)
    throw new Error(
      `the embedded database has no authentication and listens on loopback only, not on ${host} (MONGO_EMBEDDED_PRIVATE_NETWORK=true says that only the clinic reaches it)`,
    );
  const directory = dataDir === undefined ? undefined : openDataDirectory(dataDir);
  const store = directory?.store ?? new Store(':memory:');
  const closeStore = (): void => (directory ?? store).close();
  if (scannable) store.scannable = new Set(scannable);
  const engine = createEngine(store, replicaSet, keepAnswersMs);
  const batch = new Batch(engine, (error) => {
    process.stderr.write(`${JSON.stringify({ msg: 'storage failure', error: rootMessage(error) })}\n`);
    recover(engine);
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, batch);
  });
  try {
    await listen(server, port, host);
  } catch (error) {
    closeStore();
    throw error;
  }
  const actualPort = (server.address() as AddressInfo).port;
  const shownHost = host === '::1' ? '[::1]' : host;
  engine.address = advertised ?? `${shownHost}:${actualPort}`;
  const upkeep = startUpkeep(engine, batch, directory?.store, expireEveryMs);
  return {
    uri: `mongodb://${engine.address}/?replicaSet=${replicaSet}`,
    port: actualPort,
    close: async () => {
      upkeep.stop();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      batch.close();
      engine.sessions.abortAll();
      upkeep.finishPurge();
      closeStore();
    },
  };
}

/** Releases what is no longer read, deletes expired documents, and purges deleted data from files. */
function startUpkeep(engine: Engine, batch: Batch, files: Store | undefined, expireEveryMs: number) {
  const reaper = setInterval(
    () =>
      batch.maintain(() => {
        engine.sessions.reap();
        engine.snapshots.reap();
        engine.cursors.reap();
        engine.changes.reap();
      }),
    REAP_EVERY_MS,
  );
  const expirer = setInterval(
    () =>
      batch.maintain(() => {
        deleteExpired(engine, Date.now());
        engine.store.commit();
      }),
    expireEveryMs,
  );
  const purge =
    files &&
    new Purge(files, (error) => {
      process.stderr.write(
        `${JSON.stringify({ msg: 'purge of deleted data failed, will retry', error: rootMessage(error) })}\n`,
      );
    });
  const timers = [reaper, expirer, ...(purge ? [setInterval(() => purge.run(), PURGE_EVERY_MS)] : [])];
  for (const timer of timers) timer.unref();
  return {
    stop: () => timers.forEach((timer) => clearInterval(timer)),
    /** Finishes the purge. */
    finishPurge: () => purge?.finish(),
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
