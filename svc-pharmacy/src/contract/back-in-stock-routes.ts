import { defineRoutes } from '@clinic/contracts/define-routes';

/** The calls of patients who wait for a medicine. */
export const backInStockRoutes = defineRoutes('pharmacy', {
  listStockRequests: {
    method: 'GET',
    path: '/medicine/back-in-stock',
    access: { kind: 'session' },
    paged: true,
    summary: 'List the medicines whose return to stock the caller asked to be notified of',
  },
  askAboutStock: {
    method: 'POST',
    path: '/medicine/:id/back-in-stock',
    access: { kind: 'session' },
    status: 201,
    errors: ['not_found', 'transition_refused', 'rate_limited'],
    summary: 'Ask for one message when a medicine is back in stock',
    decides: { 'params.id': 'database' },
  },
  stopAskingAboutStock: {
    method: 'DELETE',
    path: '/medicine/:id/back-in-stock',
    access: { kind: 'session' },
    status: 204,
    summary: 'No longer ask about a medicine',
    decides: { 'params.id': 'filter' },
  },
});
