import { createRequire } from 'node:module';
import { MongoClient, MongoServerError, MongoServerSelectionError, type Document } from 'mongodb';
import { BackupError } from './errors.ts';
import { withoutSecrets, type Settings } from './settings.ts';

/** Databases of the server itself. */
const ownDatabases: ReadonlySet<string> = new Set(['admin', 'config', 'local']);

/** Where a restore notes that it is under way, in each database. */
export const restoreMark = 'restore_in_progress';

/** A server to copy from or to. */
export interface Database {
  readonly client: MongoClient;
  readonly version: string;
  /** Whether it is the clinic's embedded engine. */
  readonly embedded: boolean;
  close(): Promise<void>;
}

/** How long a server may be looked for, milliseconds. */
const patience = 10_000;
/** How long one that is known may be silent, milliseconds: it may be busy with a large collection. */
const silence = 60_000;

/**
 * @param forWriting whether what is read must be what was just written, whatever replica the address prefers
 * @throws BackupError when the server can't be reached or refuses the user
 */
export async function connect(settings: Settings, forWriting = false): Promise<Database> {
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(settings.uri, {
      appName: 'clinic-backup', serverSelectionTimeoutMS: patience, connectTimeoutMS: silence, maxPoolSize: 4,
      ...(settings.auth && { auth: settings.auth }),
      ...(forWriting && { readPreference: 'primary' }),
    });
    await client.connect();
    const { version, modules } = await client.db('admin').command({ buildInfo: 1 });
    const opened = client;
    return { client, version: String(version), embedded: Array.isArray(modules) && modules.includes('embedded'), close: () => opened.close() };
  } catch (error) {
    await client?.close();
    throw asBackupError(error, settings, 'opening the database');
  }
}

const AUTHENTICATION_FAILED = 18;
const UNAUTHORIZED = 13;

/** What went wrong, for whoever started the command: in words, and without passwords. */
export function asBackupError(error: unknown, settings: Settings, doing: string): Error {
  if (error instanceof BackupError || !(error instanceof Error)) return error instanceof Error ? error : new BackupError(String(error));
  const message = withoutSecrets(error.message, settings);
  const at = hostsOf(settings.uri);
  if (error instanceof MongoServerSelectionError) return new BackupError(`no database answers at ${at} (${message}); is it running, and is MONGODB_URI right?`, { cause: error });
  if (error instanceof MongoServerError && error.code === AUTHENTICATION_FAILED) return new BackupError(`the database at ${at} refuses MONGODB_USER with this password`, { cause: error });
  if (error instanceof MongoServerError && error.code === UNAUTHORIZED) {
    return new BackupError(`${doing}: the database at ${at} does not allow this user that (${message}); a backup needs the role backup, a restore readWriteAnyDatabase and restore, all on admin`, { cause: error });
  }
  return new BackupError(`${doing}: ${message}`, { cause: error });
}

/** The servers of an address, without user and password. */
function hostsOf(uri: string): string {
  return uri.replace(/^[^/]+:\/\/(?:[^@/]*@)?/, '').replace(/[/?].*$/, '');
}

/** The clinic's databases: all that the user may read, but for the server's own. */
export async function databasesOf({ client }: Database): Promise<string[]> {
  const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true, authorizedDatabases: true });
  return (databases as { name: string }[]).map(({ name }) => name).filter((name) => !ownDatabases.has(name)).toSorted();
}

/** Names of a database's collections, without the server's own. */
export async function collectionsOf({ client }: Database, db: string): Promise<string[]> {
  const all = await client.db(db).listCollections({}, { nameOnly: true }).toArray();
  return all.map(({ name }) => name).filter((name) => !name.startsWith('system.')).toSorted();
}

interface DriverCommands {
  makeDocumentSequence(field: string, documents: readonly Document[], serialized: readonly Uint8Array[]): Document;
}

/**
 * The driver's own way to send documents that are BSON already. Taking them apart and together again would not keep every
 * byte: JavaScript puts fields named by numbers first. It is no public part of the driver, whose version is therefore exact.
 */
const driver = createRequire(import.meta.url)('mongodb/lib/cmap/commands.js') as DriverCommands;

/**
 * Inserts documents as they are, byte for byte, in their order.
 *
 * @param unvalidated records may be older than their collection's validator; needs a right that not everybody has who may write
 * @throws BackupError when the server took only some
 */
export async function insertRaw({ client }: Database, db: string, collection: string, documents: readonly Buffer[], unvalidated = false): Promise<void> {
  const answer = await client.db(db).command({
    insert: collection, ordered: true, ...(unvalidated && { bypassDocumentValidation: true }),
    writeConcern: { w: 'majority' },
    documents: driver.makeDocumentSequence('documents', documents.map(() => ({})), documents),
  });
  const [failed] = (answer['writeErrors'] ?? []) as { errmsg: string }[];
  if (failed || answer['n'] !== documents.length) throw new BackupError(`${db}.${collection} takes only ${String(answer['n'])} of ${documents.length} documents: ${failed?.errmsg ?? 'the server does not say why'}`);
}
