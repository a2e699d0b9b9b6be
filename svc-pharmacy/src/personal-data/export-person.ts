import {
  exported,
  exportedEvents,
  exportedLooks,
  type ExportedPerson,
  type ExportedThing,
  type ServiceContext,
} from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { fieldsOnTheWire } from '../history.ts';
import { nobodys } from '../orders/customer-accounts.ts';
import { toWireOrder, type OrderDocument } from '../orders/order.ts';
import { storesOf } from '../stores.ts';

/**
 * The pharmacy's data about a person: their orders and the history.
 *
 * @param person - whose export it is
 */
export const exportPerson = (context: Pick<ServiceContext, 'db'>, person: ExportedPerson) =>
  exported(() => things(context, person));

async function* things(context: Pick<ServiceContext, 'db'>, person: ExportedPerson): AsyncGenerator<ExportedThing> {
  const own = new Set<string>();
  for (const filter of ordersOf(person)) {
    for await (const order of storesOf(context.db).orders.find(filter).sort({ orderDate: 1, _id: 1 })) {
      own.add(order._id.toHexString());
      yield { kind: 'order', data: toWireOrder(order) };
    }
  }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id), fieldsOnTheWire);
  yield* exportedLooks(context, person);
}

/** An account's own export has what belongs to the account, and what is under its confirmed address without an account. */
function ordersOf({ id, email, byEmail }: ExportedPerson): Filter<OrderDocument>[] {
  if (id === undefined) return [{ customerEmail: email }];
  return [{ customerId: id }, ...(byEmail ? [{ customerEmail: email, ...nobodys }] : [])];
}
