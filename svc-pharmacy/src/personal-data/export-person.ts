import {
  exported,
  exportedEvents,
  exportedLooks,
  type ExportedPerson,
  type ExportedThing,
  type ServiceContext,
} from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { fieldsOnTheWire } from '../history/history-view.ts';
import { toStockRequest } from '../back-in-stock/stock-request-record.ts';
import { unowned } from '../accounts/customer-accounts.ts';
import { toOrder, type OrderRecord } from '../orders/order-record.ts';
import { collectionsOf } from '../collections.ts';

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
    for await (const order of collectionsOf(context.db).orders.find(filter).sort({ orderDate: 1, _id: 1 })) {
      own.add(order._id.toHexString());
      yield { kind: 'order', data: toOrder(order) };
    }
  }
  const asked = person.id === undefined ? { email: person.email } : { accountId: person.id };
  for await (const request of collectionsOf(context.db).stockRequests.find(asked).sort({ askedAt: 1, _id: 1 })) {
    own.add(request._id.toHexString());
    yield { kind: 'stock request', data: { ...toStockRequest(request), email: request.email } };
  }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id), fieldsOnTheWire);
  yield* exportedLooks(context, person);
}

/** An account's own export has what belongs to the account, and what is under its confirmed address without an account. */
function ordersOf({ id, email, byEmail }: ExportedPerson): Filter<OrderRecord>[] {
  if (id === undefined) return [{ customerEmail: email }];
  return [{ customerId: id }, ...(byEmail ? [{ customerEmail: email, ...unowned }] : [])];
}
