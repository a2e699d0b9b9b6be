import type { ClientSession } from 'mongodb';
import { accountOfDoctor, settleOffer } from './settle-offer.ts';
import type { Offering } from './offer-slot.ts';
import { activeStatuses, entryForHistory, type WaitlistRecord } from './waitlist-record.ts';

const actions = { left: 'left waitlist', ended: 'waitlist ended' } as const;

/**
 * Ends somebody's place on the waitlist; an open offer goes to the next person. Does nothing if it has ended.
 *
 * @param how - `ended`: its last day is past, or there is nothing left to wait for
 * @param session - the transaction of place, offers and events
 */
export async function leaveWaitlist(
  offering: Offering,
  entry: WaitlistRecord,
  how: keyof typeof actions,
  session: ClientSession,
): Promise<void> {
  const { collections, clock, recordChange } = offering;
  const { matchedCount } = await collections.waitlist.updateOne(
    { _id: entry._id, status: { $in: [...activeStatuses] } },
    { $set: { status: how, endedAt: clock.now } },
    { session },
  );
  if (matchedCount === 0) return;
  await recordChange(session, {
    record: { type: 'waitlist', id: entry._id },
    concerns: [entry.patientEmail],
    accounts: [entry.patientId, await accountOfDoctor(offering, entry.doctorEmail, session)],
    action: actions[how],
    before: {},
    after: entryForHistory(entry),
  });
  const offer = await collections.waitlistOffers.findOne(
    { patientId: entry.patientId, entryId: entry._id, status: 'open' },
    { session },
  );
  if (offer) await settleOffer(offering, offer, 'withdrawn', session);
}
