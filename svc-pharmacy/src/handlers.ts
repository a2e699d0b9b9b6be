import { clinicMoment, routes, type OrderActor } from '@clinic/contracts';
import { appendEvent, assertOwner, once, ProblemError, readPage, type Handlers, type ContextFor, type ServiceRequest } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import type { Change } from './change.ts';
import { historyOf } from './history.ts';
import { addMedicine } from './medicines/add-medicine.ts';
import { medicineFilter, medicineSorts } from './medicines/list-medicines.ts';
import { withNextMedicineNumber } from './medicines/medicine-number.ts';
import { toMedicineRecord } from './medicines/medicine.ts';
import { updateMedicine } from './medicines/update-medicine.ts';
import { changeOrderStatus } from './orders/change-order-status.ts';
import { orderFilter, orderSorts } from './orders/list-orders.ts';
import { toWireOrder, type OrderDocument } from './orders/order.ts';
import { placeOrder } from './orders/place-order.ts';
import type { settings } from './settings.ts';
import { storesOf } from './stores.ts';

type Context = ContextFor<typeof settings>;

/** Every pharmacy call of the contracts: parsed and authorised by the kit, decided by one domain function each. */
export function handlers(context: Context): Handlers<'pharmacy'> {
  const stores = storesOf(context.db);

  return {
    listMedicines: ({ query }) =>
      readPage(stores.medicines, { query, filter: medicineFilter(query), sorts: medicineSorts, defaultSort: 'name', map: toMedicineRecord }),

    addMedicine: async (request) => {
      const { medicine, addedDate } = request.body;
      const add = (medicineId: string) =>
        context.inTransaction((session) =>
          addMedicine(changeOf(context, request, session), { ...medicine, medicineId, addedDate, pharmacistEmail: request.caller.email }),
        );
      return toMedicineRecord(medicine.medicineId ? await add(medicine.medicineId) : await withNextMedicineNumber(stores, add));
    },

    updateMedicine: async (request) =>
      toMedicineRecord(
        await context.inTransaction((session) => updateMedicine(changeOf(context, request, session), new ObjectId(request.params.id), request.body)),
      ),

    listOrders: ({ query }) =>
      readPage(stores.orders, { query, filter: orderFilter(query), sorts: orderSorts, defaultSort: query.q ? 'customer' : 'newest', map: toWireOrder }),

    placeOrder: (request) =>
      once(context, request, async (session) => {
        const { items, deliveryAddress, customeremail, customerPhone } = request.body;
        return toWireOrder(await placeOrder(changeOf(context, request, session), { items, deliveryAddress, customerEmail: customeremail, customerPhone }));
      }),

    changeOrderStatus: async (request) => {
      const actorsFor = (order: OrderDocument) => orderActors(request, order);
      return toWireOrder(
        await context.inTransaction((session) =>
          changeOrderStatus(changeOf(context, request, session), new ObjectId(request.params.id), request.body.newStatus, actorsFor),
        ),
      );
    },

    getMedicineHistory: async ({ params, caller }) => {
      const medicine = await stores.medicines.findOne({ _id: new ObjectId(params.id) }, { projection: { _id: 1 } });
      if (!medicine) throw new ProblemError('not_found', { detail: 'There is no such medicine.' });
      return historyOf(context.db, 'medicine', medicine._id.toHexString(), caller);
    },

    getOrderHistory: async ({ call, params, caller }) => {
      const order = await stores.orders.findOne({ _id: new ObjectId(params.id) });
      if (!order) throw new ProblemError('not_found', { detail: 'There is no such order.' });
      assertOwner(call.access, caller, toWireOrder(order));
      return historyOf(context.db, 'order', order._id.toHexString(), caller);
    },
  };
}

/** What a call's change works with; its history says who made it, with which request. */
function changeOf(context: Context, request: ServiceRequest, session: ClientSession): Change {
  const { call, caller, requestId } = request;
  const now = new Date();
  return {
    stores: storesOf(context.db),
    session,
    now,
    today: clinicMoment(now, context.settings.CLINIC_TZ).date,
    lowStockBelow: context.settings.LOW_STOCK_BELOW,
    record: (entry) => appendEvent(context, session, { call, caller, requestId, ...entry }),
  };
}

/**
 * What the caller is to an order: staff by their role, its customer by their e-mail.
 *
 * @throws ProblemError `forbidden` when they are neither
 */
function orderActors({ caller }: ServiceRequest<'changeOrderStatus'>, order: OrderDocument): OrderActor[] {
  assertOwner(routes.changeOrderStatus.access, caller, toWireOrder(order));
  const actors: OrderActor[] = [];
  if (caller.role === 'admin' || caller.role === 'pharmacist') actors.push(caller.role);
  if (caller.email === order.customerEmail) actors.push('customer');
  return actors;
}
