import {
  clinicMoment,
  hasRole,
  routes,
  type MedicineRecord,
  type OrderActor,
  type Ownership,
  type ParsedBody,
  type Role,
} from '@clinic/contracts';
import {
  assertOwner,
  changeStream,
  erasureHandler,
  exportedPerson,
  listEvents,
  listLooks,
  noteLooks,
  once,
  ProblemError,
  readHistory,
  readPage,
  reportPeriod,
  takeUserLock,
  type Handlers,
  type ContextFor,
  type ServiceRequest,
  type SessionCaller,
} from '@clinic/service-kit';
import type { Response } from 'express';
import { ObjectId, type ClientSession } from 'mongodb';
import { changeIn, type Change } from './change.ts';
import { fieldsOnTheWire } from './history.ts';
import { addMedicine } from './medicines/add-medicine.ts';
import { medicineEtag } from './medicines/edition.ts';
import { importMedicines, refuseTakenNumbers } from './medicines/import-medicines.ts';
import { medicineFilter, medicineSorts } from './medicines/list-medicines.ts';
import { withNextMedicineNumber } from './medicines/medicine-number.ts';
import { toMedicineRecord, type MedicineDocument } from './medicines/medicine.ts';
import { updateMedicine } from './medicines/update-medicine.ts';
import { changeOrderStatus } from './orders/change-order-status.ts';
import { assertRoomForOneMore } from './orders/open-orders.ts';
import { customerLimit } from './orders/household-limits.ts';
import { orderFilter, orderSortFor, orderSorts } from './orders/list-orders.ts';
import { toWireOrder, type OrderDocument } from './orders/order.ts';
import { placeOrder } from './orders/place-order.ts';
import { KeyedLocks } from './orders/turns.ts';
import { erasePerson } from './personal-data/erase-person.ts';
import { exportPerson } from './personal-data/export-person.ts';
import { orderReport } from './reports/report-orders.ts';
import { stockReport } from './reports/report-stock.ts';
import type { settings } from './settings.ts';
import { storesOf, type Stores } from './stores.ts';

type Context = ContextFor<typeof settings>;

/** Handlers of every pharmacy call: parsed and authorised by the kit, then one domain function each. */
export function handlers(context: Context): Handlers<'pharmacy'> {
  const stores = storesOf(context.db);
  const locks = new KeyedLocks();
  const looks = noteLooks(context);
  const { PHARMACY_UNITS_PER_CUSTOMER: limits, PHARMACY_PENDING_ORDER_HOURS: holdHours } = context.settings;
  const mostOrdered = {
    orders: context.settings.PHARMACY_MAX_OPEN_ORDERS,
    medicines: context.settings.PHARMACY_MAX_OPEN_MEDICINES,
    unconfirmed: context.settings.PHARMACY_MAX_OPEN_ORDERS_UNCONFIRMED,
  };
  const onTheWire = (medicine: MedicineDocument): MedicineRecord => toMedicineRecord(medicine, limits);
  /** The record, with an ETag that lets its reader update exactly what they have seen. */
  const tagged = (response: Response, medicine: MedicineDocument): MedicineRecord => {
    response.setHeader('ETag', medicineEtag(medicine));
    return onTheWire(medicine);
  };

  return {
    listMedicines: ({ query }) =>
      readPage(stores.medicines, {
        query,
        filter: medicineFilter(query, clinicToday(context)),
        sorts: medicineSorts,
        defaultSort: query.expiry ? 'expiry' : 'name',
        map: onTheWire,
      }),

    addMedicine: async (request) => {
      const { medicine, addedDate } = request.body;
      const add = (medicineId: string) =>
        context.inTransaction((session) =>
          addMedicine(changeOf(context, request, session), {
            ...medicine,
            medicineId,
            addedDate,
            pharmacistEmail: request.caller.email,
          }),
        );
      return onTheWire(
        medicine.medicineId ? await add(medicine.medicineId) : await withNextMedicineNumber(stores, add),
      );
    },

    checkMedicineImport: async ({ body }) => {
      await refuseTakenNumbers(stores, body.medicines);
      return { acceptable: body.medicines.length };
    },

    importMedicines: (request) =>
      once(context, request, async (session) => {
        const { body, caller } = request;
        return { added: await importMedicines(changeOf(context, request, session), body.medicines, caller.email) };
      }),

    getMedicine: async ({ params, res }) => tagged(res, await findMedicine(stores, params.id)),

    updateMedicine: async (request) => {
      const { params, body, req, res } = request;
      const medicine = await context.inTransaction((session) =>
        updateMedicine(changeOf(context, request, session), new ObjectId(params.id), body, req.get('if-match')),
      );
      return tagged(res, medicine);
    },

    listOrders: async (request) => {
      const { query, caller } = request;
      // The caller's own address means their account; only staff may ask for other addresses.
      const search = query.email === caller.email ? { ...query, email: undefined, customerId: caller.id } : query;
      const found = await readPage(stores.orders, {
        query,
        filter: orderFilter(search, context.settings.CLINIC_TZ),
        sorts: orderSorts,
        defaultSort: orderSortFor(search),
        map: toWireOrder,
      });
      return looks.listed(request, 'orders', found, ({ customeremail }) => ({ email: customeremail }));
    },

    listPharmacyLooks: ({ query, caller }) => listLooks(context, query, caller, { email: query.email }),

    watchPharmacy: changeStream(context, {
      lists: { order: ['listOrders'], medicine: ['listMedicines'] },
      seeAll: staffRoles,
    }),

    placeOrder: (request) => {
      const { items, deliveryAddress, customeremail, customerPhone } = request.body;
      const { caller } = request;
      const place = async (session: ClientSession) => {
        await takeUserLock(context, session, caller.id);
        const onOrder = isStaff(caller)
          ? undefined
          : await assertRoomForOneMore(
              { stores, session },
              caller,
              items.map(({ medicineId }) => medicineId),
              mostOrdered,
            );
        const allowance =
          onOrder &&
          ((medicine: MedicineDocument) => customerLimit(medicine, limits) - (onOrder.get(medicine.medicineId) ?? 0));
        return toWireOrder(
          await placeOrder(changeOf(context, request, session), {
            items,
            deliveryAddress,
            customerId: caller.id,
            customerEmail: customeremail,
            customerPhone,
            allowance,
            limits,
            holdHours,
          }),
        );
      };
      return locks.take(
        items.map(({ medicineId }) => medicineId),
        () => once(context, { ...request, body: withoutPrices(request.body) }, place),
      );
    },

    changeOrderStatus: async (request) => {
      const actorsFor = (order: OrderDocument) => orderActors(request, order);
      return toWireOrder(
        await context.inTransaction((session) =>
          changeOrderStatus(
            changeOf(context, request, session),
            new ObjectId(request.params.id),
            request.body.newStatus,
            actorsFor,
          ),
        ),
      );
    },

    reportOrders: ({ query }) => {
      const period = reportPeriod(query, context.settings.CLINIC_TZ);
      // One snapshot, so that the parts of the report add up despite concurrent orders.
      return context.inTransaction((session) => orderReport(stores, period, session));
    },

    reportStock: () =>
      context.inTransaction((session) =>
        stockReport(stores, clinicToday(context), context.settings.CLINIC_TZ, session),
      ),

    listPharmacyEvents: ({ query }) => listEvents(context, query, { map: fieldsOnTheWire }),

    exportPharmacyData: async (request) => {
      const person = exportedPerson(request.query.email, request.caller);
      return looks.exported(request, 'orders', exportPerson(context, person), person);
    },

    erasePharmacyData: erasureHandler(context, (request, until) =>
      erasePerson(context, request.body, (session) => changeOf(context, request, session), until),
    ),

    getMedicineHistory: async ({ params, caller }) => {
      const medicine = await findMedicine(stores, params.id);
      return readHistory(context, {
        ...historyView,
        record: { type: 'medicine', id: medicine._id.toHexString() },
        reader: caller,
      });
    },

    getOrderHistory: async (request) => {
      const { call, params, caller } = request;
      const order = await stores.orders.findOne({ _id: new ObjectId(params.id) });
      if (!order) throw new ProblemError('not_found', { detail: 'We can’t find this order.' });
      assertOwner(call.access, caller, ownersOf(order));
      looks.opened(request, 'orders', { email: order.customerEmail });
      return readHistory(context, {
        ...historyView,
        record: { type: 'order', id: order._id.toHexString() },
        reader: caller,
      });
    },
  };
}

