import { z } from 'zod';
import { askIfKnown, unlessUnavailable, type AskContext } from '../intake/ask-source.ts';

const orderNow = z.object({ id: z.string(), status: z.string() });

/** The current statuses of orders, as far as they are known; `undefined`: svc-pharmacy is unavailable. */
export async function orderStatuses(context: AskContext, ids: readonly string[]) {
  const body = { ids: [...new Set(ids)] };
  const asked = askIfKnown(context, 'pharmacy', '/orders', { body, schema: z.array(orderNow), otherwise: [] });
  const orders = await unlessUnavailable(asked);
  return orders && new Map(orders.map(({ id, status }) => [id, status]));
}

/**
 * Whether a medicine can still be ordered, just before somebody who asked is told so; if not, their request waits again.
 * `undefined`: svc-pharmacy is unavailable.
 */
export function isBackInStock(
  context: AskContext,
  request: { readonly medicine: string; readonly account: string; readonly email: string },
): Promise<boolean | undefined> {
  const question = { body: request, schema: z.object({ isBack: z.boolean() }), otherwise: { isBack: true } };
  const asked = askIfKnown(context, 'pharmacy', '/back-in-stock', question);
  return unlessUnavailable(asked.then(({ isBack }) => isBack));
}
