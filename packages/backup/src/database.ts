import { createRequire } from 'node:module';
import { MongoClient, MongoServerError, MongoServerSelectionError, type Document } from 'mongodb';
import { BackupError } from './errors.ts';
import { withoutSecrets, type Settings } from './settings.ts';

/** The server's own databases. */
const ownDatabases: ReadonlySet<string> = new Set(['admin', 'config', 'local']);

/** Collection that marks a restore in progress, in each database. */
export const restoreMark = 'restore_in_progress';

/** A server to back up or restore to. */
export interface Database {
  readonly client: MongoClient;
  readonly version: string;
  /** Whether it is the clinic's embedded database. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** Time to find a server, in milliseconds. */
const patience = 10_000;
/** Time a known server may take to respond, in milliseconds: it may be busy with a large collection. */
const silence = 60_000;

/**
 * @param forWriting read from the primary whatever the address prefers, so that reads see what was just written
 * @throws BackupError if the server can't be reached or rejects the user
 */
export async function connect(settings: Settings, forWriting = false): Promise<Database> {
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(settings.uri, {
      appName: 'clinic-backup',
      serverSelectionTimeoutMS: patience,
      connectTimeoutMS: silence,
      maxPoolSize: 4,
      ...(settings.auth && { auth: settings.auth }),
      ...(forWriting && { readPreference: 'primary' }),
    });
    await client.connect();
    const { version, modules } = await client.db('admin').command({ buildInfo: 1 });
    const opened = client;
    return {
      client,
      version: String(version),
      embedded: Array.isArray(modules) && modules.includes('embedded'),
      close: () => opened.close(),
    };
  } catch (error) {
    await client?.close();
    throw asBackupError(error, settings, 'opening the database');
  }
}

const AUTHENTICATION_FAILED = 18;
const UNAUTHORIZED = 13;

/** Turns an error into a message for the operator, without passwords. */
export function asBackupError(error: unknown, settings: Settings, doing: string): Error {
  if (error instanceof BackupError || !(error instanceof Error))
    return error instanceof Error ? error : new BackupError(String(error));
  const message = withoutSecrets(error.message, settings);
  const at = hostsOf(settings.uri);
  if (error instanceof MongoServerSelectionError)
    return new BackupError(`no database responds at ${at} (${message}); is it running, and is MONGODB_URI right?`, {
      cause: error,
    });
  if (error instanceof MongoServerError && error.code === AUTHENTICATION_FAILED)
    return new BackupError(`the database at ${at} rejects MONGODB_USER with this password`, { cause: error });
  if (error instanceof MongoServerError && error.code === UNAUTHORIZED) {
    return new BackupError(
      `${doing}: the database at ${at} does not allow this user to do that (${message}); a backup needs the role backup, a restore readWriteAnyDatabase and restore, all on admin`,
      { cause: error },
    );
  }
  return new BackupError(`${doing}: ${message}`, { cause: error });
}

/** The hosts of an address, without user and password. */
function hostsOf(uri: string): string {
  return uri.replace(/^[^/]+:\/\/(?:[^@/]*@)?/, '').replace(/[/?].*$/, '');
}

/** The clinic's databases: all that the user can read, except the server's own. */
export async function databasesOf({ client }: Database): Promise<string[]> {
  const { databases } = await client
    .db('admin')
    .command({ listDatabases: 1, nameOnly: true, authorizedDatabases: true });
  return (databases as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !ownDatabases.has(name))
    .toSorted();
}

/** Names of a database's collections, without the server's own. */
export async function collectionsOf({ client }: Database, db: string): Promise<string[]> {
  const all = await client.db(db).listCollections({}, { nameOnly: true }).toArray();
  return all
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .toSorted();
}

interface DriverCommands {
  makeDocumentSequence(field: string, documents: readonly Document[], serialized: readonly Uint8Array[]): Document;
}

/**
 * The driver's own way to send documents that are already BSON. Parsing and serialising them wouldn't keep every byte:
 * JavaScript moves numeric field names to the front. It isn't public API, which is why the driver's version is pinned.
 */
const driver = createRequire(import.meta.url)('mongodb/lib/cmap/commands.js') as DriverCommands;

/**
 * Inserts documents byte for byte, in order.
 *
 * @param unvalidated bypass the collection's validator, as records may be older; needs a privilege beyond write access
 * @throws BackupError if the server accepted only some
 */
export async function insertRaw(
  { client }: Database,
  db: string,
  collection: string,
  documents: readonly Buffer[],
  unvalidated = false,
): Promise<void> {
  const answer = await client.db(db).command({
    insert: collection,
    ordered: true,
    ...(unvalidated && { bypassDocumentValidation: true }),
    writeConcern: { w: 'majority' },
    documents: driver.makeDocumentSequence(
      'documents',
      documents.map(() => ({})),
      documents,
    ),
  });
  const [failed] = (answer['writeErrors'] ?? []) as { errmsg: string }[];
  if (failed || answer['n'] !== documents.length)
    throw new BackupError(
      `${db}.${collection} accepted only ${String(answer['n'])} of ${documents.length} documents: ${failed?.errmsg ?? 'the server gave no reason'}`,
    );
}
