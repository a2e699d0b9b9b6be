import {
  exported,
  exportedEvents,
  exportedLooks,
  type ExportedThing,
  type Person,
  type ServiceContext,
} from '@clinic/service-kit';
import { fieldsOnTheWire } from '../history/history-view.ts';
import { toStockRequest } from '../back-in-stock/stock-request-record.ts';
import { toOrder } from '../orders/order-record.ts';
import { collectionsOf } from '../collections.ts';
import { pharmacyRecords } from './personal-records.ts';

/**
 * The pharmacy's data about a person: their orders and the history.
 *
 * @param person - whose export it is
 */
export const exportPerson = (context: Pick<ServiceContext, 'db'>, person: Person) =>
  exported(() => things(context, person));

async function* things(context: Pick<ServiceContext, 'db'>, person: Person): AsyncGenerator<ExportedThing> {
  const own = new Set<string>();
  for (const filter of pharmacyRecords.orders.whose.customer(person)) {
    for await (const order of collectionsOf(context.db).orders.find(filter).sort({ orderDate: 1, _id: 1 })) {
      own.add(order._id.toHexString());
      const { customerPhoneE164 } = order;
      yield { kind: 'order', data: { ...toOrder(order), ...(customerPhoneE164 && { customerPhoneE164 }) } };
    }
  }
  for (const filter of pharmacyRecords.stockRequests.whose.asker(person))
    for await (const request of collectionsOf(context.db).stockRequests.find(filter).sort({ askedAt: 1, _id: 1 })) {
      own.add(request._id.toHexString());
      yield { kind: 'stock request', data: { ...toStockRequest(request), email: request.email } };
    }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id), fieldsOnTheWire);
  yield* exportedLooks(context, person);
}
