/** A document's content before a committed write; null if it didn't exist. */
interface Version {
  sequence: number;
  collection: number;
  rid: number;
  before: Buffer | null;
}

/** Approximate measured memory overhead of a version, in bytes. */
const VERSION_BYTES = 200;

function sizeOf({ before }: Version): number {
  return VERSION_BYTES + (before?.length ?? 0);
}

/**
 * The old versions that open transactions may still read. Each write has a sequence number; a transaction reads as of
 * the number at its start. Nothing is kept while no transaction is open.
 */
export class Versions {
  /** Memory used by the kept versions, in bytes. */
  bytes = 0;
  private sequence = 0;
  private versions: Version[] = [];
  private readonly byCollection = new Map<number, Map<number, Version[]>>();
  private readonly snapshots = new Map<object, number>();

  /** @param owner the transaction or snapshot that reads as of now, until {@link close} */
  open(owner: object): void {
    this.snapshots.set(owner, this.sequence);
  }

  close(owner: object): void {
    this.snapshots.delete(owner);
    const oldest = Math.min(...this.snapshots.values());
    const kept = this.versions.findIndex((version) => version.sequence > oldest);
    this.discard(this.versions.splice(0, kept < 0 ? this.versions.length : kept));
  }

  /** Records a write; call it with the document's previous content. */
  record(collection: number, rid: number, before: Buffer | null): void {
    this.sequence += 1;
    if (this.snapshots.size === 0) return;
    const version = { sequence: this.sequence, collection, rid, before };
    this.versions.push(version);
    this.bytes += sizeOf(version);
    let rids = this.byCollection.get(collection);
    if (!rids) this.byCollection.set(collection, (rids = new Map()));
    const list = rids.get(rid);
    if (list) list.push(version);
    else rids.set(rid, [version]);
  }

  /** A point to which {@link rollback} can return. */
  mark(): number {
    return this.versions.length;
  }

  /** Drops the writes since a mark, because the storage rolled them back. */
  rollback(mark: number): void {
    this.discard(this.versions.splice(mark));
  }

  /** Whether a document was written since the owner's transaction started. */
  changedSince(owner: object, collection: number, rid: number): boolean {
    const list = this.byCollection.get(collection)?.get(rid);
    return (list?.at(-1)?.sequence ?? 0) > this.snapshotOf(owner);
  }

  /** A document as of the start of the owner's transaction (null: it didn't exist), undefined if unchanged. */
  at(owner: object, collection: number, rid: number): Buffer | null | undefined {
    const snapshot = this.snapshotOf(owner);
    return this.byCollection
      .get(collection)
      ?.get(rid)
      ?.find(({ sequence }) => sequence > snapshot)?.before;
  }

  /** The documents of a collection that the owner sees differently from storage. */
  overlay(owner: object, collection: number): Map<number, Buffer | null> {
    const snapshot = this.snapshotOf(owner);
    const result = new Map<number, Buffer | null>();
    for (const [rid, list] of this.byCollection.get(collection) ?? []) {
      const version = list.find(({ sequence }) => sequence > snapshot);
      if (version) result.set(rid, version.before);
    }
    return result;
  }

  private snapshotOf(owner: object): number {
    return this.snapshots.get(owner) ?? this.sequence;
  }

  private discard(versions: Version[]): void {
    for (const version of versions) {
      this.bytes -= sizeOf(version);
      const rids = this.byCollection.get(version.collection);
      const list = rids?.get(version.rid);
      if (!rids || !list) continue;
      list.splice(list.indexOf(version), 1);
      if (list.length === 0) rids.delete(version.rid);
    }
  }
}
