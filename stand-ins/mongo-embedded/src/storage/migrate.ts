import { buildIndex } from './build-index.ts';
import { Catalogue } from './catalogue.ts';
import { FORMAT } from './database-file.ts';
import type { Store } from './store.ts';

/**
 * Migrates a file from an older format, atomically. Documents stay as they are; index entries, which are derived from
 * them, are rebuilt (about a second per 100,000 documents).
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
