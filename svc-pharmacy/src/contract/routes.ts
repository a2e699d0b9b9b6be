import { eventFilters, filters, lookers, periodFilters } from '@clinic/contracts/authority';
import { defineRoutes } from '@clinic/contracts/define-routes';
import { backInStockRoutes } from './back-in-stock-routes.ts';
import { stockRoutes } from './stock-routes.ts';
import type { pharmacySchemas } from './schemas.ts';

const admin = ['admin'] as const;
const staff = ['admin', 'pharmacist'] as const;
const orders = { what: 'orders', whose: 'customeremail' } as const;
const shelf = 'medicines, and which pharmacist keeps them';

/** The calls of svc-pharmacy, by name; docs/identity.md says who may make which. */
export const pharmacyRoutes = defineRoutes('pharmacy', {
  listMedicines: {
    method: 'GET',
    path: '/medicine',
    access: { kind: 'everyone' },
    paged: true,
    summary: 'List all medicine records',
    decides: filters('status', 'expiry', 'category', 'medicineIds', 'archived'),
    unnoted: shelf,
  },
  addMedicine: {
    method: 'POST',
    path: '/medicine',
    access: { kind: 'restricted', roles: staff },
    status: 201,
    errors: ['duplicate'],
    summary: 'Add a medicine to the inventory',
    decides: {
      'body.pharmacistEmail': 'ignored',
      'body.medicine': 'content',
      'body.addedDate': 'ignored',
      'body.status': 'ignored',
    },
    unnoted: shelf,
  },
  checkMedicineImport: {
    method: 'POST',
    path: '/medicine/import/check',
    access: { kind: 'restricted', roles: staff },
    errors: ['duplicate'],
    summary: 'Check whether these medicines can be imported; stores nothing',
    decides: { 'body.medicines': 'database' },
  },
  importMedicines: {
    method: 'POST',
    path: '/medicine/import',
    access: { kind: 'restricted', roles: staff },
    status: 201,
    errors: ['duplicate', 'idempotency_mismatch', 'in_progress'],
    idempotent: true,
    timeoutSeconds: 30,
    summary: 'Add many medicines to the inventory: all of the request or none',
    decides: { 'body.medicines': 'database' },
  },
  reportStock: {
    method: 'GET',
    path: '/medicine/report',
    access: { kind: 'restricted', roles: admin },
    summary: 'Report medicines that are low, out of stock, expiring soon or expired',
    unnoted: shelf,
  },
  ...backInStockRoutes,
  ...stockRoutes,
  getMedicine: {
    method: 'GET',
    path: '/medicine/:id',
    access: { kind: 'restricted', roles: staff },
    errors: ['not_found'],
    summary: 'Get one medicine record; its ETag covers its details, not its stock',
    decides: { 'params.id': 'record' },
    unnoted: shelf,
  },
  updateMedicine: {
    method: 'PATCH',
    path: '/medicine/:id',
    access: { kind: 'restricted', roles: staff },
    errors: ['not_found', 'changed_meanwhile'],
    summary: 'Restock or edit a medicine; with If-Match, only if no one else has edited it',
    decides: {
      'params.id': 'record',
      'body.restock': 'content',
      'body.unit': 'content',
      'body.expiryDate': 'content',
      'body.pricePerUnit': 'content',
      'body.maxPerCustomer': 'content',
      'body.category': 'content',
      'body.prescriptionOnly': 'content',
      'body.archived': 'content',
    },
    unnoted: shelf,
  },
  listOrders: {
    method: 'GET',
    path: '/orderMedi',
    paged: true,
    access: { kind: 'restricted', roles: staff, self: { in: 'query', field: 'email' } },
    summary: 'List all orders, or with email those of one customer',
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
  },
  listPharmacyEvents: {
    method: 'GET',
    path: '/orderMedi/events',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List all events on orders and medicines, newest first',
    decides: eventFilters,
    shows: { ...orders, whose: 'people', narrowedBy: ['person', 'record'] },
  },
  reportOrders: {
    method: 'GET',
    path: '/orderMedi/report',
    access: { kind: 'restricted', roles: admin },
    summary: 'Report the orders in a period by day and status, with revenue and best sellers',
    decides: periodFilters,
    unnoted: shelf,
  },
  exportPharmacyData: {
    method: 'GET',
    path: '/orderMedi/export',
    personalData: 'copy',
    errors: ['proof_needed', 'rate_limited'],
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything the pharmacy holds about a person',
    decides: { 'query.email': 'session' },
    shows: { ...orders, whose: 'told', copy: true },
  },
  erasePharmacyData: {
    method: 'POST',
    path: '/orderMedi/erasure',
    personalData: 'erasure',
    errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: admin, self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary: 'Read how far the deletion of a person has got in the pharmacy, for earlier front-ends',
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
    decides: { 'params.id': 'record', 'body.newStatus': 'record', 'body.seen.status': 'record' },
    shows: orders,
  },
  getMedicineHistory: {
    method: 'GET',
    path: '/medicine/:id/history',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: staff },
    summary: "List a medicine's history, with its stock, newest first",
    decides: { 'params.id': 'record' },
    unnoted: shelf,
  },
  getOrderHistory: {
    method: 'GET',
    path: '/orderMedi/:id/history',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: staff, owners: [{ as: 'customer' }] },
    summary: "List an order's history, newest first",
    decides: { 'params.id': 'record' },
    shows: { ...orders, whose: 'told' },
  },
});

/** Types of the calls for client, hooks and handlers. */
type PharmacyCalls = {
  [Id in keyof typeof pharmacyRoutes]: (typeof pharmacyRoutes)[Id] & (typeof pharmacySchemas)[Id];
};

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends PharmacyCalls {}
}
