import { Binary, Long, Timestamp } from 'bson';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Encodable } from '../bson/encode.ts';
import type { Doc, Value } from '../bson/values.ts';
import { CommandError } from '../errors.ts';
import { advanceClusterTime, nextClusterTime } from './cluster-time.ts';
import type { Session } from './sessions.ts';
import type { Store } from './store.ts';

/** What happened to a document or a collection, in MongoDB's terms. */
export type Operation = 'insert' | 'update' | 'replace' | 'delete' | 'drop' | 'dropDatabase';

/** What an update changed, by dotted path, as in MongoDB's `updateDescription`. */
export interface UpdateDescription {
  updatedFields: [path: string, value: Value][];
  removedFields: string[];
}

/** A change as a writer reports it. */
export interface Change {
  operation: Operation;
  db: string;
  /** Undefined for `dropDatabase`. */
  collection?: string;
  /** The document: before a deletion, otherwise after the change; either for an update. */
  doc?: Doc;
  description?: UpdateDescription;
}

/** A recorded change. */
export interface RecordedChange {
  id: number;
  operation: Operation;
  db: string;
  collection: string;
  /** Without `_id`, and without `fullDocument` for an update. */
  event: Doc;
}

/** A place in the history: after the change with this id. */
export interface Position {
  id: number;
  /** Whether it is at the `invalidate` that follows this change. */
  invalidate: boolean;
}

/** Most changes kept, whatever their age. */
const MOST_CHANGES = 50_000;
const CHUNK = 500;

/** The change from which a database's history is complete. */
interface Watched {
  since: number;
  sinceTime: bigint;
  /** When a stream last read changes, milliseconds since 1970. */
  usedAt: number;
}

/**
 * The history behind change streams. It is recorded only for watched databases, in the storage transaction of the write
 * itself, so that it survives a crash. It is kept only as long as replies to retryable writes, because it holds whole
 * documents.
 */
export class Changes {
  private readonly store: Store;
  private readonly keepMs: number;
  private watched = new Map<string, Watched>();
  private readonly waiting = new Map<() => void, string>();
  /** Databases with changes since the last {@link wake}. */
  private readonly changed = new Set<string>();
  /** Cluster time and session shared by the changes of the current command. */
  private time: Timestamp | undefined;
  private transaction: { session: Session; number: number } | undefined;
  /** What was read last: after a change, each stream that waits for one reads the same. */
  private latestId: number | undefined;
  private lastRead: { place: string; found: ReturnType<Changes['after']> } | undefined;

  /** @param keepMs how long a change is kept, in milliseconds */
  constructor(store: Store, keepMs: number) {
    this.store = store;
    this.keepMs = keepMs;
    store.exec(`CREATE TABLE IF NOT EXISTS changes (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, time INTEGER NOT NULL, db TEXT NOT NULL, collection TEXT NOT NULL, operation TEXT NOT NULL, event BLOB NOT NULL);
      CREATE TABLE IF NOT EXISTS watched (db TEXT PRIMARY KEY, since INTEGER NOT NULL, since_time TEXT NOT NULL) WITHOUT ROWID`);
    const [row] = store.all('SELECT CAST(max(time) AS TEXT) FROM changes');
    if (typeof row?.[0] === 'string') advanceClusterTime(Timestamp.fromBits(...halves(BigInt(row[0]))));
    this.reload();
  }

  /** Reads the watched collections again after a rollback. Waiting streams wake, and find their cursors closed. */
  reload(): void {
    this.watched = new Map(
      this.store
        .all('SELECT db, since, since_time FROM watched')
        .map(([db, since, time]) => [
          String(db),
          { since: Number(since), sinceTime: BigInt(String(time)), usedAt: Date.now() },
        ]),
    );
    this.beginCommand();
    for (const resume of this.waiting.keys()) resume();
    this.waiting.clear();
  }

  /** Starts a command, whose changes share one cluster time, and which may be rolled back. */
  beginCommand(transaction?: { session: Session; number: number }): void {
    this.time = undefined;
    this.transaction = transaction;
    this.forget();
  }

  private forget(): void {
    this.latestId = undefined;
    this.lastRead = undefined;
  }

  isWatched(db: string): boolean {
    return this.watched.has(db);
  }

  /** Records a change if its database is watched. Call it in the storage transaction of the write. */
  record({ operation, db, collection, doc, description }: Change): void {
    if (!this.watched.has(db)) return;
    this.time ??= nextClusterTime();
    const withDocument = operation === 'insert' || operation === 'replace';
    const now = new Date();
    const event: [string, Encodable][] = [
      ['operationType', operation],
      ['clusterTime', this.time],
      ['wallTime', now],
    ];
    if (withDocument) event.push(['fullDocument', doc]);
    event.push(['ns', collection === undefined ? { db } : { db, coll: collection }]);
    if (this.transaction && doc) {
      event.push(
        ['lsid', { id: new Binary(this.transaction.session.id, 4), uid: new Binary(Buffer.alloc(32)) }],
        ['txnNumber', Long.fromNumber(this.transaction.number)],
      );
    }
    if (doc) event.push(['documentKey', { _id: doc.get('_id') }]);
    if (description)
      event.push([
        'updateDescription',
        {
          updatedFields: new Map(description.updatedFields),
          removedFields: description.removedFields,
          truncatedArrays: [],
        },
      ]);
    this.store.run(
      'INSERT INTO changes (at, time, db, collection, operation, event) VALUES (?, ?, ?, ?, ?, ?)',
      now.getTime(),
      this.time.toBigInt(),
      db,
      collection ?? '',
      operation,
      encode(new Map(event)),
    );
    this.forget();
    this.changed.add(db);
  }

