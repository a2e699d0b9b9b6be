import { defineCalls } from '@clinic/contracts/define-calls';
import { id, paging } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';
import { stockRequest } from './schemas.ts';

/** The calls of patients who wait for a medicine. */
export const backInStockCalls = defineCalls('pharmacy', {
  listStockRequests: {
    method: 'GET',
    path: '/medicine/back-in-stock',
    access: { kind: 'session' },
    paged: true,
    summary: 'List the medicines whose return to stock the caller asked to be notified of',
    query: z.object(paging).omit({ q: true }),
    response: z.array(stockRequest),
  },
  askAboutStock: {
    method: 'POST',
    path: '/medicine/:id/back-in-stock',
    access: { kind: 'session' },
    status: 201,
    errors: ['not_found', 'transition_refused', 'rate_limited'],
    summary: 'Ask for one message when a medicine is back in stock',
    params: z.object({ id }),
    response: stockRequest,
    decides: { 'params.id': 'database' },
  },
  stopAskingAboutStock: {
    method: 'DELETE',
    path: '/medicine/:id/back-in-stock',
    access: { kind: 'session' },
    status: 204,
    summary: 'No longer ask about a medicine',
    params: z.object({ id }),
    response: z.undefined(),
    decides: { 'params.id': 'filter' },
  },
});
