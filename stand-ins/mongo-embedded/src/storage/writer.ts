import { decode } from '../bson/decode.ts';
import type { Doc } from '../bson/values.ts';
import { writeConflict } from '../errors.ts';
import type { Catalogue, Collection } from './catalogue.ts';
import type { Changes, UpdateDescription } from './changes.ts';
import { duplicateKey, indexKeys } from './indexes.ts';
import type { Index } from './indexes.ts';
import type { Store } from './store.ts';
import type { Transaction, Transactions } from './transactions.ts';

/** One version of a document: its bytes and their decoded content. */
export interface Version {
  bytes: Buffer;
  doc: Doc;
}

/** How one index changes with a document. */
interface KeyChange {
  index: Index;
  removed: Buffer[];
  added: Buffer[];
  multikeyField: string | undefined;
}

/** Writes documents together with their index entries, inside or outside a transaction. */
export class Writer {
  private readonly store: Store;
  private readonly catalogue: Catalogue;
  private readonly transactions: Transactions;
  private readonly changes: Changes;
  /** Changes of the collections' counts by the current command. */
  private counted: { collection: Collection; by: number }[] = [];

  constructor(store: Store, catalogue: Catalogue, transactions: Transactions, changes: Changes) {
    this.changes = changes;
    this.store = store;
    this.catalogue = catalogue;
    this.transactions = transactions;
  }

  /**
   * Inserts (before is null), replaces, or deletes (after is null) one document.
   * @param rid its record id
   * @param transaction the transaction it belongs to, if any
   * @param description what an update's operators changed; absent if the whole document was replaced
   * @throws CommandError 11000 for a key that a unique index already has, 112 for a conflict of two transactions
   * @throws LockWait outside transactions, if an open one has locked the document or one of its keys
   */
  write(
    collection: Collection,
    rid: number,
    before: Version | null,
    after: Version | null,
    transaction?: Transaction,
    description?: UpdateDescription,
  ): void {
    const changes = collection.indexes.map((index) => keyChange(index, before?.doc, after?.doc));
    if (transaction) {
      this.buffer(collection, rid, changes, after, transaction);
      if (this.changes.isWatched(collection.db))
        transaction.operations.push(() => this.report(collection, before, after, description));
      return;
    }
    if (!this.transactions.idle) {
      this.transactions.checkFree(documentLock(collection, rid));
      for (const { index, removed, added } of changes) {
        if (index.unique) for (const key of [...removed, ...added]) this.transactions.checkFree(keyLock(index, key));
      }
    }
    for (const { index, added } of changes) {
      if (index.unique && after) this.checkUnique(collection, index, added, rid, after.doc);
    }
    this.apply(collection, rid, changes, before, after);
    this.report(collection, before, after, description);
  }

  /** Applies a transaction's writes. Call it in the same storage transaction as the rest of the commit. */
  commit(transaction: Transaction): void {
    const collections = new Map(this.catalogue.list().map((collection) => [collection.id, collection]));
    for (const [id, documents] of transaction.writes) {
      const collection = collections.get(id);
      if (!collection) continue;
      for (const [rid, bytes] of documents) {
        const stored = this.store.get(id, rid);
        const before = stored ? { bytes: stored, doc: decode(stored) } : null;
        const after = bytes ? { bytes, doc: decode(bytes) } : null;
        if (!before && !after) continue;
        this.apply(
          collection,
          rid,
          collection.indexes.map((index) => keyChange(index, before?.doc, after?.doc)),
          before,
          after,
        );
      }
    }
    for (const report of transaction.operations) report();
  }

  private report(
    { db, name }: Collection,
    before: Version | null,
    after: Version | null,
    description: UpdateDescription | undefined,
  ): void {
    if (!this.changes.isWatched(db)) return;
    const operation = !before ? 'insert' : !after ? 'delete' : description ? 'update' : 'replace';
    const doc = (after ?? before)?.doc;
    this.changes.record({ operation, db, collection: name, ...(doc && { doc }), ...(description && { description }) });
  }