  /** Starts recording a database, or continues if it is recorded already. */
  watch(db: string): void {
    const known = this.watched.get(db);
    if (known) {
      known.usedAt = Date.now();
      return;
    }
    const entry = { since: this.latest(), sinceTime: nextClusterTime().toBigInt(), usedAt: Date.now() };
    this.store.atomically(() =>
      this.store.run(
        'INSERT INTO watched (db, since, since_time) VALUES (?, ?, ?)',
        db,
        entry.since,
        String(entry.sinceTime),
      ),
    );
    this.watched.set(db, entry);
  }

  /** The id of the latest change of any database. */
  latest(): number {
    return (this.latestId ??= this.store.number("SELECT seq FROM sqlite_sequence WHERE name = 'changes'"));
  }

  /** @throws CommandError 286 if the history no longer has this change, or never had it (in a restored database) */
  checkReach(db: string, id: number): void {
    const since = this.watched.get(db)?.since;
    if (since === undefined || id < since || id > this.latest()) throw historyLost();
  }

  /** The position just before a cluster time. @throws CommandError 286 if the history doesn't reach back that far */
  positionAt(db: string, time: Timestamp): number {
    const watched = this.watched.get(db);
    if (!watched || time.toBigInt() < watched.sinceTime) throw historyLost();
    const [row] = this.store.all('SELECT min(id) FROM changes WHERE time >= ?', time.toBigInt());
    return typeof row?.[0] === 'number' ? row[0] - 1 : this.latest();
  }

  /** A database's changes after a position, and how far they reach. */
  after(db: string, id: number): { changes: RecordedChange[]; reached: number } {
    const place = `${id} ${db}`;
    if (this.lastRead?.place === place) return this.lastRead.found;
    const latest = this.latest();
    const rows = this.store.all(
      'SELECT id, operation, collection, event FROM changes WHERE id > ? AND db = ? ORDER BY id LIMIT ?',
      id,
      db,
      CHUNK,
    );
    const changes = rows.map(([at, operation, collection, event]) => ({
      id: Number(at),
      operation: operation as Operation,
      db,
      collection: String(collection),
      event: decode(Buffer.from(event as Uint8Array)),
    }));
    const reached = changes.length === CHUNK ? (changes.at(-1)?.id ?? latest) : Math.max(id, latest);
    const found = { changes, reached };
    this.lastRead = { place, found };
    return found;
  }

  /** Calls back after the next change of a database. @returns a function that cancels it */
  wait(db: string, resume: () => void): () => void {
    this.waiting.set(resume, db);
    return () => this.waiting.delete(resume);
  }

  /** Wakes the streams that have something new. Call it after a commit. */
  wake(): void {
    if (this.changed.size === 0) return;
    for (const [resume, db] of this.waiting) {
      if (!this.changed.has(db)) continue;
      this.waiting.delete(resume);
      resume();
    }
    this.changed.clear();
  }

  /** Deletes changes that are too old or too many, and stops recording databases that are no longer watched. */
  reap(now = Date.now()): void {
    const [row] = this.store.all('SELECT max(id) FROM changes WHERE at < ?', now - this.keepMs);
    const last = Math.max(Number(row?.[0] ?? 0), this.latest() - MOST_CHANGES);
    if (last > 0 && this.store.all('SELECT 1 FROM changes WHERE id <= ? LIMIT 1', last).length > 0) {
      this.store.atomically(() => {
        this.store.run('DELETE FROM changes WHERE id <= ?', last);
        this.store.run('UPDATE watched SET since = ? WHERE since < ?', last, last);
      });
      for (const watched of this.watched.values()) watched.since = Math.max(watched.since, last);
    }
    for (const [db, { usedAt }] of this.watched) {
      if (usedAt > now - this.keepMs) continue;
      this.store.atomically(() => this.store.run('DELETE FROM watched WHERE db = ?', db));
      this.watched.delete(db);
    }
    this.store.commit();
  }
}

function halves(value: bigint): [low: number, high: number] {
  return [Number(value & 0xffffffffn) | 0, Number(value >> 32n) | 0];
}

/** The changes after a resume point are no longer all known. */
export function historyLost(): CommandError {
  return new CommandError(
    286,
    'Resume of change stream was not possible, as the resume point may no longer be in the oplog.',
    { labels: ['NonResumableChangeStreamError'] },
  );
}

const TOKEN = /^82([0-9A-F]{16})(0[01])$/;

/** The resume token of a position: ascending as text, as MongoDB's are. */
export function resumeToken({ id, invalidate }: Position): Map<string, string> {
  return new Map([['_data', `82${id.toString(16).toUpperCase().padStart(16, '0')}${invalidate ? '01' : '00'}`]]);
}

/** @throws CommandError 280 or 40647 for anything but a token of {@link resumeToken} */
export function positionOf(token: Value | undefined): Position {
  if (!(token instanceof Map)) throw new CommandError(40647, 'The resume token must be an object');
  const data = token.get('_data');
  const [, id, kind] = (typeof data === 'string' && TOKEN.exec(data)) || [];
  if (id === undefined)
    throw new CommandError(40649, 'The resume token string was not a valid hex string of this server');
  return { id: Number.parseInt(id, 16), invalidate: kind === '01' };
}
