import { preferencesKey, toPreferences } from '../preferences/preferences-record.ts';
import type { MessagesContext } from '../settings.ts';
import { noteOfferTold, offerIn } from '../offers/offer-calls.ts';
import type { ClaimedMessage } from './claim.ts';
import { hasTimeToSee } from './quiet-hours.ts';
import type { SendingFacts } from './sending-facts.ts';

/**
 * Tells svc-clinic of an offer's message that has just been sent, if its patient has time to see it: svc-clinic counts only
 * such offers as missed. A report that is lost is to the patient's advantage, so there is no second attempt.
 */
export async function reportOffer(
  context: MessagesContext,
  { kind, to, data, createdAt, expiresAt }: ClaimedMessage,
  { preferences }: Pick<SendingFacts, 'preferences'>,
): Promise<void> {
  const id = offerIn({ data });
  if (kind !== 'waitlist-offer' || !expiresAt || id === undefined) return;
  const { quietFrom, quietUntil, timeZone } = toPreferences(
    preferences.get(preferencesKey(to) ?? '') ?? null,
    context.settings,
  );
  const quiet = { from: quietFrom, until: quietUntil, timeZone };
  if (!hasTimeToSee(new Date(), { madeAt: createdAt, until: expiresAt }, quiet, context.settings)) return;
  try {
    await noteOfferTold(context, id);
  } catch (error) {
    context.log.warn({ offer: id, reason: (error as Error).message }, 'sent offer not reported');
  }
}
