import { erasedEmail } from '@clinic/contracts/erased-person';
import { forgetInHistory, type Erased, type ForgottenPerson, type ServiceContext } from '@clinic/service-kit';
import type { ClientSession, ObjectId } from 'mongodb';
import type { Change } from '../change.ts';
import { changeOrderStatus } from '../orders/change-order-status.ts';
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
  for (;;) {
    const found = await orders.find({ customerEmail: person.email }, { projection: { _id: 1 }, limit: batchSize }).toArray();
    if (found.length === 0) break;
    for (const { _id } of found) {
      if (performance.now() > until) return { done: false, records, cancelled, events: 0 };
      if (await context.inTransaction((session) => eraseFromOrder(changeIn(session), _id, person))) cancelled += 1;
      records += 1;
    }
  }
  // Which medicines somebody brought in is the pharmacy's own history; who it was is not needed for it.
  await medicines.updateMany({ pharmacistEmail: person.email }, { $set: { pharmacistEmail: erasedEmail(person.userId) } });
  const { events, done } = await forgetInHistory(context, person, { until, redact: (fields) => fields });
  return { done, records, cancelled, events };
}

/** @returns whether it was cancelled */
async function eraseFromOrder(change: Change, _id: ObjectId, { email, userId }: ForgottenPerson): Promise<boolean> {
  const { stores: { orders }, session } = change;
  const order = await orders.findOne({ _id, customerEmail: email }, { session });
  if (!order) return false;
  const cancels = order.status === 'pending';
  if (cancels) await changeOrderStatus(change, _id, 'Cancelled', () => ['admin']);
  await orders.updateOne({ _id }, { $set: { customerEmail: erasedEmail(userId), deliveryAddress: '', customerPhone: '' } }, { session });
  return cancels;
}
