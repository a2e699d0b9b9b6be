import { appendOutbox } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { lostOffers, type Offering } from './offer-slot.ts';
import { entryForHistory, type WaitlistRecord } from './waitlist-record.ts';

/**
 * Ends a place whose offers were declined, or seen and not answered, as often as the setting allows, and tells the patient:
 * each offer keeps a time from everybody else for a while.
 *
 * @param doctorAccount - of the doctor of the last offer
 * @param session - the transaction that settles the offer; its write to the place keeps two of them from counting alike
 */
export async function endAfterOffers(
  { db, collections, clock, rules, recordChange }: Offering,
  entry: WaitlistRecord,
  doctorAccount: string | undefined,
  session: ClientSession,
): Promise<void> {
  const { _id, patientId, patientEmail, patientName, doctorName, specialty } = entry;
  const offers = await lostOffers(collections, entry, session);
  if (offers < rules.WAITLIST_OFFERS) return;
  const ended = await collections.waitlist.updateOne(
    { _id, status: 'waiting' },
    { $set: { status: 'ended', afterOffers: true, endedAt: clock.now } },
    { session },
  );
  if (ended.matchedCount === 0) return;
  await recordChange(session, {
    record: { type: 'waitlist', id: _id },
    concerns: [patientEmail],
    accounts: [patientId, doctorAccount],
    action: 'waitlist ended',
    before: {},
    after: { ...entryForHistory(entry), offers },
  });
  await appendOutbox({ db }, session, {
    kind: 'waitlist-ended',
    to: { account: patientId, email: patientEmail, name: patientName },
    data: { place: { whom: doctorName ?? specialty ?? '', offers } },
  });
}
