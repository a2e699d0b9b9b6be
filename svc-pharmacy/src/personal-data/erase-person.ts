import { erasedEmail } from '@clinic/contracts/erased-person';
import {
  countErased,
  eraseEach,
  erasingUpdate,
  forgetInHistory,
  giveHistory,
  withoutPersonInHistory,
  type AccountHolder,
  type Erased,
  type HistoryFields,
  type OpenDeletion,
} from '@clinic/service-kit';
import { ObjectId, type Filter } from 'mongodb';
import { changeIn, type PharmacyChange } from '../pharmacy-change.ts';
import { changeOrderStatus } from '../orders/change-order-status.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import { collectionsOf } from '../collections.ts';
import type { PharmacyContext } from '../settings.ts';
import { customerDeleted, customerOnTheWayDeleted, orderInCopy, pharmacyRecords } from './personal-records.ts';

/**
 * Erases a person: pending orders are cancelled, which returns their stock; orders stay without address and phone, so revenue
 * doesn't change, but one that is on its way keeps both until it has arrived; the history keeps a pseudonym. Completed
 * steps are detected, so it may be repeated after any interruption.
 *
 * @param until - `performance.now()` after which to start nothing new
 */
export async function erasePerson(
  context: PharmacyContext,
  { person, requestId }: OpenDeletion,
  until: number,
): Promise<Erased> {
  const { orders, medicines, stockRequests } = collectionsOf(context.db);
  const by = { call: 'erasure', caller: undefined, requestId } as const;
  const theirs = pharmacyRecords.orders.whose.customer(person);
  const erased = await eraseEach(orders, theirs, until, ({ _id }, filter) =>
    context.inTransaction((session) =>
      eraseFromOrder(context, changeIn(context, session, by), { ...filter, _id }, person),
    ),
  );
  if (!erased) return { done: false };
  for (const filter of pharmacyRecords.stockRequests.whose.asker(person))
    await context.inTransaction(async (session) => {
      const { deletedCount } = await stockRequests.deleteMany(filter, { session });
      await countErased(context, session, person, { records: deletedCount });
    });
  // Which medicines were added is the pharmacy's own record and doesn't need the name.
  for (const filter of pharmacyRecords.medicines.whose.pharmacist(person))
    await medicines.updateMany(filter, { $set: { pharmacistEmail: erasedEmail(person.id) } });
  const isCustomerOf = async (id: string): Promise<boolean> =>
    (await orders.findOne({ _id: new ObjectId(id) }, { projection: { customerEmail: 1 } }))?.customerEmail ===
    erasedEmail(person.id);
  return forgetInHistory(context, person, {
    until,
    // Their changes to somebody else's order or to the stock aren't about them.
    redact: async (fields, { record, concerns = [] }, isTheirs) =>
      record.type === 'order' && (concerns.some(isTheirs) || (await isCustomerOf(record.id)))
        ? withoutPersonInHistory(fields, orderHistory(person))
        : fields,
  });
}

const orderHistory = ({ id }: AccountHolder): HistoryFields<OrderRecord> => ({
  rules: customerDeleted,
  inCopy: orderInCopy,
  instead: { customerEmail: erasedEmail(id) },
  // The medicines and units that a cancelled order couldn't return.
  alsoKept: ['unreturned'],
});

async function eraseFromOrder(
  { db }: Pick<PharmacyContext, 'db'>,
  change: PharmacyChange,
  filter: Filter<OrderRecord>,
  person: AccountHolder,
): Promise<void> {
  const { collections, session } = change;
  const { orders } = collections;
  const order = await orders.findOne(filter, { session });
  if (!order) return;
  const { _id } = order;
  const cancels = order.status === 'pending';
  if (cancels) await changeOrderStatus(change, _id, { newStatus: 'Cancelled' }, () => ['admin']);
  const onTheWay = order.status === 'Shipped';
  const { $set, $unset } = erasingUpdate(order, onTheWay ? customerOnTheWayDeleted : customerDeleted, {
    customerEmail: erasedEmail(person.id),
  });
  await orders.updateOne(
    { _id },
    { $set: { ...$set, ...(onTheWay && { erasedAt: change.now }) }, $unset },
    { session },
  );
  // An order that had no account yet.
  await giveHistory({ db }, session, 'order', [_id], person.id);
  await countErased({ db }, session, person, { records: 1, cancelled: cancels ? 1 : 0 });
}
