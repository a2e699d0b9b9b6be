import type { Route } from '../route.ts';

/** The calls of patients who wait for a medicine. */
export const backInStockRoutes = {
  listStockRequests: {
    service: 'pharmacy',
    method: 'GET',
    path: '/medicine/back-in-stock',
    access: { kind: 'session' },
    status: 200,
    errors: [],
    paged: true,
    summary: 'List the medicines whose return to stock the caller asked to be notified of',
  },
  askAboutStock: {
    service: 'pharmacy',
    method: 'POST',
    path: '/medicine/:id/back-in-stock',
    access: { kind: 'session' },
    status: 201,
    errors: ['not_found', 'transition_refused'],
    summary: 'Ask for one message when a medicine is back in stock',
  },
  stopAskingAboutStock: {
    service: 'pharmacy',
    method: 'DELETE',
    path: '/medicine/:id/back-in-stock',
    access: { kind: 'session' },
    status: 204,
    errors: [],
    summary: 'No longer ask about a medicine',
  },
} as const satisfies Record<string, Route>;
