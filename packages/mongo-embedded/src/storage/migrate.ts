import { buildIndex } from './build-index.ts';
import { Catalogue } from './catalogue.ts';
import { FORMAT } from './store.ts';
import type { Store } from './store.ts';

/**
 * Brings a file of an older format to today's, as a whole or not at all. Documents stay as they are; the entries of
 * indexes, which follow from them, are made anew (about a second per 100,000 documents).
 */
export function migrate(store: Store): void {
  if (store.foundFormat === FORMAT) return;
  store.begin();
  try {
    store.run("UPDATE indexes SET multikey = '[]'");
    const catalogue = new Catalogue(store);
    for (const collection of catalogue.list()) {
      for (const index of collection.indexes) {
        store.run(`DELETE FROM x${index.id}`);
        buildIndex(store, catalogue, collection, index);
      }
    }
    store.exec(`PRAGMA user_version = ${FORMAT}`);
    store.commit();
  } catch (error) {
    store.rollback();
    throw error;
  }
}
