import type { Timestamp } from 'bson';
import { CommandError } from '../errors.ts';
import type { Collection } from './catalogue.ts';
import { nextClusterTime } from './cluster-time.ts';
import type { Session } from './sessions.ts';
import type { Row, Store } from './store.ts';
import type { Versions } from './versions.ts';

/** A point in time for reads outside transactions with read concern `snapshot`. */
export interface Snapshot {
  readonly time: Timestamp;
  /** The session that opened it; it ends with the session. */
  readonly session: Session | undefined;
  usedAt: number;
}

/**
 * MongoDB's default for keeping history, in milliseconds; here it is the time without a read, so a backup may take
 * longer.
 */
const IDLE_MS = 5 * 60_000;
/** Changes since a snapshot are kept in memory; the snapshot ends if they use too much. */
const MOST_BYTES = 256 * 1024 * 1024;
const CHUNK = 512;

/** The open snapshots. */
export class Snapshots {
  private readonly store: Store;
  private readonly versions: Versions;
  private readonly snapshots = new Map<bigint, Snapshot>();

  constructor(store: Store, versions: Versions) {
    this.store = store;
    this.versions = versions;
  }

  /** Opens a snapshot of the current state of all databases. */
  open(session: Session | undefined): Snapshot {
    const snapshot: Snapshot = { time: nextClusterTime(), session, usedAt: Date.now() };
    this.snapshots.set(snapshot.time.toBigInt(), snapshot);
    this.versions.open(snapshot);
    return snapshot;
  }

  /** @throws CommandError 239 if there is no snapshot of that time (any more) */
  at(time: Timestamp): Snapshot {
    const snapshot = this.snapshots.get(time.toBigInt());
    if (!snapshot)
      throw new CommandError(
        239,
        `Read timestamp ${time.toBigInt()} is older than the oldest available timestamp: its snapshot has ended.`,
      );
    snapshot.usedAt = Date.now();
    return snapshot;
  }

  /**
   * A collection's documents at the time of the snapshot, in insertion order. Each chunk is read at once; others may
   * write between chunks.
   * @throws CommandError 239 if the snapshot has ended in the meantime
   */
  *rows(snapshot: Snapshot, collection: Collection): Generator<Row> {
    for (let after = 0; ;) {
      this.at(snapshot.time);
      const stored = this.store.scan(collection.id, after, CHUNK);
      const last = stored.length < CHUNK ? Infinity : (stored.at(-1)?.rid ?? Infinity);
      const chunk = new Map(stored.map(({ rid, doc }) => [rid, doc]));
      for (const [rid, doc] of this.versions.overlay(snapshot, collection.id)) {
        if (rid <= after || rid > last) continue;
        if (doc) chunk.set(rid, doc);
        else chunk.delete(rid);
      }
      for (const [rid, doc] of [...chunk].toSorted(([a], [b]) => a - b)) yield { rid, doc };
      if (last === Infinity) return;
      after = last;
    }
  }

  /** Ends the snapshots of sessions. */
  endOf(ids: readonly Buffer[]): void {
    this.endWhere(({ session }) => session !== undefined && ids.some((id) => id.equals(session.id)));
  }

  /** Ends all snapshots, because their data is no longer available. */
  clear(): void {
    this.endWhere(() => true);
  }

  /** Ends idle snapshots, and all of them if they use too much memory. */
  reap(now = Date.now()): void {
    this.endWhere(({ usedAt }) => usedAt < now - IDLE_MS);
    if (this.versions.bytes > MOST_BYTES) this.clear();
  }

  private endWhere(condition: (snapshot: Snapshot) => boolean): void {
    for (const [name, snapshot] of this.snapshots) {
      if (!condition(snapshot)) continue;
      this.snapshots.delete(name);
      this.versions.close(snapshot);
    }
  }
}
