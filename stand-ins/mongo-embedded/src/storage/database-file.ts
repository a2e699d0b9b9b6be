import { DatabaseSync } from 'node:sqlite';

/** The file is intact, but has a format that this program doesn't support; the message says which. */
export class FormatError extends Error {}

/** Version of the tables below, stored in the file. */
export const FORMAT = 1;

/** An open database file. */
export interface DatabaseFile {
  readonly db: DatabaseSync;
  /** Its format when it was opened; if below {@link FORMAT}, it must be migrated. */
  readonly foundFormat: number;
}

/**
 * Opens the SQLite file, or creates it.
 *
 * @param file the database file, which this process locks exclusively
 * @throws FormatError if a newer version or another program wrote it
 * @throws Error if it is in use or damaged
 */
export function openFile(file: string): DatabaseFile {
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map(({ name }) => name as string);
    const foundFormat = formatOf(db, tables);
    // The first of these writes to the file, so its format must be checked first.
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA secure_delete = ON; BEGIN EXCLUSIVE',
    );
    if (tables.length === 0) createTables(db);
    db.exec('COMMIT');
    return { db, foundFormat };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** @throws FormatError if this program doesn't support it */
function formatOf(db: DatabaseSync, tables: readonly string[]): number {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version > FORMAT)
    throw new FormatError(
      `has format ${version}, and this version of the program knows formats up to ${FORMAT}: a newer version wrote it. Start that one`,
    );
  // Until formats were numbered, files had number 0.
  const unnumbered = version === 0 && ['collections', 'indexes', 'sessions'].every((name) => tables.includes(name));
  if (version === 0 && tables.length > 0 && !unnumbered)
    throw new FormatError(`is an SQLite file of another program (with tables ${tables.slice(0, 3).join(', ')})`);
  return unnumbered ? 0 : FORMAT;
}

function createTables(db: DatabaseSync): void {
  db.exec(`PRAGMA user_version = ${FORMAT};
      CREATE TABLE collections (id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (db, name));
      CREATE TABLE indexes (id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, multikey TEXT NOT NULL, spec BLOB NOT NULL);
      CREATE TABLE sessions (lsid BLOB PRIMARY KEY, number INTEGER NOT NULL, committed INTEGER NOT NULL, reply BLOB NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID`);
}
