import type { DatabaseSync, StatementSync, SQLInputValue } from 'node:sqlite';
import { TYPE_ORDER } from '../bson/values.ts';
import { openFile } from './database-file.ts';

/** One index entry with the document it leads to. */
export interface IndexRow {
  key: Buffer;
  rid: number;
  doc: Buffer;
}

/** One document with its record id. */
export interface Row {
  rid: number;
  doc: Buffer;
}

/** The storage failed (disk full, damaged file): everything since the last commit is rolled back. */
export class StorageFailure extends Error {}

/** Contained in every index key with a regular expression. */
const REGEX_BYTE = `X'${TYPE_ORDER.regex.toString(16)}'`;

/** Condition for keys that contain these bytes, and for keys of regular expressions; empty without bytes. */
export const containing = (bytes: Uint8Array | undefined): string =>
  bytes ? ` AND (instr(x.key, ?) > 0 OR instr(x.key, ${REGEX_BYTE}) > 0)` : '';

/** A blob of a row as a buffer on the same memory. */
export function buffer(bytes: unknown): Buffer {
  const view = bytes as Uint8Array;
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

/**
 * The SQLite file: one table of documents per collection (`c<id>`), one of keys per index (`x<id>`), a catalogue, and
 * the replies of retryable writes. It handles bytes, not documents. Reads fetch chunks, so that no iterator is ever
 * left open: it would hold a read snapshot and block checkpoints.
 */
export class Store {
  readonly db: DatabaseSync;
  /** The file's format when it was opened; if it is an older one, it must be migrated. */
  readonly foundFormat: number;
  /**
   * Number of storage transactions, and start of the latest (milliseconds since 1970). Opening the file counts as one.
   */
  writes = 1;
  writtenAt = Date.now();
  /** Queries without an index that commands with a `comment` may make; all, unless a test restricts them. */
  scannable: ReadonlySet<string> | undefined;
  /** Whether the running command has a `comment`. */
  isCommented = false;
  private readonly statements = new Map<string, StatementSync>();

  /** @param file as in {@link openFile}, with the same errors */
  constructor(file: string) {
    const { db, foundFormat } = openFile(file);
    this.db = db;
    this.foundFormat = foundFormat;
  }

  /** A prepared statement that returns rows as arrays. */
  statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      statement.setReturnArrays(true);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  all(sql: string, ...values: SQLInputValue[]): unknown[][] {
    return this.statement(sql).all(...values) as unknown as unknown[][];
  }

  /** The single number that a statement returns, 0 for NULL. */
  number(sql: string): number {
    return Number(this.all(sql)[0]?.[0] ?? 0);
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.statement(sql).run(...values);
  }

  exec(sql: string): void {
    this.db.exec(sql);
  }

  begin(): void {
    if (this.db.isTransaction) return;
    this.run('BEGIN IMMEDIATE');
    this.writes += 1;
    this.writtenAt = Date.now();
  }

  /** Makes everything since {@link begin} durable: returns once it is on disk. */
  commit(): void {
    if (this.db.isTransaction) this.run('COMMIT');
  }

  rollback(): void {
    if (this.db.isTransaction) this.run('ROLLBACK');
  }

  /** Runs `work` atomically. */
  atomically<T>(work: () => T): T {
    this.begin();
    this.run('SAVEPOINT command');
    try {
      const result = work();
      this.run('RELEASE command');
      return result;
    } catch (error) {
      if (!this.db.isTransaction) throw new StorageFailure('the storage transaction was lost', { cause: error });
      this.run('ROLLBACK TO command');
      this.run('RELEASE command');
      throw error;
    }
  }

  createCollectionTable(id: number): void {
    this.exec(`CREATE TABLE c${id} (rid INTEGER PRIMARY KEY, doc BLOB NOT NULL)`);
  }

  createIndexTable(id: number): void {
    this.exec(`CREATE TABLE x${id} (key BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (key, rid)) WITHOUT ROWID`);
  }

  /**
   * Drops the table of a collection (`c`) or of an index (`x`); its prepared statements hold no lock, because they
   * always run to completion.
   */
  dropTable(kind: 'c' | 'x', id: number): void {
    this.exec(`DROP TABLE ${kind}${id}`);
  }

  get(collection: number, rid: number): Buffer | undefined {
    const row = this.statement(`SELECT doc FROM c${collection} WHERE rid = ?`).get(rid) as unknown as
      | unknown[]
      | undefined;
    return row && buffer(row[0]);
  }

  put(collection: number, rid: number, doc: Uint8Array): void {
    this.run(
      `INSERT INTO c${collection} (rid, doc) VALUES (?, ?) ON CONFLICT (rid) DO UPDATE SET doc = excluded.doc`,
      rid,
      doc,
    );
  }

  remove(collection: number, rid: number): void {
    this.run(`DELETE FROM c${collection} WHERE rid = ?`, rid);
  }

  addKey(index: number, key: Uint8Array, rid: number): void {
    this.run(`INSERT OR IGNORE INTO x${index} (key, rid) VALUES (?, ?)`, key, rid);
  }

  /** Starts collecting keys for {@link addSorted}. */
  beginSorting(): void {
    this.exec(
      'DROP TABLE IF EXISTS temp.unsorted; CREATE TEMP TABLE unsorted (key BLOB NOT NULL, rid INTEGER NOT NULL)',
    );
  }

  addUnsorted(key: Uint8Array, rid: number): void {
    this.run('INSERT INTO temp.unsorted (key, rid) VALUES (?, ?)', key, rid);
  }

  /** Stores the collected keys in an empty index. */
  addSorted(index: number): void {
    this.exec(`INSERT INTO x${index} (key, rid) SELECT key, rid FROM temp.unsorted ORDER BY key, rid`);
    this.exec('DROP TABLE temp.unsorted');
  }

  /** A record whose key another record also has. */
  secondOfKey(index: number): number | undefined {
    const [row] = this.all(`SELECT max(rid) FROM x${index} GROUP BY key HAVING count(*) > 1 LIMIT 1`);
    return row && Number(row[0]);
  }

  removeKey(index: number, key: Uint8Array, rid: number): void {
    this.run(`DELETE FROM x${index} WHERE key = ? AND rid = ?`, key, rid);
  }

  /** The record with this key, if it isn't `rid` itself. */
  holder(index: number, key: Uint8Array, rid: number): number | undefined {
    const row = this.statement(`SELECT rid FROM x${index} WHERE key = ? AND rid <> ? LIMIT 1`).get(
      key,
      rid,
    ) as unknown as unknown[] | undefined;
    return row && Number(row[0]);
  }

  count(table: string): number {
    return this.number(`SELECT count(*) FROM ${table}`);
  }

  /** Number of entries in an interval, counted up to `most`. */
  countKeys(index: number, from: Uint8Array, to: Uint8Array, most: number): number {
    return Number(
      this.all(
        `SELECT count(*) FROM (SELECT 1 FROM x${index} WHERE key >= ? AND key < ? LIMIT ?)`,
        from,
        to,
        most,
      )[0]?.[0],
    );
  }

  /** Number of documents with entries in an interval, counted up to `most`. */
  countDocuments(index: number, from: Uint8Array, to: Uint8Array, most: number): number {
    return Number(
      this.all(
        `SELECT count(*) FROM (SELECT DISTINCT rid FROM x${index} WHERE key >= ? AND key < ? LIMIT ?)`,
        from,
        to,
        most,
      )[0]?.[0],
    );
  }

  greatestRid(collection: number): number {
    return this.number(`SELECT max(rid) FROM c${collection}`);
  }

  /** The next documents in insertion order. */
  scan(collection: number, after: number, limit: number): Row[] {
    return this.all(`SELECT rid, doc FROM c${collection} WHERE rid > ? ORDER BY rid LIMIT ?`, after, limit).map(
      ([rid, doc]) => ({ rid: Number(rid), doc: buffer(doc) }),
    );
  }

  /**
   * The next entries of an index within an interval.
   * @param from first key inside, or the last key already seen
   * @param fromRid entries of that key up to this record are skipped
   * @param to first key outside: above when ascending, and the least key inside when descending
   * @param contains entries without these bytes are skipped, unless they are of regular expressions
   */
  scanIndex(
    collection: number,
    index: number,
    reverse: boolean,
    from: Uint8Array,
    fromRid: number,
    to: Uint8Array,
    limit: number,
    contains?: Uint8Array,
  ): IndexRow[] {
    const bounds = reverse ? '(x.key, x.rid) < (?, ?) AND x.key >= ?' : '(x.key, x.rid) > (?, ?) AND x.key < ?';
    const order = reverse ? 'x.key DESC, x.rid DESC' : 'x.key, x.rid';
    return this.all(
      `SELECT x.key, x.rid, c.doc FROM x${index} x CROSS JOIN c${collection} c ON c.rid = x.rid WHERE ${bounds}${containing(contains)} ORDER BY ${order} LIMIT ?`,
      from,
      fromRid,
      to,
      ...(contains ? [contains] : []),
      limit,
    ).map(([key, rid, doc]) => ({ key: buffer(key), rid: Number(rid), doc: buffer(doc) }));
  }

  /** Size of the database file in bytes, without its log. */
  size(): number {
    return this.number('PRAGMA page_count') * this.number('PRAGMA page_size');
  }

  /** Moves the write-ahead log into the database file and empties it, because the log has older versions of pages. */
  emptyLog(): void {
    const [busy] = this.all('PRAGMA wal_checkpoint(TRUNCATE)')[0] ?? [];
    if (busy !== 0) throw new Error('the write-ahead log could not be emptied: something still reads it');
  }

  /**
   * Rewrites the whole file from its current content (about 12 ms per MB). `secure_delete` overwrites deleted records,
   * but not the copies left in the free part of a page when SQLite splits it.
   */
  rewrite(): void {
    this.exec('VACUUM');
    this.emptyLog();
  }

  close(): void {
    this.rollback();
    this.statements.clear();
    this.db.close();
  }
}
