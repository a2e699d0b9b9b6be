import { isDeepStrictEqual } from 'node:util';
import type { AnyBulkWriteOperation, Collection, Document, Filter, ObjectId } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { batchesById } from './batches.ts';

/**
 * Recomputes derived fields in every record of a collection where they differ; for schema changes. Skips a record that
 * is changed concurrently: that writer sets the fields.
 *
 * @param from - the fields they are derived from
 * @param derive - returns the derived fields
 * @param ids - only these records; default: all
 * @returns number of records that differed
 */
export async function rewriteRecords<Row extends { readonly _id: ObjectId }, From extends keyof Row & string>(
  context: Pick<ServiceContext, 'stopping'>,
  collection: Collection<Row>,
  from: readonly From[],
  derive: (row: Pick<Row, From>) => Partial<Row>,
  ids?: readonly ObjectId[],
): Promise<number> {
  let changed = 0;
  for await (const rows of batchesById(context, collection, { ids })) {
    const updates = rows.flatMap((row): AnyBulkWriteOperation<Row>[] => {
      const different = Object.entries(derive(row)).filter(
        ([field, value]) => !isDeepStrictEqual(row[field as keyof Row], value),
      );
      if (different.length === 0) return [];
      const asRead: Document = Object.fromEntries(from.map((field) => [field, row[field]]));
      return [
        {
          updateOne: {
            filter: { _id: row._id, ...asRead } as unknown as Filter<Row>,
            update: { $set: Object.fromEntries(different) } as Document,
          },
        },
      ];
    });
    if (updates.length > 0) changed += (await collection.bulkWrite(updates, { ordered: false })).matchedCount;
  }
  return changed;
}
