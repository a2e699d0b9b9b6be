import { ObjectId, type Collection } from 'mongodb';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import {
  about,
  appendEvent,
  assertOwner,
  changeStream,
  defineService,
  exported,
  exportedLooks,
  exportedPerson,
  erasureHandler,
  integer,
  listLooks,
  once,
  ownedBy,
  ProblemError,
  readPage,
  type ContextFor,
  type ExportedThing,
  type Person,
  type Handlers,
} from '../index.ts';

const settings = { LOW_STOCK_BELOW: integer({ min: 1, default: 10 }) };
export type ShopSettings = typeof settings;
type ShopContext = ContextFor<typeof settings>;

/** A medicine in the test service. */
export interface ShelfRow {
  readonly _id: ObjectId;
  readonly name: string;
  readonly group: number;
}

interface OrderRow extends Omit<Order, '_id'> {
  readonly _id: ObjectId;
  /** The account that placed it. */
  readonly customerId: string;
}

export const shelfOf = ({ db }: Pick<ShopContext, 'db'>): Collection<ShelfRow> => db.collection('shelf');
export const ordersOf = ({ db }: Pick<ShopContext, 'db'>): Collection<OrderRow> => db.collection('orders');

function medicineOnTheWire({ _id, name, group }: ShelfRow): Medicine {
  return {
    _id: { $oid: _id.toHexString() },
    pharmacistEmail: '',
    addedDate: '2026-01-01',
    status: 'in stock',
    medicine: {
      medicineId: _id.toHexString(),
      name,
      manufacturer: String(group),
      quantity: { $numberInt: '1' },
      unit: 'box',
      expiryDate: '2030-01-01',
      pricePerUnit: { $numberDouble: '1.5' },
    },
  };
}

const orderOnTheWire = ({ _id, customerId: id, ...order }: OrderRow): Order =>
  ownedBy({ email: order.customeremail, id }, { _id: _id.toHexString(), ...order });

/** Calls of the real pharmacy that the kit's tests don't use. */
const otherCalls = Object.fromEntries(
  Object.keys(pharmacyCalls).map((id) => [id, () => Promise.reject(new ProblemError('not_found'))]),
) as unknown as Handlers<'pharmacy'>;

/** Calls that read a person's records. */
function lookedAt(context: ShopContext) {
  const orders = ordersOf(context);
  return {
    listOrders: async ({ query }) => {
      const filter = query.email ? { customeremail: query.email } : {};
      return readPage(orders, {
        filter,
        query,
        sorts: { id: { _id: 1 } },
        defaultSort: 'id',
        map: orderOnTheWire,
      });
    },
    getOrderHistory: async (request) => {
      const row = await orders.findOne({ _id: new ObjectId(request.params.id) });
      if (!row) throw new ProblemError('not_found');
      assertOwner(request.call.access, request.caller, { customer: row.customerId });
      return about({ email: row.customeremail, id: row.customerId }, []);
    },
    listPharmacyLooks: ({ query, caller }) => listLooks(context, query, caller, { email: query.email }),
    exportPharmacyData: async ({ query, caller }) => {
      const person = await exportedPerson(context, query.email, caller, query.userId);
      return about(
        person,
        exported(() => thingsOf(context, person)),
      );
    },
    erasePharmacyData: erasureHandler(context),
  } satisfies Partial<Handlers<'pharmacy'>>;
}

async function* thingsOf(context: ShopContext, person: Person): AsyncGenerator<ExportedThing> {
  for await (const row of ordersOf(context).find({ customeremail: person.email }))
    yield { kind: 'order', data: orderOnTheWire(row) };
  yield* exportedLooks(context, person);
}

/** A minimal pharmacy: a service for the kit's own tests. */
export const shopService = defineService({
  name: 'pharmacy',
  calls: pharmacyCalls,
  settings,
  indexes: {
    shelf: [{ key: { name: 1, _id: 1 } }, { key: { group: 1, name: 1, _id: 1 } }],
    orders: [{ key: { customeremail: 1, _id: 1 } }],
  },
  erase:
    (context) =>
    async ({ person }) => {
      const { deletedCount } = await ordersOf(context).deleteMany({ customerId: person.id });
      return { done: true, records: deletedCount, cancelled: 0, events: 0 };
    },
  handlers: (context) => ({
    ...otherCalls,
    ...lookedAt(context),
    listMedicines: ({ query }) =>
      readPage(shelfOf(context), {
        filter: query.status === 'low stock' ? { group: 1 } : {},
        query,
        sorts: { name: { name: 1 }, '-name': { name: -1, _id: -1 }, group: { group: 1, name: -1, _id: 1 } },
        defaultSort: 'name',
        map: medicineOnTheWire,
      }),
    watchPharmacy: changeStream(context, { lists: { order: ['listOrders'] }, seeAll: ['admin'] }),
    addMedicine: async ({ body }) => {
      if (body.medicine.name === 'explode') throw new Error('secret of the inside');
      if (body.medicine.name === 'garble') JSON.parse(body.medicine.manufacturer);
      const row: ShelfRow = { _id: new ObjectId(), name: body.medicine.name, group: 0 };
      await shelfOf(context).insertOne(row);
      return medicineOnTheWire(row);
    },
    updateMedicine: async ({ params }) => {
      const row = await shelfOf(context).findOne({ _id: new ObjectId(params.id) });
      if (!row) throw new ProblemError('not_found');
      return medicineOnTheWire(row);
    },
    placeOrder: (request) =>
      once(context, request, async (session) => {
        const { deliveryAddress, customeremail, customerPhone } = request.body;
        if (deliveryAddress === 'nowhere') throw new ProblemError('stock_short');
        const row: OrderRow = {
          _id: new ObjectId(),
          customerId: request.caller.id,
          items: [],
          orderDate: '2026-01-01T00:00:00.000Z',
          status: 'pending',
          deliveryAddress,
          customeremail,
          customerPhone,
        };
        await ordersOf(context).insertOne(row, { session });
        const { call, caller, requestId } = request;
        await appendEvent(context, session, {
          call,
          caller,
          requestId,
          record: { type: 'order', id: row._id.toHexString() },
          accounts: [caller.id],
          action: 'order placed',
          before: null,
          after: { status: 'pending' },
        });
        return orderOnTheWire(row);
      }),
    changeOrderStatus: async ({ params, body, caller, call }) => {
      const row = await ordersOf(context).findOne({ _id: new ObjectId(params.id) });
      if (!row) throw new ProblemError('not_found');
      assertOwner(call.access, caller, { customer: row.customerId });
      await ordersOf(context).updateOne({ _id: row._id }, { $set: { status: body.newStatus } });
      return orderOnTheWire({ ...row, status: body.newStatus });
    },
  }),
});

/** A valid body for placeOrder. */
export function orderBody(customeremail: string, deliveryAddress = 'Road 5') {
  return {
    items: [{ medicineId: 'm1', quantity: 1 }],
    deliveryAddress,
    customeremail,
    customerPhone: '+880 1555 010101',
  };
}
