import type { Engine } from '../commands/command.ts';
import { Cursors } from '../query/cursors.ts';
import { Catalogue } from '../storage/catalogue.ts';
import { Changes } from '../storage/changes.ts';
import { KEEP_ANSWERS_MS, Sessions } from '../storage/sessions.ts';
import { Snapshots } from '../storage/snapshots.ts';
import type { Store } from '../storage/store.ts';
import { Transactions } from '../storage/transactions.ts';
import { Writer } from '../storage/writer.ts';

/** Creates the state that commands work on, for one open store. */
export function createEngine(store: Store, replicaSet: string, keepAnswersMs = KEEP_ANSWERS_MS): Engine {
  const catalogue = new Catalogue(store);
  const transactions = new Transactions();
  const changes = new Changes(store, keepAnswersMs);
  return {
    store,
    catalogue,
    transactions,
    changes,
    replicaSet,
    writer: new Writer(store, catalogue, transactions, changes),
    sessions: new Sessions(store, transactions, keepAnswersMs),
    snapshots: new Snapshots(store, transactions.versions),
    cursors: new Cursors(),
    address: '',
  };
}

/** Discards in-memory state that isn't on disk, including open transactions, after a failed storage transaction. */
export function recover({ store, catalogue, sessions, snapshots, cursors, changes }: Engine): void {
  store.rollback();
  sessions.reset();
  snapshots.clear();
  cursors.killWhere(() => true);
  catalogue.reload();
  changes.reload();
}
