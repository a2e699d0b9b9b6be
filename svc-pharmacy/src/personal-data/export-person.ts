import { exported, exportedEvents, exportedLooks, type ExportedPerson, type ExportedThing, type ServiceContext } from '@clinic/service-kit';
import { fieldsOnTheWire } from '../history.ts';
import { toWireOrder } from '../orders/order.ts';
import { storesOf } from '../stores.ts';

/**
 * What the pharmacy keeps about a person: their orders and the history.
 *
 */
export const exportPerson = (context: Pick<ServiceContext, 'db'>, person: ExportedPerson) => exported(() => things(context, person));

async function* things(context: Pick<ServiceContext, 'db'>, person: ExportedPerson): AsyncGenerator<ExportedThing> {
  const own = new Set<string>();
  for await (const order of storesOf(context.db).orders.find({ customerEmail: person.email }).sort({ orderDate: 1, _id: 1 })) {
    own.add(order._id.toHexString());
    yield { kind: 'order', data: toWireOrder(order) };
  }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id), fieldsOnTheWire);
  yield* exportedLooks(context, person);
}
