import { z } from 'zod';
import type { ClaimedMessage } from '../delivery/claim.ts';
import { askIfKnown, askSource, unlessUnavailable, type AskContext } from '../intake/ask-source.ts';

const offerNow = z.object({ id: z.string(), status: z.string() });

/** The id of the offer that a message is about. */
export const offerIn = ({ data }: Pick<ClaimedMessage, 'data'>): string | undefined =>
  (data['offer'] as { readonly id: string } | undefined)?.id;

/**
 * Which of the offers in these messages aren't open any more: their messages may have waited for the morning. None while
 * svc-clinic is unavailable, as an offer's message can't wait for it.
 */
export async function overOffersOf(
  context: AskContext,
  messages: readonly ClaimedMessage[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(messages.map(offerIn).filter((id) => id !== undefined))];
  if (ids.length === 0) return new Set();
  const question = { body: { ids }, schema: z.array(offerNow), otherwise: [] };
  const found = (await unlessUnavailable(askIfKnown(context, 'clinic', '/offers', question))) ?? [];
  return new Set(found.filter(({ status }) => status !== 'open').map(({ id }) => id));
}

/**
 * Says that the patient has had the message of an offer in time to see it.
 *
 * @throws ProblemError unavailable, or as svc-clinic says
 */
export async function noteOfferTold(context: AskContext, offer: string): Promise<void> {
  await askSource(context, 'clinic', 'POST', `/offers/${offer}/told`);
}
