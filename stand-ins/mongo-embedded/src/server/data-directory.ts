import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../storage/migrate.ts';
import { FormatError } from '../storage/database-file.ts';
import { Store } from '../storage/store.ts';

/** The data directory can't be used; the message says why and what to do. */
export class DataDirectoryError extends Error {}

const DATABASE_FILE = 'clinic.sqlite';
const HOLDER_FILE = 'holder.pid';
const SQLITE_BUSY = 5;

/** An opened data directory. */
export interface DataDirectory {
  store: Store;
  close(): void;
}

/**
 * Opens a data directory exclusively. The lock is SQLite's own, which the operating system releases however the process
 * ends; the file with the process id only serves the error message.
 * @param path created if it doesn't exist
 * @throws DataDirectoryError if another process uses it, or its file is damaged or has an unknown format
 */
export function openDataDirectory(path: string): DataDirectory {
  // Health records: no other user of the machine may read them.
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const file = join(path, DATABASE_FILE);
  const holder = join(path, HOLDER_FILE);
  const leftOver = existsSync(holder);
  let store: Store | undefined;
  try {
    checkPresence(file);
    store = new Store(file);
    // The last process did not close it. A full check takes about a second per few hundred megabytes.
    if (leftOver) checkIntegrity(store);
    migrate(store);
  } catch (error) {
    store?.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) {
      const pid = leftOver ? readFileSync(holder, 'utf8').trim() : 'unknown';
      throw new DataDirectoryError(
        `the data directory ${path} is in use by process ${pid}; stop that one first, or choose another directory`,
        { cause: error },
      );
    }
    if (error instanceof FormatError) {
      throw new DataDirectoryError(
        `the data file ${file} ${error.message}, or move the file away to start empty and restore a backup into it; nothing was changed in it`,
        { cause: error },
      );
    }
    throw new DataDirectoryError(
      `the data file ${file} is damaged or unreadable (${(error as Error).message.replaceAll(/\s+/g, ' ')}); nothing was changed in it. ` +
        'Restore it from a backup, or move it away to start empty',
      { cause: error },
    );
  }
  writeFileSync(holder, `${process.pid}\n`);
  const opened = store;
  return {
    store,
    close: () => {
      opened.close();
      rmSync(holder, { force: true });
    },
  };
}

/** SQLite would treat an emptied file, or a missing one whose log still exists, as a new database. */
function checkPresence(file: string): void {
  const size = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.size;
  if (size(file) === 0) throw new Error('the file is empty');
  if (size(file) === undefined && (size(`${file}-wal`) ?? 0) > 0)
    throw new Error('the file is missing, its write-ahead log is not');
}

function checkIntegrity(store: Store): void {
  const [row] = store.all('PRAGMA quick_check(1)');
  if (row?.[0] !== 'ok') throw new Error(String(row?.[0]));
}
