import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../commands/command.ts';
import { Cursors } from '../query/cursors.ts';
import { Catalogue } from '../storage/catalogue.ts';
import { Sessions } from '../storage/sessions.ts';
import type { Store } from '../storage/store.ts';
import { Transactions } from '../storage/transactions.ts';
import { Writer } from '../storage/writer.ts';
import { Batch } from './batch.ts';
import { serve } from './connection.ts';
import { openDataDirectory } from './data-directory.ts';

/** What {@link startServer} can be told. */
export interface ServerOptions {
  /** Where the data lives; without it a temporary folder that is removed on close. */
  dataDir?: string | undefined;
  /** 0 for any free port. */
  port: number;
  /** A loopback address; nothing else is accepted, as there is no authentication. */
  host?: string;
  /** Name of the replica set that the server presents itself as. */
  replicaSet?: string;
}

/** A running server. */
export interface RunningServer {
  /** For `new MongoClient(uri)`. */
  uri: string;
  port: number;
  /** Stops at once: connections are closed, open transactions aborted, everything acknowledged is on disk. */
  close(): Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const REAP_EVERY_MS = 5_000;

function createEngine(store: Store, replicaSet: string): Engine {
  const catalogue = new Catalogue(store);
  const transactions = new Transactions();
  return {
    store, catalogue, transactions, replicaSet,
    writer: new Writer(store, catalogue, transactions),
    sessions: new Sessions(store, transactions),
    cursors: new Cursors(),
    address: '',
  };
}

/**
 * Starts the embedded database.
 * @returns once it accepts connections
 * @throws DataDirectoryError when the directory is held by another process or damaged
 */
export async function startServer({ dataDir, port, host = '127.0.0.1', replicaSet = 'rs0' }: ServerOptions): Promise<RunningServer> {
  if (!LOOPBACK.has(host)) throw new Error(`the embedded database has no authentication and listens on loopback only, not on ${host}`);
  const path = dataDir ?? mkdtempSync(join(tmpdir(), 'mongo-embedded-'));
  const directory = openDataDirectory(path);
  const engine = createEngine(directory.store, replicaSet);
  const batch = new Batch(engine, (error) => recover(engine, error));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, batch);
  });
  try {
    await listen(server, port, host);
  } catch (error) {
    directory.close();
    if (dataDir === undefined) rmSync(path, { recursive: true, force: true });
    throw error;
  }
  const actualPort = (server.address() as AddressInfo).port;
  const shownHost = host === '::1' ? '[::1]' : host;
  engine.address = `${shownHost}:${actualPort}`;
  const reaper = setInterval(() => {
    engine.sessions.reap();
    engine.cursors.reap();
  }, REAP_EVERY_MS);
  reaper.unref();
  return {
    uri: `mongodb://${engine.address}/?replicaSet=${replicaSet}`,
    port: actualPort,
    close: async () => {
      clearInterval(reaper);
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      engine.sessions.abortAll();
      directory.close();
      if (dataDir === undefined) rmSync(path, { recursive: true, force: true });
    },
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

/** After a storage transaction failed: what memory knows beyond the disk is forgotten, open transactions among it. */
function recover({ store, catalogue, sessions, cursors }: Engine, error: unknown): void {
  process.stderr.write(`${JSON.stringify({ msg: 'storage failure', error: error instanceof Error ? error.stack : String(error) })}\n`);
  store.rollback();
  sessions.reset();
  cursors.killWhere(() => true);
  catalogue.reload();
}
