import type { Collection, Document, Filter, WithId } from 'mongodb';

/** Records read at a time. */
const batchSize = 50;

/**
 * Erases records one by one until no filter finds any.
 *
 * @param until - `performance.now()` after which to start nothing new
 * @param erase - afterwards a filter no longer finds the record
 * @returns whether none is left
 */
export async function eraseEach<Row extends Document>(
  collection: Collection<Row>,
  filters: readonly Filter<Row>[],
  until: number,
  erase: (row: WithId<Row>, filter: Filter<Row>) => Promise<void>,
): Promise<boolean> {
  for (const filter of filters)
    for (;;) {
      const found = await collection.find(filter).limit(batchSize).toArray();
      if (found.length === 0) break;
      for (const row of found) {
        if (performance.now() > until) return false;
        await erase(row, filter);
      }
    }
  return true;
}