/**
 * The part of an order that an `Idempotency-Key` identifies. A customer who retries after a lost response may send another
 * price: the retry must find the existing order instead of being rejected as a different request.
 */
function withoutPrices(body: ParsedBody<'placeOrder'>): ParsedBody<'placeOrder'> {
  return { ...body, items: body.items.map(({ medicineId, quantity }) => ({ medicineId, quantity })) };
}

async function findMedicine({ medicines }: Stores, id: string): Promise<MedicineDocument> {
  const medicine = await medicines.findOne({ _id: new ObjectId(id) });
  if (!medicine) throw new ProblemError('not_found', { detail: 'We can’t find this medicine.' });
  return medicine;
}

function ownersOf({ customerId }: OrderDocument): Ownership {
  return { customer: customerId };
}

/** Roles that see everybody's orders and who acted; customers see that the pharmacy acted, but not who. */
const staffRoles = ['admin', 'pharmacist'] as const satisfies readonly Role[];
type Staff = (typeof staffRoles)[number];

function isStaff(caller: SessionCaller): caller is SessionCaller & { readonly role: Staff } {
  return hasRole(caller, staffRoles);
}

/** How histories are returned. */
const historyView = { namesShownTo: staffRoles, map: fieldsOnTheWire } as const;

function clinicToday({ settings }: Context, now = new Date()): string {
  return clinicMoment(now, settings.CLINIC_TZ).date;
}

/** Context of a call's change; its history entries name the caller and the request. */
function changeOf(context: Context, { call, caller, requestId }: ServiceRequest, session: ClientSession): Change {
  return changeIn(context, session, { call, caller, requestId });
}

/**
 * The caller's part in an order: staff by role, its customer by account.
 *
 * @throws ProblemError `forbidden` if they are neither
 */
function orderActors({ caller }: ServiceRequest<'changeOrderStatus'>, order: OrderDocument): OrderActor[] {
  assertOwner(routes.changeOrderStatus.access, caller, ownersOf(order));
  const actors: OrderActor[] = [];
  if (isStaff(caller)) actors.push(caller.role);
  if (caller.id === order.customerId) actors.push('customer');
  return actors;
}
