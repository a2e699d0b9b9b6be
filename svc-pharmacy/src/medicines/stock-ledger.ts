import { stockCheckNames } from '../contract/limits.ts';
import type { StockCheck } from '../contract/stock-schemas.ts';
import { batchesById, type DerivedFields, type SchemaChange } from '@clinic/service-kit';
import type { ClientSession, ObjectId } from 'mongodb';
import { collectionsOf, type PharmacyCollections } from '../collections.ts';
import type { PharmacyContext } from '../settings.ts';
import type { MedicineRecord } from './medicine-record.ts';
import { movementRecords } from './movement-record.ts';

/** Medicines processed in one transaction. */
const batchSize = 100;

type Context = Pick<PharmacyContext, 'db' | 'inTransaction' | 'stopping'>;
type Row = Pick<MedicineRecord, '_id' | 'medicineId' | 'name' | 'quantity' | 'booked'>;

/** All medicines, or some. */
const batchesOf = (context: Context, ids?: readonly ObjectId[]) =>
  batchesById(context, collectionsOf(context.db).medicines, { ids, size: batchSize });

/**
 * Writes a movement for each medicine whose quantity isn't the sum of its movements: one that is older than they are, or that
 * a release that doesn't keep them has changed.
 *
 * @param ids - only these medicines; default: all
 * @returns number of medicines that needed one
 */
export async function settleStocks(context: Context, ids?: readonly ObjectId[]): Promise<number> {
  let settled = 0;
  for await (const rows of batchesOf(context, ids)) {
    const open = rows.filter(({ quantity, booked }) => quantity !== booked).map(({ _id }) => _id);
    if (open.length === 0) continue;
    settled += await context.inTransaction((session) => settleIn(collectionsOf(context.db), open, session));
  }
  return settled;
}

async function settleIn(
  { medicines, movements }: PharmacyCollections,
  ids: readonly ObjectId[],
  session: ClientSession,
): Promise<number> {
  const rows = await medicines.find({ _id: { $in: [...ids] } }, { session }).toArray();
  const open = rows.filter(({ quantity, booked }) => quantity !== booked);
  if (open.length === 0) return 0;
  // Each write conflicts with any other change of that medicine since the read, which is then done again.
  for (const { _id, quantity, moves = 0 } of open)
    await medicines.updateOne({ _id }, { $set: { booked: quantity, moves: moves + 1 } }, { session });
  const carried = open.map(
    ({ _id, quantity, booked = 0, moves = 0 }) =>
      ({ medicine: _id, place: moves + 1, by: quantity - booked, quantity, reason: 'carried over' }) as const,
  );
  await movements.insertMany(movementRecords(carried, { at: new Date(), requestId: 'carried over' }), { session });
  return open.length;
}

/** Gives existing medicines their opening movement. @param number - of the schema change */
export const openStockLedger = (number: number): SchemaChange => ({
  number,
  name: 'medicines have movements of their stock',
  up: async (context) => {
    await settleStocks(context);
  },
});

/**
 * Keeps the movements complete while replicas of an earlier release run, which change quantities without writing any: their
 * changes appear in the history.
 */
export function stockLedger({ inTransaction }: Pick<PharmacyContext, 'inTransaction'>): DerivedFields {
  return {
    recordType: 'medicine',
    actions: ['added', 'ordered', 'order cancelled', 'restocked'],
    rewrite: (context, ids) => settleStocks({ ...context, inTransaction }, ids),
  };
}

/** Compares every quantity with the sum of its movements, some medicines at a time, each in one snapshot. */
export async function checkStock(context: Context): Promise<StockCheck> {
  const first: StockCheck['first'] = [];
  let [medicines, different] = [0, 0];
  for await (const rows of batchesOf(context)) {
    const wrong = await context.inTransaction((session) => differencesOf(collectionsOf(context.db), rows, session));
    medicines += rows.length;
    different += wrong.length;
    first.push(...wrong.slice(0, stockCheckNames - first.length));
  }
  return { medicines, different, first };
}

async function differencesOf(
  { medicines, movements }: PharmacyCollections,
  rows: readonly Row[],
  session: ClientSession,
): Promise<StockCheck['first']> {
  const ids = rows.map(({ _id }) => _id);
  const now = await medicines.find({ _id: { $in: ids } }, { session }).toArray();
  const sums = await movements
    .aggregate<{ readonly _id: ObjectId; readonly moved: number }>(sumsOf(ids), { session })
    .toArray();
  const movedOf = new Map(sums.map(({ _id, moved }) => [_id.toHexString(), moved]));
  return now.flatMap(({ _id, medicineId, name, quantity }) => {
    const moved = movedOf.get(_id.toHexString()) ?? 0;
    return moved === quantity ? [] : [{ _id: _id.toHexString(), medicineId, name, quantity, moved }];
  });
}

/** Pipeline: the sum of the movements of each of some medicines. */
export const sumsOf = (ids: readonly ObjectId[]) => [
  { $match: { medicine: { $in: [...ids] } } },
  { $group: { _id: '$medicine', moved: { $sum: '$by' } } },
];
