import { defineRoutes } from '@clinic/contracts/define-routes';

const staff = ['admin', 'pharmacist'] as const;
const shelf = 'the pharmacy’s stock, and which pharmacist changed it';

/** The calls about what comes into the stock and leaves it, and of orders at the counter: the screens of staff add them. */
export const stockRoutes = defineRoutes('pharmacy', {
  checkStock: {
    method: 'GET',
    path: '/medicine/stock-check',
    access: { kind: 'restricted', roles: ['admin'] },
    timeoutSeconds: 60,
    summary: 'Check that each quantity is the sum of its movements; lists the medicines for which it isn’t',
    unnoted: shelf,
  },
  adjustStock: {
    method: 'POST',
    path: '/medicine/:id/adjustments',
    access: { kind: 'restricted', roles: staff },
    errors: ['not_found', 'stock_short', 'idempotency_mismatch', 'in_progress', 'rate_limited'],
    idempotent: true,
    summary: 'Correct the stock of a medicine up or down, with a reason; never below zero',
    decides: { 'params.id': 'record', 'body.by': 'database', 'body.reason': 'content' },
    unnoted: shelf,
  },
  listMovements: {
    method: 'GET',
    path: '/medicine/:id/movements',
    access: { kind: 'restricted', roles: staff },
    errors: ['not_found'],
    paged: true,
    summary: "List what came into a medicine's stock and left it, newest first",
    decides: { 'params.id': 'record' },
    unnoted: shelf,
  },
  enterCounterOrder: {
    method: 'POST',
    path: '/orderMedi/counter',
    status: 201,
    errors: ['stock_short', 'price_changed', 'idempotency_mismatch', 'in_progress', 'rate_limited'],
    idempotent: true,
    access: { kind: 'restricted', roles: staff },
    summary: 'Enter an order for a patient who has shown a prescription at the counter',
    decides: {
      'body.items': 'database',
      'body.prescription': 'content',
      // Staff enter orders for anybody; whose account it joins is decided by the confirmed address.
      'body.customeremail': 'database',
    },
    shows: { what: 'orders', whose: 'customeremail' },
  },
});
