import type { Doc } from '../bson/values.ts';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import { indexFromSpec } from './indexes.ts';
import type { Index } from './indexes.ts';
import type { Store } from './store.ts';

/** A collection with its indexes; the first is always that of `_id`. */
export interface Collection {
  id: number;
  db: string;
  name: string;
  indexes: Index[];
  /** The record id of the next document. Ids lost in a rollback aren't reused. */
  nextRid: number;
  /** Number of documents, maintained so that they needn't be counted. */
  count: number;
}

/** The collections and indexes: an in-memory copy of the tables `collections` and `indexes`. */
export class Catalogue {
  private readonly store: Store;
  private readonly byName = new Map<string, Collection>();
  /** Whether memory has uncommitted changes, so that a rollback must reload. */
  dirty = false;

  constructor(store: Store) {
    this.store = store;
    this.reload();
  }

  /** Reloads the catalogue after a rollback that undid a change to it. */
  reload(): void {
    const counters = new Map([...this.byName.values()].map(({ id, nextRid }) => [id, nextRid]));
    this.byName.clear();
    this.dirty = false;
    for (const [id, db, name] of this.store.all('SELECT id, db, name FROM collections ORDER BY id')) {
      const collection: Collection = {
        id: Number(id),
        db: String(db),
        name: String(name),
        indexes: [],
        nextRid: 0,
        count: 0,
      };
      collection.nextRid = Math.max(counters.get(collection.id) ?? 0, this.store.greatestRid(collection.id) + 1);
      for (const [index, multikey, spec] of this.store.all(
        'SELECT id, multikey, spec FROM indexes WHERE collection = ? ORDER BY id',
        collection.id,
      )) {
        collection.indexes.push(
          indexFromSpec(
            Number(index),
            decode(Buffer.from(spec as Uint8Array)),
            JSON.parse(String(multikey)) as string[],
          ),
        );
      }
      const [byId] = collection.indexes;
      collection.count = byId ? this.store.count(`x${byId.id}`) : 0;
      this.byName.set(`${collection.db}.${collection.name}`, collection);
    }
  }

  get(db: string, name: string): Collection | undefined {
    return this.byName.get(`${db}.${name}`);
  }

  /** @param db only this database's collections, when given */
  list(db?: string): Collection[] {
    return [...this.byName.values()].filter((collection) => db === undefined || collection.db === db);
  }

  /** The collection, created with its `_id` index if it doesn't exist yet. */
  ensure(db: string, name: string): Collection {
    const existing = this.get(db, name);
    if (existing) return existing;
    this.dirty = true;
    this.store.run('INSERT INTO collections (db, name) VALUES (?, ?)', db, name);
    const id = this.store.number('SELECT last_insert_rowid()');
    this.store.createCollectionTable(id);
    const collection: Collection = { id, db, name, indexes: [], nextRid: 1, count: 0 };
    this.byName.set(`${db}.${name}`, collection);
    this.addIndex(collection, decode(encode({ v: 2, key: { _id: 1 }, name: '_id_' })));
    return collection;
  }

  drop(collection: Collection): void {
    this.dirty = true;
    for (const index of collection.indexes) this.store.dropTable('x', index.id);
    this.store.dropTable('c', collection.id);
    this.store.run('DELETE FROM indexes WHERE collection = ?', collection.id);
    this.store.run('DELETE FROM collections WHERE id = ?', collection.id);
    this.byName.delete(`${collection.db}.${collection.name}`);
  }

  /** Adds a new index, still without entries. */
  addIndex(collection: Collection, spec: Doc): Index {
    this.dirty = true;
    this.store.run(
      'INSERT INTO indexes (collection, multikey, spec) VALUES (?, ?, ?)',
      collection.id,
      '[]',
      encode(spec),
    );
    const id = this.store.number('SELECT last_insert_rowid()');
    this.store.createIndexTable(id);
    const index = indexFromSpec(id, spec, []);
    collection.indexes.push(index);
    return index;
  }

  dropIndex(collection: Collection, index: Index): void {
    this.dirty = true;
    this.store.dropTable('x', index.id);
    this.store.run('DELETE FROM indexes WHERE id = ?', index.id);
    collection.indexes.splice(collection.indexes.indexOf(index), 1);
  }

  /** Records that a field of an index has had an array, which limits the use of the index. */
  markMultikey(index: Index, field: string): void {
    this.dirty = true;
    index.multikeyFields.add(field);
    this.store.run('UPDATE indexes SET multikey = ? WHERE id = ?', JSON.stringify([...index.multikeyFields]), index.id);
  }
}
