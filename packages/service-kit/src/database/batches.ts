import type { Collection, Document, Filter, ObjectId } from 'mongodb';
import type { ServiceContext } from '../context.ts';

interface Batches<Row> {
  /** Which records; default: all. */
  readonly where?: Filter<Row>;
  /** Only these. */
  readonly ids?: readonly ObjectId[] | undefined;
  /** Only those with later ids. */
  readonly after?: ObjectId | undefined;
  /** Records at a time. */
  readonly size?: number;
  readonly projection?: Document;
}

/** Records, some at a time, in order of their ids: none is read twice, whatever changes meanwhile. */
export async function* batchesById<Row extends { readonly _id: ObjectId }>(
  { stopping }: Pick<ServiceContext, 'stopping'>,
  collection: Collection<Row>,
  { where, ids, after, size = 500, projection }: Batches<Row> = {},
): AsyncGenerator<Row[]> {
  for (let last = after; ;) {
    stopping.throwIfAborted();
    const among = { ...(ids && { $in: ids }), ...(last && { $gt: last }) };
    const filter = { ...where, ...(Object.keys(among).length > 0 && { _id: among }) } as Filter<Row>;
    const rows = await collection
      .find<Row>(filter, { batchSize: size, ...(projection && { projection }) })
      .sort({ _id: 1 })
      .limit(size)
      .toArray();
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1)?._id;
  }
}
