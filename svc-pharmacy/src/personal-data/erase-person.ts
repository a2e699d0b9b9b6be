import { erasedEmail } from '@clinic/contracts/erased-person';
import { forgetInHistory, type Erased, type ForgottenPerson, type ServiceContext } from '@clinic/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import type { Change } from '../change.ts';
import { changeOrderStatus } from '../orders/change-order-status.ts';
import { nobodys } from '../orders/customer-accounts.ts';
import type { OrderDocument } from '../orders/order.ts';
import { storesOf } from '../stores.ts';

const batchSize = 50;

type Context = Pick<ServiceContext, 'db' | 'inTransaction'>;

/**
 * Forgets who a person was: orders that nobody has sent yet are cancelled, which returns their stock; orders stay without
 * address and phone, and so does what they were worth; the history keeps a pseudonym. Whatever was done already is found
 * done, so the call may be repeated after any interruption.
 *
 * @param changeIn - what a change within that transaction works with
 * @param until - `performance.now()` after which nothing more is begun
 */
export async function erasePerson(context: Context, person: ForgottenPerson, changeIn: (session: ClientSession) => Change, until: number): Promise<Erased> {
  const { orders, medicines } = storesOf(context.db);
  let records = 0;
  let cancelled = 0;
  for (const filter of ordersOf(person)) {
    for (;;) {
      const found = await orders.find(filter, { projection: { _id: 1 }, limit: batchSize }).toArray();
      if (found.length === 0) break;
      for (const { _id } of found) {
        if (performance.now() > until) return { done: false, records, cancelled, events: 0 };
        if (await context.inTransaction((session) => eraseFromOrder(changeIn(session), { ...filter, _id }, person))) cancelled += 1;
        records += 1;
      }
    }
  }
  // Which medicines somebody brought in is the pharmacy's own history; who it was is not needed for it. Only staff do, and their addresses are confirmed.
  if (person.emailConfirmed) await medicines.updateMany({ pharmacistEmail: person.email }, { $set: { pharmacistEmail: erasedEmail(person.userId) } });
  const { events, done } = await forgetInHistory(context, person, { until, redact: (fields) => fields });
  return { done, records, cancelled, events };
}

/** Orders of the account, and under a confirmed address those that no account has: never another account's. */
function ordersOf({ email, userId, emailConfirmed }: ForgottenPerson): Filter<OrderDocument>[] {
  return [{ customerId: userId }, ...(emailConfirmed ? [{ customerEmail: email, ...nobodys }] : [])];
}

/** @returns whether it was cancelled */
async function eraseFromOrder(change: Change, filter: Filter<OrderDocument>, person: ForgottenPerson): Promise<boolean> {
  const { stores: { orders }, session } = change;
  const order = await orders.findOne(filter, { session });
  if (!order) return false;
  const { _id } = order;
  const cancels = order.status === 'pending';
  if (cancels) await changeOrderStatus(change, _id, 'Cancelled', () => ['admin']);
  await orders.updateOne({ _id }, { $set: { customerEmail: erasedEmail(person.userId), deliveryAddress: '', customerPhone: '' }, $unset: { customerId: '' } }, { session });
  return cancels;
}
