import type { PharmacyCollections } from '../collections.ts';
import { orderNumberOf } from './order-record.ts';

/**
 * Adds the number to orders without one, so that a search by number finds them too. Runs at start.
 *
 * @returns number of orders changed
 */
export async function alignOrderNumbers({ orders }: PharmacyCollections): Promise<number> {
  let changed = 0;
  for await (const { _id } of orders.find({ number: { $exists: false } }, { projection: { _id: 1 } })) {
    await orders.updateOne({ _id }, { $set: { number: orderNumberOf(_id) } });
    changed += 1;
  }
  return changed;
}
