import { decode } from '../bson/decode.ts';
import type { Catalogue, Collection } from './catalogue.ts';
import { duplicateKey, indexKeys } from './indexes.ts';
import type { Index } from './indexes.ts';
import type { Store } from './store.ts';

/**
 * Fills an empty index from the existing documents.
 * @throws CommandError 11000 if the index is unique and two documents have the same key
 */
export function buildIndex(store: Store, catalogue: Catalogue, collection: Collection, index: Index): void {
  let after = 0;
  for (;;) {
    const rows = store.scan(collection.id, after, 500);
    for (const { rid, doc: bytes } of rows) {
      const doc = decode(bytes);
      const { keys, multikeyField } = indexKeys(index, doc);
      if (multikeyField !== undefined && !index.multikeyFields.has(multikeyField))
        catalogue.markMultikey(index, multikeyField);
      for (const key of keys) {
        if (index.unique && store.holder(index.id, key, rid) !== undefined)
          throw duplicateKey(`${collection.db}.${collection.name}`, index, doc);
        store.addKey(index.id, key, rid);
      }
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.rid;
  }
}
