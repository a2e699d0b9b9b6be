import type { Readable } from 'node:stream';
import type { Document } from 'mongodb';
import { occupied, writeAccounts, type AccountsFile } from './accounts.ts';
import { ContentDigest } from './content-digest.ts';
import { asBackupError, collectionsOf, connect, insertRaw, restoreMark, type Database } from './database.ts';
import { BackupError } from './errors.ts';
import { openInput, type Input } from './input.ts';
import { namespaceOf, type CollectionEntry, type Manifest } from './manifest.ts';
import { describeDatabase, isSameDescription } from './point-in-time.ts';
import type { Settings } from './settings.ts';
import { readBackup, type Described } from './verify.ts';

/** Options of {@link restore}. */
export interface RestoreOptions {
  readonly settings: Settings;
  /** A file, or a stream. */
  readonly source: string | Readable;
  /** age identities, for an encrypted backup. */
  readonly identities?: readonly string[];
  /** Delete the current content of the backup's databases and accounts. */
  readonly replace?: boolean;
  /** Collections, as `db.name`, that are created with their indexes but left empty. */
  readonly without?: readonly string[];
  /** Aborts the restore; the next run starts over. */
  readonly signal?: AbortSignal;
  /** Receives progress messages. */
  readonly say?: (text: string) => void;
}

/**
 * Restores a backup to an empty system: the whole file is verified before anything is written, and everything written
 * is read back and compared. Each database is marked until that is done; an interrupted restore can be run again and
 * starts over.
 *
 * @throws BackupError if the file is invalid, the system isn't empty, or the written data differs from the file
 */
export async function restore({
  settings,
  source,
  identities,
  replace = false,
  without = [],
  signal,
  say = () => {},
}: RestoreOptions): Promise<Manifest> {
  const input = await openInput(source, identities);
  try {
    say(`checking ${input.name} …`);
    const manifest = await readBackup(input);
    const unknown = without.find((name) => !manifest.collections.some((entry) => namespaceOf(entry) === name));
    if (unknown !== undefined) throw new BackupError(`the backup has no collection ${unknown} to leave out`);
    const database = await connect(settings, true);
    try {
      const accounts = await accountsTarget(settings, manifest, replace);
      await checkEmpty(database, manifest, replace);
      await mark(database, manifest);
      signal?.throwIfAborted();
      await clear(database, manifest.databases);
      const files = await write(input, database, without, signal, say);
      if (accounts !== undefined) for (const file of files) await writeAccounts(accounts, file);
      else if (files.length > 0)
        say('the backup also has sign-in accounts, which were left out: set ACCOUNTS_DIR to restore them');
      for (const db of manifest.databases) await database.client.db(db).collection(restoreMark).drop();
      return manifest;
    } catch (error) {
      throw signal?.aborted ? error : asBackupError(error, settings, 'the restore is not complete, run it again');
    } finally {
      await database.close();
    }
  } finally {
    await input.close();
  }
}

/** Writes the collections and compares each with the backup. @returns the backup's accounts, which it doesn't write */
async function write(
  input: Input,
  database: Database,
  without: readonly string[],
  signal: AbortSignal | undefined,
  say: (text: string) => void,
): Promise<AccountsFile[]> {
  const files: AccountsFile[] = [];
  let open: Described | undefined;
  await readBackup(input, {
    async collection(described) {
      signal?.throwIfAborted();
      open = described;
      await database.client
        .db(described.db)
        .command({ create: described.name, ...described.options, writeConcern: { w: 'majority' } });
      // The embedded database has one thread: indexing many documents at once would block everyone else.
      if (database.embedded) await buildIndexes(database, described, false);
    },
    async documents(documents) {
      signal?.throwIfAborted();
      if (open && !without.includes(namespaceOf(open)))
        await insertRaw(database, open.db, open.name, documents, open.options['validator'] !== undefined);
    },
    async collectionEnd(entry) {
      if (!open) return;
      // MongoDB builds indexes faster once all documents are there.
      if (!database.embedded) await buildIndexes(database, open, false);
      const written = without.includes(namespaceOf(open)) ? { ...entry, ...new ContentDigest().content() } : entry;
      await compareContent(database, written);
      // From now on the server purges what has expired since the backup.
      await buildIndexes(database, open, true);
      await compareDescription(database, open);
      say(`${namespaceOf(entry)}: ${written.count.toLocaleString('en')} documents`);
    },
    async accounts(name, content) {
      files.push({ name, content: Buffer.from(content) });
    },
  });
  return files;
}

