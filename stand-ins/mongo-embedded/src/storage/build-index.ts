import { decode, decodeFields } from '../bson/decode.ts';
import { FieldNames } from '../bson/fields.ts';
import { fieldsOf } from '../query/expression.ts';
import type { Catalogue, Collection } from './catalogue.ts';
import { duplicateKey, indexKeys } from './indexes.ts';
import type { Index } from './indexes.ts';
import type { Store } from './store.ts';

/** Documents read at a time. */
const BATCH = 500;

/**
 * From this many documents on, keys are sorted before they are stored: in any other order, nearly every key of a large
 * index changes another page of the file. SQLite sorts in temporary files, as when it rewrites the file.
 */
const MANY = 20_000;

/**
 * Fills an empty index from the existing documents.
 * @throws CommandError 11000 if the index is unique and two documents have the same key
 */
export function buildIndex(store: Store, catalogue: Catalogue, collection: Collection, index: Index): void {
  if (collection.count < MANY) {
    for (const { key, rid } of allKeys(store, catalogue, collection, index)) {
      if (index.unique && store.holder(index.id, key, rid) !== undefined)
        throw duplicate(store, collection, index, rid);
      store.addKey(index.id, key, rid);
    }
    return;
  }
  store.beginSorting();
  for (const { key, rid } of allKeys(store, catalogue, collection, index)) store.addUnsorted(key, rid);
  store.addSorted(index.id);
  const rid = index.unique ? store.secondOfKey(index.id) : undefined;
  if (rid !== undefined) throw duplicate(store, collection, index, rid);
}

function* allKeys(
  store: Store,
  catalogue: Catalogue,
  collection: Collection,
  index: Index,
): Generator<{ key: Buffer; rid: number }> {
  const fields = index.partial ? fieldsOf(index.partial) : new Set<string>();
  for (const { path } of index.fields) fields.add(path.parts[0] ?? '');
  const names = new FieldNames(fields);
  for (let after = 0; ;) {
    const rows = store.scan(collection.id, after, BATCH);
    for (const { rid, doc } of rows) {
      const { keys, multikeyField } = indexKeys(index, decodeFields(doc, names));
      if (multikeyField !== undefined && !index.multikeyFields.has(multikeyField))
        catalogue.markMultikey(index, multikeyField);
      for (const key of keys) yield { key, rid };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.rid;
  }
}

function duplicate(store: Store, { id, db, name }: Collection, index: Index, rid: number): Error {
  const bytes = store.get(id, rid);
  return duplicateKey(`${db}.${name}`, index, bytes ? decode(bytes) : new Map());
}
