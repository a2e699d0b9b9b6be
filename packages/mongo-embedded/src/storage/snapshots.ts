import type { Timestamp } from 'bson';
import { CommandError } from '../errors.ts';
import type { Collection } from './catalogue.ts';
import { nextClusterTime } from './cluster-time.ts';
import type { Session } from './sessions.ts';
import type { Row, Store } from './store.ts';
import type { Versions } from './versions.ts';

/** A point in time that reads outside transactions may go back to: what read concern `snapshot` gives. */
export interface Snapshot {
  readonly time: Timestamp;
  /** The session that asked for it, with which it ends. */
  readonly session: Session | undefined;
  usedAt: number;
}

/** As long as MongoDB keeps its history by default; here it is time without a read, so a long backup may take longer. */
const IDLE_MS = 5 * 60_000;
/** What changed since a snapshot stays in memory for it: it ends before that can fill the machine's. */
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

  /** Holds what is there now, of all databases. */
  open(session: Session | undefined): Snapshot {
    const snapshot: Snapshot = { time: nextClusterTime(), session, usedAt: Date.now() };
    this.snapshots.set(snapshot.time.toBigInt(), snapshot);
    this.versions.open(snapshot);
    return snapshot;
  }

  /** @throws CommandError 239 when nobody holds that time (any more) */
  at(time: Timestamp): Snapshot {
    const snapshot = this.snapshots.get(time.toBigInt());
    if (!snapshot) throw new CommandError(239, `Read timestamp ${time.toBigInt()} is older than the oldest available timestamp: its snapshot has ended.`);
    snapshot.usedAt = Date.now();
    return snapshot;
  }

  /**
   * A collection's documents as they were, in the order of their insertion. Each chunk is put together at once; between two
   * of them others may write what they like.
   * @throws CommandError 239 when the snapshot has ended meanwhile
   */
  * rows(snapshot: Snapshot, collection: Collection): Generator<Row> {
    for (let after = 0; ;) {
      this.at(snapshot.time);
      const stored = this.store.scan(collection.id, after, CHUNK);
      const last = stored.length < CHUNK ? Infinity : stored.at(-1)?.rid ?? Infinity;
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

  /** Ends all: what they would show can't be shown any more. */
  clear(): void {
    this.endWhere(() => true);
  }

  /** Ends what nobody has read for long, and all when they hold too much. */
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
