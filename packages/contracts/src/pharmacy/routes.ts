import { defineRoutes } from '../define-routes.ts';
import { backInStockRoutes } from './back-in-stock-routes.ts';
import { stockRoutes } from './stock-routes.ts';

const admin = ['admin'] as const;
const staff = ['admin', 'pharmacist'] as const;

/** The calls of svc-pharmacy, by name; docs/identity.md says who may make which. */
export const pharmacyRoutes = defineRoutes('pharmacy', {
  listMedicines: {
    method: 'GET',
    path: '/medicine',
    access: { kind: 'everyone' },
    paged: true,
    summary: 'List all medicine records',
  },
  addMedicine: {
    method: 'POST',
    path: '/medicine',
    access: { kind: 'restricted', roles: staff },
    status: 201,
    errors: ['duplicate'],
    summary: 'Add a medicine to the inventory',
  },
  checkMedicineImport: {
    method: 'POST',
    path: '/medicine/import/check',
    access: { kind: 'restricted', roles: staff },
    errors: ['duplicate'],
    summary: 'Check whether these medicines can be imported; stores nothing',
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
  },
  reportStock: {
    method: 'GET',
    path: '/medicine/report',
    access: { kind: 'restricted', roles: admin },
    summary: 'Report medicines that are low, out of stock, expiring soon or expired',
  },
  ...backInStockRoutes,
  ...stockRoutes,
  getMedicine: {
    method: 'GET',
    path: '/medicine/:id',
    access: { kind: 'restricted', roles: staff },
    errors: ['not_found'],
    summary: 'Get one medicine record; its ETag covers its details, not its stock',
  },
  updateMedicine: {
    method: 'PATCH',
    path: '/medicine/:id',
    access: { kind: 'restricted', roles: staff },
    errors: ['not_found', 'changed_meanwhile'],
    summary: 'Restock or edit a medicine; with If-Match, only if no one else has edited it',
  },
  listOrders: {
    method: 'GET',
    path: '/orderMedi',
    paged: true,
    access: { kind: 'restricted', roles: staff, self: { in: 'query', field: 'email' } },
    summary: 'List all orders, or with email those of one customer',
  },
  listPharmacyLooks: {
    method: 'GET',
    path: '/orderMedi/looks',
    paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' } },
    summary: "List which staff viewed a person's orders, newest first",
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
  },
  reportOrders: {
    method: 'GET',
    path: '/orderMedi/report',
    access: { kind: 'restricted', roles: admin },
    summary: 'Report the orders in a period by day and status, with revenue and best sellers',
  },
  exportPharmacyData: {
    method: 'GET',
    path: '/orderMedi/export',
    personalData: 'copy',
    errors: ['proof_needed'],
    access: { kind: 'restricted', roles: admin, self: { in: 'query', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything the pharmacy holds about a person',
  },
  erasePharmacyData: {
    method: 'POST',
    path: '/orderMedi/erasure',
    personalData: 'erasure',
    errors: ['proof_needed', 'staff_account'],
    access: { kind: 'restricted', roles: admin, self: { in: 'body', field: 'email' }, freshProof: 'always' },
    summary:
      'Erase a person: cancels pending orders, and keeps the others and the history without a name; repeat until done',
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
    ],
    idempotent: true,
    access: { kind: 'restricted', roles: [], self: { in: 'body', field: 'customeremail' } },
    summary: 'Order medicines at the prices it names; stock is taken for all lines or none',
  },
  changeOrderStatus: {
    method: 'PATCH',
    path: '/orderMedi/:id',
    errors: ['not_found', 'transition_refused'],
    access: { kind: 'restricted', roles: staff, owners: [{ as: 'customer' }] },
    summary: 'Ship, deliver or cancel an order',
  },
  getMedicineHistory: {
    method: 'GET',
    path: '/medicine/:id/history',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: staff },
    summary: "List a medicine's history, with its stock, newest first",
  },
  getOrderHistory: {
    method: 'GET',
    path: '/orderMedi/:id/history',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: staff, owners: [{ as: 'customer' }] },
    summary: "List an order's history, newest first",
  },
});
