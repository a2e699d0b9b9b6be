import type { MedicineRecord } from '../medicines/medicine-record.ts';
import type { PharmacyChange } from '../pharmacy-change.ts';
import { aboutRequest, medicineOf } from './ask-about-stock.ts';
import { isSellable, type Sellable } from './is-sellable.ts';

/**
 * If a change makes a medicine orderable again, sends a message to everybody who asked and deletes their requests, in
 * the same transaction: each gets one, however many changes of stock are concurrent.
 *
 * @param before - the medicine before the change
 */
export async function notifyBackInStock(
  change: PharmacyChange,
  before: Sellable,
  after: MedicineRecord,
): Promise<void> {
  if (isSellable(before, change.today) || !isSellable(after, change.today)) return;
  const { collections, session } = change;
  const { stockRequests } = collections;
  const requests = await stockRequests.find({ medicine: after._id }, { session }).toArray();
  if (requests.length === 0) return;
  const { _id, name, prescriptionOnly } = after;
  const medicine = { id: _id.toHexString(), name, ...(prescriptionOnly && { prescriptionOnly }) };
  await change.send(
    ...requests.map(({ accountId, email }) => ({
      kind: 'back-in-stock' as const,
      to: { account: accountId, email },
      data: { medicine },
    })),
  );
  await stockRequests.deleteMany({ _id: { $in: requests.map(({ _id }) => _id) } }, { session });
  await change.record(
    ...requests.map((request) => ({
      ...aboutRequest(request),
      action: 'told that it is back' as const,
      before: medicineOf(request),
      after: {},
    })),
  );
}
