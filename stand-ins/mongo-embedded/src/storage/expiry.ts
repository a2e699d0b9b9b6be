import type { Value } from '../bson/values.ts';
import type { Engine } from '../commands/command.ts';
import { present } from '../present.ts';
import type { Expression } from '../query/expression.ts';
import { parseFilter } from '../query/filter-parser.ts';
import { QueryRun } from '../query/query.ts';
import type { Collection } from './catalogue.ts';
import type { Index } from './indexes.ts';
import { LockWait } from './transactions.ts';

/** Milliseconds between MongoDB's searches for expired documents. */
export const EXPIRE_EVERY_MS = 60_000;
/** Documents deleted per index and round, so that a large backlog doesn't hold up others. */
const MOST_PER_ROUND = 500;

/**
 * Deletes the documents that a TTL index has expired: those with an old enough date in the index's field, or in an
 * array there. A document that a transaction has locked waits for the next round.
 *
 * @param now milliseconds since 1970
 * @returns whether more may have expired than one round deletes
 */
export function deleteExpired(engine: Engine, now: number): boolean {
  let more = false;
  for (const collection of engine.catalogue.list()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds === undefined) continue;
      const deleted = deleteOf(engine, collection, index, new Date(now - index.expireAfterSeconds * 1_000));
      if (deleted === MOST_PER_ROUND) more = true;
    }
  }
  return more;
}

function deleteOf({ store, writer, changes }: Engine, collection: Collection, index: Index, until: Date): number {
  const field = present(index.fields[0]).path.dotted;
  const old = parseFilter(new Map<string, Value>([[field, new Map([['$lte', until]])]]));
  const filter: Expression = index.partial ? { type: 'AND', children: [old, index.partial] } : old;
  const query = { filter, sort: [], skip: 0, limit: MOST_PER_ROUND };
  const expired = [...new QueryRun(store, collection, query).matches()];
  if (expired.length === 0) return 0;
  changes.beginCommand();
  return store.atomically(() => {
    let deleted = 0;
    for (const { rid, doc, bytes } of expired) {
      try {
        writer.write(collection, rid, { doc, bytes }, null);
        deleted += 1;
      } catch (error) {
        if (!(error instanceof LockWait)) throw error;
      }
    }
    return deleted;
  });
}
