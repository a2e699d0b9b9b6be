import { eventFilters, filters, lookers, periodFilters } from '@clinic/contracts/authority';
import { defineCalls } from '@clinic/contracts/define-calls';
import { asSeen, email, id, isoDate, lines, paging, phone } from '@clinic/contracts/schemas/fields';
import { changedLists, eventList, historyEntry } from '@clinic/contracts/schemas/history';
import { looksAt } from '@clinic/contracts/schemas/looks';
import { erasure, exportOfPerson } from '@clinic/contracts/schemas/personal-data';
import { reportPeriod } from '@clinic/contracts/schemas/report-period';
import { z } from 'zod';
import { backInStockCalls } from './back-in-stock-calls.ts';
import { maxOrderLines } from './limits.ts';
import { order, orderStatus, orderedItems, recipientName } from './order-schemas.ts';
import { orderReport, stockReport } from './reports.ts';
import { category, medicineSchema } from './schemas.ts';
import { stockCalls } from './stock-calls.ts';
import { medicineStatuses } from './transitions.ts';
import './problems.ts';

const admin = ['admin'] as const;
const staff = ['admin', 'pharmacist'] as const;
const orders = { what: 'orders', whose: 'customeremail' } as const;
const shelf = 'medicines, and which pharmacist keeps them';

/** Comma-separated ids in a query. */
const medicineIds = z
  .string()
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .pipe(z.array(z.string().max(40)).max(maxOrderLines, `Ask for at most ${maxOrderLines} medicines`));

/** The calls of svc-pharmacy, by name. */
export const pharmacyCalls = defineCalls('pharmacy', {
  listMedicines: {
    method: 'GET',
    path: '/medicine',
    access: { kind: 'everyone' },
    paged: true,
    summary: 'List all medicine records',
    query: z.object({
      ...paging,
      status: z.enum(medicineStatuses).optional(),
      /**
       * `soon`: can be sold for at most `nearExpiryDays` more days by the clinic's clock; `expired`: can't be sold any
       * more.
       */
      expiry: z.enum(['soon', 'expired']).optional(),
      category: category.optional(),
      /** Only archived medicines, which no other list has. */
      archived: z.literal('true', { error: 'Archived must be true or left out' }).optional(),
      /** Only these ids, comma-separated. */
      medicineIds: medicineIds.optional(),
    }),
    response: z.array(medicineSchema),
    decides: filters('status', 'expiry', 'category', 'medicineIds', 'archived'),
    unnoted: shelf,
  },
  reportStock: {
    method: 'GET',
    path: '/medicine/report',
    access: { kind: 'restricted', roles: admin },
    summary: 'Report medicines that are low, out of stock, expiring soon or expired',
    response: stockReport,
    unnoted: shelf,
  },
  ...backInStockCalls,
  ...stockCalls,
  listOrders: {
    method: 'GET',
    path: '/orderMedi',
    paged: true,
    access: { kind: 'restricted', roles: staff, self: { in: 'query', field: 'email' } },
    summary: 'List all orders, or with email those of one customer',
    query: z.object({
      ...paging,
      status: orderStatus.optional(),
      email: email.optional(),
      /** First day, by the clinic's clock. */
      from: isoDate('From').optional(),
      /** Only unusual orders, which staff should check first. */
      unusual: z.literal('true', { error: 'Unusual must be true or left out' }).optional(),
    }),
    response: z.array(order),
    decides: filters('email', 'status', 'from', 'unusual'),
    shows: { ...orders, narrowedBy: ['email', 'q', 'from'] },
  },
  listPharmacyLooks: {
    method: 'GET',
    path: '/orderMedi/looks',
    looks: true,
    paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' } },
    summary: "List which staff viewed a person's orders, newest first",
    ...looksAt,
    decides: { 'query.email': 'session' },
    unnoted: lookers,
  },
  watchPharmacy: {
    method: 'GET',
    path: '/orderMedi/changes',
    access: { kind: 'session' },
    media: 'text/event-stream',
    summary:
      "Stream which lists to reload each time one of the caller's orders changes (for staff: any order or medicine)",
    response: changedLists,
  },
  listPharmacyEvents: {
    method: 'GET',
    path: '/orderMedi/events',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List all events on orders and medicines, newest first',
    ...eventList,
    decides: eventFilters,
    shows: { ...orders, whose: 'people', narrowedBy: ['person', 'record'] },
  },
  reportOrders: {
    method: 'GET',
    path: '/orderMedi/report',
    access: { kind: 'restricted', roles: admin },
    summary: 'Report the orders in a period by day and status, with revenue and best sellers',
    query: reportPeriod,
    response: orderReport,
    decides: periodFilters,
    unnoted: shelf,
  },
  exportPharmacyData: {
    method: 'GET',
    path: '/orderMedi/export',
    personalData: 'copy',
    errors: ['changed_meanwhile', 'proof_needed', 'rate_limited'],
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything the pharmacy holds about a person',
    ...exportOfPerson,
    decides: { 'query.email': 'session', 'query.userId': 'record' },
    shows: { ...orders, whose: 'told', copy: true },
  },
  erasePharmacyData: {
    method: 'POST',
    path: '/orderMedi/erasure',
    personalData: 'erasure',
    errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: admin, self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary: 'Read how far the deletion of a person has got in the pharmacy, for earlier front-ends',
    ...erasure,
    decides: { 'body.email': 'database', 'body.userId': 'ignored', 'body.emailConfirmed': 'ignored' },
  },
  placeOrder: {
    method: 'POST',
    path: '/orderMedi',
    status: 201,
    errors: [
      'stock_short',
      'prescription_needed',
      'price_changed',
      'too_many_orders',
      'idempotency_mismatch',
      'in_progress',
      'rate_limited',
    ],
    idempotent: true,
    access: { kind: 'restricted', roles: [], self: { in: 'body', field: 'customeremail' } },
    summary: 'Order medicines at the prices it names; stock is taken for all lines or none',
    // Names, dates, status and prices from the client are ignored; the pharmacy's own records count.
    body: z.object({
      items: orderedItems,
      deliveryAddress: lines('Address'),
      customeremail: email,
      customerPhone: phone,
      recipientName,
      orderDate: z.string().max(40).optional(),
      status: z.string().optional(),
    }),
    response: order,
    decides: {
      'body.items': 'database',
      'body.customeremail': 'session',
      'body.orderDate': 'ignored',
      'body.status': 'ignored',
    },
  },
  changeOrderStatus: {
    method: 'PATCH',
    path: '/orderMedi/:id',
    errors: ['not_found', 'transition_refused', 'rate_limited'],
    access: { kind: 'restricted', roles: staff, owners: [{ as: 'customer' }] },
    summary: 'Ship, deliver or cancel an order',
    params: z.object({ id }),
    body: z.object({
      newStatus: orderStatus,
      /** The status that was on screen: if it has changed since, the change is rejected. */
      seen: asSeen(z.object({ status: orderStatus })),
    }),
    response: order,
    decides: { 'params.id': 'record', 'body.newStatus': 'record', 'body.seen.status': 'record' },
    shows: orders,
  },
  getOrderHistory: {
    method: 'GET',
    path: '/orderMedi/:id/history',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: staff, owners: [{ as: 'customer' }] },
    summary: "List an order's history, newest first",
    params: z.object({ id }),
    response: z.array(historyEntry),
    decides: { 'params.id': 'record' },
    shows: { ...orders, whose: 'told' },
  },
});

/** Types of the calls for client, hooks and handlers. */
type PharmacyCalls = typeof pharmacyCalls;

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends PharmacyCalls {}
}
