import type { PharmacyCollections } from '../collections.ts';
import { orderNumberOf } from './order-record.ts';

/** Orders changed by one command; more would block a large database. */
const batchSize = 500;

/**
 * Adds the number to orders without one, so that a search by number finds them. Runs at start.
 *
 * @returns number of orders changed
 */
export async function alignOrderNumbers({ orders }: PharmacyCollections): Promise<number> {
  let changed = 0;
  for (;;) {
    const found = await orders
      .find({ number: { $exists: false } }, { projection: { _id: 1 } })
      .limit(batchSize)
      .toArray();
    if (found.length > 0) {
      const { modifiedCount } = await orders.bulkWrite(
        found.map(({ _id }) => ({
          updateOne: { filter: { _id }, update: { $set: { number: orderNumberOf(_id) } } },
        })),
        { ordered: false },
      );
      changed += modifiedCount;
    }
    if (found.length < batchSize) return changed;
  }
}