  /** Starts recording changes of counts, for {@link rollback}. */
  mark(): void {
    this.counted = [];
  }

  /** Reverts the changes of counts since the mark, because the storage rolled back the writes. */
  rollback(): void {
    for (const { collection, by } of this.counted) collection.count -= by;
    this.counted = [];
  }

  private checkUnique(collection: Collection, index: Index, added: Buffer[], rid: number, doc: Doc): void {
    for (const key of added) {
      if (this.store.holder(index.id, key, rid) !== undefined)
        throw duplicateKey(`${collection.db}.${collection.name}`, index, doc);
    }
  }

  private apply(
    collection: Collection,
    rid: number,
    changes: KeyChange[],
    before: Version | null,
    after: Version | null,
  ): void {
    this.transactions.versions.record(collection.id, rid, before?.bytes ?? null);
    const by = (after ? 1 : 0) - (before ? 1 : 0);
    collection.count += by;
    if (by !== 0) this.counted.push({ collection, by });
    if (after) this.store.put(collection.id, rid, after.bytes);
    else this.store.remove(collection.id, rid);
    for (const { index, removed, added, multikeyField } of changes) {
      for (const key of removed) this.store.removeKey(index.id, key, rid);
      for (const key of added) this.store.addKey(index.id, key, rid);
      if (multikeyField !== undefined && !index.multikeyFields.has(multikeyField))
        this.catalogue.markMultikey(index, multikeyField);
    }
  }

  private buffer(
    collection: Collection,
    rid: number,
    changes: KeyChange[],
    after: Version | null,
    transaction: Transaction,
  ): void {
    const { transactions } = this;
    transaction.touched.add(collection.id);
    if (transactions.versions.changedSince(transaction, collection.id, rid)) throw writeConflict();
    transactions.acquire(transaction, documentLock(collection, rid), rid);
    for (const { index, removed, added } of changes) {
      if (!index.unique) continue;
      if (after)
        for (const key of added) this.checkUniqueInTransaction(collection, index, key, rid, after.doc, transaction);
      for (const key of removed) transactions.acquire(transaction, keyLock(index, key), null);
      for (const key of added) transactions.acquire(transaction, keyLock(index, key), rid);
    }
    // Mark an index with an array at once: marking too early only makes the planner more cautious.
    for (const { index, multikeyField } of changes) {
      if (multikeyField !== undefined && !index.multikeyFields.has(multikeyField))
        this.catalogue.markMultikey(index, multikeyField);
    }
    transaction.written(collection.id).set(rid, after?.bytes ?? null);
  }

  private checkUniqueInTransaction(
    collection: Collection,
    index: Index,
    key: Buffer,
    rid: number,
    doc: Doc,
    transaction: Transaction,
  ): void {
    const own = this.transactions.heldKey(transaction, keyLock(index, key));
    const holder = own === undefined ? this.store.holder(index.id, key, rid) : (own ?? undefined);
    if (holder === undefined || holder === rid) return;
    if (own === undefined && this.transactions.versions.changedSince(transaction, collection.id, holder))
      throw writeConflict();
    throw duplicateKey(`${collection.db}.${collection.name}`, index, doc);
  }
}

function documentLock(collection: Collection, rid: number): string {
  return `${collection.id}#${rid}`;
}

function keyLock(index: Index, key: Buffer): string {
  return `${index.id}:${key.toString('latin1')}`;
}

function keyChange(index: Index, before: Doc | undefined, after: Doc | undefined): KeyChange {
  const old = before ? indexKeys(index, before).keys : [];
  const { keys, multikeyField } = after ? indexKeys(index, after) : { keys: [], multikeyField: undefined };
  return {
    index,
    removed: old.filter((key) => !keys.some((other) => key.equals(other))),
    added: keys.filter((key) => !old.some((other) => key.equals(other))),
    multikeyField,
  };
}