/** Folder for the accounts, if the backup has some and the folder is set. */
async function accountsTarget(
  { accountsDir }: Settings,
  manifest: Manifest,
  replace: boolean,
): Promise<string | undefined> {
  if (accountsDir === undefined || manifest.accounts.length === 0) return undefined;
  const there = await occupied(
    accountsDir,
    manifest.accounts.map(({ name }) => name),
  );
  if (there.length > 0 && !replace)
    throw new BackupError(`${accountsDir} has accounts already (${there.join(', ')}), which ${replaceHint}`);
  return accountsDir;
}

const replaceHint =
  'a restore would delete: choose an empty system, or use --replace, which deletes all collections of the databases in the backup and these accounts first';

/** @throws BackupError if a database has documents that don't come from an interrupted restore */
async function checkEmpty(database: Database, { databases }: Manifest, replace: boolean): Promise<void> {
  if (replace) return;
  const filled: string[] = [];
  for (const db of databases) {
    const names = await collectionsOf(database, db);
    // A restore only starts in an empty system or with --replace, so it wrote whatever is here.
    if (names.includes(restoreMark)) continue;
    for (const name of names)
      if (
        await database.client
          .db(db)
          .collection(name)
          .findOne({}, { projection: { _id: 1 } })
      )
        filled.push(`${db}.${name}`);
  }
  if (filled.length === 0) return;
  const shown =
    filled.length > 5 ? `${filled.slice(0, 5).join(', ')} and ${filled.length - 5} more` : filled.join(', ');
  throw new BackupError(`the system is not empty: there are documents in ${shown}, which ${replaceHint}`);
}

/** Marks each database as incomplete before anything is deleted or written. */
async function mark({ client }: Database, { databases, madeAt }: Manifest): Promise<void> {
  for (const db of databases) {
    const marks = client.db(db).collection<Document & { _id: string }>(restoreMark);
    await marks.updateOne(
      { _id: 'restore' },
      { $set: { backupOf: madeAt, begunAt: new Date() } },
      { upsert: true, writeConcern: { w: 'majority' } },
    );
  }
}

async function clear(database: Database, databases: readonly string[]): Promise<void> {
  for (const db of databases) {
    for (const name of await collectionsOf(database, db))
      if (name !== restoreMark) await database.client.db(db).collection(name).drop();
  }
}

/**
 * Recreates the indexes by which the server purges expired documents, or all others.
 *
 * @throws Error if documents violate one, e.g. a unique index
 */
async function buildIndexes({ client }: Database, { db, name, indexes }: Described, purging: boolean): Promise<void> {
  const others = indexes.filter(
    (index) =>
      (index['expireAfterSeconds'] !== undefined) === purging &&
      // Created with the collection.
      String(index['name']) !== '_id_' &&
      !index['clustered'],
  );
  if (others.length > 0)
    await client.db(db).command({ createIndexes: name, indexes: others, writeConcern: { w: 'majority' } });
}

/** Reads back the documents and compares them. */
async function compareContent(database: Database, entry: CollectionEntry): Promise<void> {
  const digest = new ContentDigest();
  // With `raw`, the documents are bytes, whatever their type says.
  for await (const document of database.client
    .db(entry.db)
    .collection(entry.name)
    .find({}, { raw: true, batchSize: 1000 }) as AsyncIterable<unknown>)
    digest.add(document as Buffer);
  const { count, sum } = digest.content();
  if (count !== entry.count || sum !== entry.sum) {
    throw new BackupError(
      `${namespaceOf(entry)} differs from what was written: ${count.toLocaleString('en')} documents instead of ${entry.count.toLocaleString('en')}${count === entry.count ? ', with different content' : ''}. Are services running? Stop them, and run it again`,
    );
  }
}

/** Compares options and indexes. */
async function compareDescription(database: Database, described: Described): Promise<void> {
  const is = (await describeDatabase(database, described.db)).find(({ name }) => name === described.name);
  if (!is || !isSameDescription(is, described))
    throw new BackupError(
      `${namespaceOf(described)} has different options or indexes than in the backup: this server doesn't support them`,
    );
}
