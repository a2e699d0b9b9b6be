import { ProblemError } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { endAfterOffers } from './end-after-offers.ts';
import { noteFreedTimes } from './freed-times.ts';
import { offerSlot, type Offering } from './offer-slot.ts';
import { offerForHistory, type OfferRecord } from './waitlist-record.ts';

const actions = { declined: 'offer declined', missed: 'offer missed', withdrawn: 'offer withdrawn' } as const;

/**
 * Ends an open offer without a booking: the slot goes to the next person at once, and the patient keeps their place for other
 * times, unless it was the last offer that they may leave.
 *
 * @param outcome - why it ends
 * @param session - the transaction of both offers, hold and events
 * @returns the settled offer
 * @throws ProblemError `offer_over` if it isn't open any more
 */
export async function settleOffer(
  offering: Offering,
  offer: OfferRecord,
  outcome: keyof typeof actions,
  session: ClientSession,
): Promise<OfferRecord> {
  const { collections, clock, recordChange } = offering;
  const settled: OfferRecord = { ...offer, status: outcome, settledAt: clock.now };
  const { matchedCount } = await collections.waitlistOffers.updateOne(
    { _id: offer._id, status: 'open' },
    { $set: { status: outcome, settledAt: clock.now } },
    { session },
  );
  if (matchedCount === 0) throw offerOver();
  await collections.waitlist.updateOne(
    { _id: offer.entryId, status: 'offered' },
    { $set: { status: 'waiting' } },
    { session },
  );
  const entry = await collections.waitlist.findOne({ _id: offer.entryId }, { session });
  const account = await accountOfDoctor(offering, offer.doctorEmail, session);
  await recordChange(session, {
    record: { type: 'waitlist', id: offer.entryId },
    concerns: entry ? [entry.patientEmail] : [],
    accounts: [offer.patientId, account],
    action: actions[outcome],
    before: {},
    after: offerForHistory(offer),
  });
  if (entry && outcome !== 'withdrawn') await endAfterOffers(offering, entry, account, session);
  await offerSlot(offering, offer, session, offer._id);
  // Another time may be free that this patient can take, now that they have no open offer.
  await noteFreedTimes(collections, { patientId: offer.patientId }, session);
  return settled;
}

/** The account of a doctor's profile. */
export async function accountOfDoctor(
  { collections: { doctors } }: Pick<Offering, 'collections'>,
  doctorEmail: string | undefined,
  session: ClientSession,
): Promise<string | undefined> {
  if (doctorEmail === undefined) return undefined;
  const doctor = await doctors.findOne({ email: doctorEmail }, { session, projection: { accountId: 1 } });
  return doctor?.accountId;
}

/** The problem for an offer that can't be accepted or declined any more. */
export function offerOver(): ProblemError {
  return new ProblemError('offer_over', {
    detail: 'This time is no longer held for you. The page Waitlist shows whether you still have your place.',
  });
}
