import { erasedEmail } from '@clinic/contracts/erased-person';
import {
  erasingUpdate,
  forgetInHistory,
  withoutPersonInHistory,
  type Erased,
  type ForgottenPerson,
  type HistoryFields,
  type ServiceContext,
} from '@clinic/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import type { PharmacyChange } from '../pharmacy-change.ts';
import { changeOrderStatus } from '../orders/change-order-status.ts';
import { unowned } from '../accounts/customer-accounts.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import { collectionsOf } from '../collections.ts';
import { customerDeleted, orderInCopy } from './personal-records.ts';

const batchSize = 50;

type Context = Pick<ServiceContext, 'db' | 'inTransaction'>;

/**
 * Erases a person: pending orders are cancelled, which returns their stock; orders stay without address and phone, so revenue
 * doesn't change; the history keeps a pseudonym. Completed steps are detected, so the call may be repeated after any
 * interruption.
 *
 * @param changeIn - makes the {@link PharmacyChange} for a transaction
 * @param until - `performance.now()` after which to start nothing new
 */
export async function erasePerson(
  context: Context,
  person: ForgottenPerson,
  changeIn: (session: ClientSession) => PharmacyChange,
  until: number,
): Promise<Erased> {
  const { orders, medicines, stockRequests } = collectionsOf(context.db);
  let records = 0;
  let cancelled = 0;
  for (const filter of ordersOf(person)) {
    for (;;) {
      const found = await orders.find(filter, { projection: { _id: 1 }, limit: batchSize }).toArray();
      if (found.length === 0) break;
      for (const { _id } of found) {
        if (performance.now() > until) return { done: false, records, cancelled, events: 0 };
        if (await context.inTransaction((session) => eraseFromOrder(changeIn(session), { ...filter, _id }, person)))
          cancelled += 1;
        records += 1;
      }
    }
  }
  records += (await stockRequests.deleteMany({ accountId: person.userId })).deletedCount;
  // Which medicines were added is the pharmacy's own record and doesn't need the name. Only staff add them, and staff addresses
  // are confirmed.
  if (person.emailConfirmed)
    await medicines.updateMany(
      { pharmacistEmail: person.email },
      { $set: { pharmacistEmail: erasedEmail(person.userId) } },
    );
  const { events, done } = await forgetInHistory(context, person, {
    until,
    // Their changes to somebody else's order or to the stock aren't about them.
    redact: (fields, { record, concerns = [], accounts = [] }) =>
      record.type === 'order' && (concerns.includes(person.email) || accounts.includes(person.userId))
        ? withoutPersonInHistory(fields, orderHistory(person))
        : fields,
  });
  return { done, records, cancelled, events };
}

const orderHistory = ({ userId }: ForgottenPerson): HistoryFields<OrderRecord> => ({
  rules: customerDeleted,
  inCopy: orderInCopy,
  instead: { customerEmail: erasedEmail(userId) },
  // The medicines and units that a cancelled order couldn't return.
  alsoKept: ['unreturned'],
});

/** Orders of the account, and under a confirmed address those without an account: never another account's. */
function ordersOf({ email, userId, emailConfirmed }: ForgottenPerson): Filter<OrderRecord>[] {
  return [{ customerId: userId }, ...(emailConfirmed ? [{ customerEmail: email, ...unowned }] : [])];
}

/** @returns whether it was cancelled */
async function eraseFromOrder(
  change: PharmacyChange,
  filter: Filter<OrderRecord>,
  person: ForgottenPerson,
): Promise<boolean> {
  const { collections, session } = change;
  const { orders } = collections;
  const order = await orders.findOne(filter, { session });
  if (!order) return false;
  const { _id } = order;
  const cancels = order.status === 'pending';
  if (cancels) await changeOrderStatus(change, _id, { newStatus: 'Cancelled' }, () => ['admin']);
  const erasing = erasingUpdate(order, customerDeleted, { customerEmail: erasedEmail(person.userId) });
  await orders.updateOne({ _id }, erasing, { session });
  return cancels;
}
