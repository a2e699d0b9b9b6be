import type { Readable } from 'node:stream';
import type { Document } from 'mongodb';
import { occupied, writeAccounts, type AccountsFile } from './accounts.ts';
import { ContentDigest } from './content-digest.ts';
import { asBackupError, collectionsOf, connect, insertRaw, restoreMark, type Database } from './database.ts';
import { BackupError } from './errors.ts';
import { openInput } from './input.ts';
import { namespaceOf, type CollectionEntry, type Manifest } from './manifest.ts';
import { describeDatabase, isSameDescription } from './point-in-time.ts';
import type { Settings } from './settings.ts';
import { readBackup, type Described } from './verify.ts';

/** What {@link restore} can be told. */
export interface RestoreOptions {
  readonly settings: Settings;
  /** A file, or a stream. */
  readonly source: string | Readable;
  /** Of age, for a backup that is encrypted. */
  readonly identities?: readonly string[];
  /** Delete what the databases and accounts of the backup hold now. */
  readonly replace?: boolean;
  /** Collections, as `db.name`, that are made with their indexes but left empty. */
  readonly without?: readonly string[];
  /** Breaks it off; run again, it begins anew. */
  readonly signal?: AbortSignal;
  /** Is told how it goes. */
  readonly say?: (text: string) => void;
}

/**
 * Writes a backup into an empty system: the whole file is read and compared before anything is written, and what was written
 * is read and compared afterwards. Until that is done each database is marked; a restore that was broken off can be run again
 * and begins anew.
 *
 * @throws BackupError when the file isn't right, the system isn't empty, or what was written isn't what is in the file
 */
export async function restore({ settings, source, identities, replace = false, without = [], signal, say = () => {} }: RestoreOptions): Promise<Manifest> {
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
      const files: AccountsFile[] = [];
      let open: Described | undefined;
      await readBackup(input, {
        async collection(described) {
          signal?.throwIfAborted();
          open = described;
          await database.client.db(described.db).command({ create: described.name, ...described.options, writeConcern: { w: 'majority' } });
          // Indexing many documents in one go would keep the embedded database, which has one thread, from answering anybody.
          if (database.embedded) await buildIndexes(database, described);
        },
        async documents(documents) {
          signal?.throwIfAborted();
          if (open && !without.includes(namespaceOf(open))) await insertRaw(database, open.db, open.name, documents, open.options['validator'] !== undefined);
        },
        async collectionEnd(entry) {
          if (!open) return;
          // MongoDB is faster with all documents there.
          if (!database.embedded) await buildIndexes(database, open);
          const written = without.includes(namespaceOf(open)) ? { ...entry, ...new ContentDigest().content() } : entry;
          await compare(database, open, written);
          say(`${namespaceOf(entry)}: ${written.count.toLocaleString('en')} documents`);
        },
        async accounts(name, content) {
          files.push({ name, content: Buffer.from(content) });
        },
      });
      if (accounts !== undefined) for (const file of files) await writeAccounts(accounts, file);
      else if (files.length > 0) say('the backup has sign-in accounts, too, which were left out: set ACCOUNTS_DIR to restore them');
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

/** Where the accounts go, if the backup has some and the settings say where. */
async function accountsTarget({ accountsDir }: Settings, manifest: Manifest, replace: boolean): Promise<string | undefined> {
  if (accountsDir === undefined || manifest.accounts.length === 0) return undefined;
  const there = await occupied(accountsDir, manifest.accounts.map(({ name }) => name));
  if (there.length > 0 && !replace) throw new BackupError(`${accountsDir} has accounts already (${there.join(', ')}), which ${replaceHint}`);
  return accountsDir;
}

const replaceHint = 'a restore would delete: choose an empty system, or say --replace, which deletes all collections of the databases in the backup and these accounts first';

/** @throws BackupError when a database has documents that no restore of ours began to write */
async function checkEmpty(database: Database, { databases }: Manifest, replace: boolean): Promise<void> {
  if (replace) return;
  const filled: string[] = [];
  for (const db of databases) {
    const names = await collectionsOf(database, db);
    // A restore begins only in an empty system or where it was told to replace: what is here is what it had written.
    if (names.includes(restoreMark)) continue;
    for (const name of names) if (await database.client.db(db).collection(name).findOne({}, { projection: { _id: 1 } })) filled.push(`${db}.${name}`);
  }
  if (filled.length === 0) return;
  const shown = filled.length > 5 ? `${filled.slice(0, 5).join(', ')} and ${filled.length - 5} more` : filled.join(', ');
  throw new BackupError(`the system is not empty: there are documents in ${shown}, which ${replaceHint}`);
}

/** Notes in each database that it is not whole, before anything is deleted or written. */
async function mark({ client }: Database, { databases, madeAt }: Manifest): Promise<void> {
  for (const db of databases) {
    const marks = client.db(db).collection<Document & { _id: string }>(restoreMark);
    await marks.updateOne({ _id: 'restore' }, { $set: { backupOf: madeAt, begunAt: new Date() } }, { upsert: true, writeConcern: { w: 'majority' } });
  }
}

async function clear(database: Database, databases: readonly string[]): Promise<void> {
  for (const db of databases) {
    for (const name of await collectionsOf(database, db)) if (name !== restoreMark) await database.client.db(db).collection(name).drop();
  }
}

/** Makes the indexes as they were. @throws Error where documents contradict them, e.g. one that is unique */
async function buildIndexes({ client }: Database, { db, name, indexes }: Described): Promise<void> {
  // Made with the collection.
  const others = indexes.filter((index) => String(index['name']) !== '_id_' && !index['clustered']);
  if (others.length > 0) await client.db(db).command({ createIndexes: name, indexes: others, writeConcern: { w: 'majority' } });
}

/** Reads what was written and compares all of it: documents, options, indexes. */
async function compare(database: Database, described: Described, entry: CollectionEntry): Promise<void> {
  const digest = new ContentDigest();
  // With `raw`, what the types call documents are their bytes.
  for await (const document of database.client.db(entry.db).collection(entry.name).find({}, { raw: true, batchSize: 1000 }) as AsyncIterable<unknown>) digest.add(document as Buffer);
  const { count, sum } = digest.content();
  if (count !== entry.count || sum !== entry.sum) {
    throw new BackupError(`${namespaceOf(entry)} is not what was written: ${count.toLocaleString('en')} documents instead of ${entry.count.toLocaleString('en')}${count === entry.count ? ', but others' : ''}. Are services running? Stop them, and run it again`);
  }
  const is = (await describeDatabase(database, entry.db)).find(({ name }) => name === entry.name);
  if (!is || !isSameDescription(is, described)) throw new BackupError(`${namespaceOf(entry)} has other options or indexes than in the backup: this server can't keep them as they were`);
}
