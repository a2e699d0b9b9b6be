import { hasRole, isAllowed, type Ownership, type ParsedBody } from '@clinic/contracts';
import { pharmacyCalls } from '../contract/calls.ts';
import { keepers } from '../contract/stock-calls.ts';
import {
  about,
  assertOwner,
  countToday,
  changeStream,
  once,
  ProblemError,
  readHistory,
  readPage,
  readStanding,
  takeUserLock,
  type DailyAct,
  type Handler,
  type ServiceRequest,
  type SessionCaller,
} from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { collectionsOf } from '../collections.ts';
import type { OrderActor } from '../contract/transitions.ts';
import { historyView, staffRoles } from '../history/history-view.ts';
import { changeOf } from '../pharmacy-change.ts';
import type { PharmacyContext } from '../settings.ts';
import { changeOrderStatus } from './change-order-status.ts';
import type { KeyedLocks } from './keyed-locks.ts';
import { orderSearch, orderSortFor, orderSorts } from './list-orders.ts';
import { toOrder, type OrderRecord } from './order-record.ts';
import { placeOrder } from './place-order.ts';

/** Handlers of the calls under /orderMedi. */
export function orderHandlers(context: PharmacyContext, locks: KeyedLocks) {
  const collections = collectionsOf(context.db);

  const listOrders: Handler<'listOrders'> = async ({ query, caller }) => {
    // The caller's own address means their account; only staff may ask for other addresses.
    const search = query.email === caller.email ? { ...query, email: undefined, customerId: caller.id } : query;
    return readPage(collections.orders, {
      query,
      filter: orderSearch(search, context.settings.CLINIC_TZ),
      sorts: orderSorts,
      defaultSort: orderSortFor(search),
      map: toOrder,
      unread: ['itemKeys', 'recipientKeys'],
    });
  };

  const watchPharmacy = changeStream(context, {
    all: () => ['listOrders', 'listMedicines', 'listMovements', 'listStockRequests'],
    touchedBy: ({ type, accounts }, caller) => {
      if (type === 'medicine') return isAllowed(caller, keepers) ? ['listMedicines', 'listMovements'] : [];
      if (type === 'stock request') return accounts.includes(caller.id) ? ['listStockRequests'] : [];
      return type === 'order' && (isStaff(caller) || accounts.includes(caller.id)) ? ['listOrders'] : [];
    },
  });

  const place: Handler<'placeOrder'> = async (request) => {
    // Before the locks: while svc-identity is slow, orders of the same medicine would wait for each other.
    const recipientName = await recipientOf(context, request);
    return locks.take(
      request.body.items.map(({ medicineId }) => medicineId),
      () => placeOnce(context, request, recipientName),
    );
  };

  const changeStatus: Handler<'changeOrderStatus'> = async (request) =>
    toOrder(
      await context.inTransaction((session) =>
        changeOrderStatus(changeOf(context, request, session), new ObjectId(request.params.id), request.body, (order) =>
          orderActors(request, order),
        ),
      ),
    );

  const getOrderHistory: Handler<'getOrderHistory'> = async (request) => {
    const { call, params, caller } = request;
    const order = await collections.orders.findOne({ _id: new ObjectId(params.id) });
    if (!order) throw new ProblemError('not_found', { detail: 'We can’t find this order.' });
    assertOwner(call.access, caller, ownershipOf(order));
    const record = { type: 'order', id: order._id.toHexString() };
    const history = await readHistory(context, { ...historyView, record, reader: caller });
    return about({ email: order.customerEmail, id: order.customerId }, history);
  };

  return {
    listOrders,
    watchPharmacy,
    placeOrder: place,
    changeOrderStatus: changeStatus,
    getOrderHistory,
  };
}

/** Orders that are cancelled again count, too: each takes stock and sends mails. */
const ordersOfDay: DailyAct = { act: 'orders', most: 20, done: 'ordered', instead: 'call the clinic' };

/** The recipient in the request, or else the account's own name. An order doesn't fail for want of it. */
async function recipientOf(
  context: PharmacyContext,
  { body, caller }: ServiceRequest<'placeOrder'>,
): Promise<string | undefined> {
  if (body.recipientName) return body.recipientName;
  try {
    return (await readStanding(context, caller.id)).name;
  } catch (error) {
    context.log.warn({ reason: (error as Error).message }, 'an order is without its recipient’s name');
    return undefined;
  }
}

function placeOnce(context: PharmacyContext, request: ServiceRequest<'placeOrder'>, recipientName: string | undefined) {
  const { body, caller } = request;
  return once(context, { ...request, body: withoutPrices(body) }, async (session) => {
    await takeUserLock(context, session, caller.id);
    if (!isStaff(caller)) await countToday(context, session, caller.id, ordersOfDay);
    const order = await placeOrder(changeOf(context, request, session), {
      requested: { ...body, recipientName },
      customerId: caller.id,
      limited: isStaff(caller) ? undefined : caller,
      rules: context.settings,
    });
    return toOrder(order);
  });
}

/**
 * The part of an order that an `Idempotency-Key` identifies. A customer who retries after a lost response may send another
 * price: the retry must find the existing order instead of being rejected as a different request.
 */
function withoutPrices(body: ParsedBody<'placeOrder'>): ParsedBody<'placeOrder'> {
  return { ...body, items: body.items.map(({ medicineId, quantity }) => ({ medicineId, quantity })) };
}

function ownershipOf({ customerId }: OrderRecord): Ownership {
  return { customer: customerId };
}

function isStaff(caller: SessionCaller): caller is SessionCaller & { readonly role: (typeof staffRoles)[number] } {
  return hasRole(caller, staffRoles);
}

/**
 * The caller's part in an order: staff by role, its customer by account.
 *
 * @throws ProblemError `forbidden` if they are neither
 */
function orderActors({ caller }: ServiceRequest<'changeOrderStatus'>, order: OrderRecord): OrderActor[] {
  assertOwner(pharmacyCalls.changeOrderStatus.access, caller, ownershipOf(order));
  const actors: OrderActor[] = [];
  if (isStaff(caller)) actors.push(caller.role);
  if (caller.id === order.customerId) actors.push('customer');
  return actors;
}
