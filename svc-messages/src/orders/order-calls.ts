import { ProblemError } from '@clinic/service-kit';
import { z } from 'zod';
import { askSource, unlessUnavailable, type AskContext } from '../intake/ask-source.ts';

const orderNow = z.object({ id: z.string(), status: z.string() });

/** svc-pharmacy's answer; `otherwise` if there is none, or one of the previous release, which doesn't know the question. */
async function askPharmacy<Answer>(
  context: AskContext,
  path: string,
  body: object,
  { schema, otherwise }: { readonly schema: z.ZodType<Answer>; readonly otherwise: Answer },
): Promise<Answer> {
  if (!context.settings.SOURCES.has('pharmacy')) return otherwise;
  try {
    return schema.parse(await askSource(context, 'pharmacy', 'POST', path, { body }));
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'not_found') return otherwise;
    throw error;
  }
}

/** The current statuses of orders, as far as they are known; `undefined`: svc-pharmacy is unavailable. */
export async function orderStatuses(context: AskContext, ids: readonly string[]) {
  const body = { ids: [...new Set(ids)] };
  const asked = askPharmacy(context, '/orders', body, { schema: z.array(orderNow), otherwise: [] });
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
  const answers = { schema: z.object({ isBack: z.boolean() }), otherwise: { isBack: true } };
  return unlessUnavailable(askPharmacy(context, '/back-in-stock', request, answers).then(({ isBack }) => isBack));
}
