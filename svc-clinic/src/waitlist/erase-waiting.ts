import { erasedEmail } from '@clinic/contracts/erased-person';
import { countErased, eraseEach, erasingUpdate, type AccountHolder } from '@clinic/service-kit';
import type { RecordChange } from '../record-change.ts';
import { awaitedDoctorDeleted, offeredDoctorDeleted } from '../personal-data/personal-records.ts';
import type { ClinicContext } from '../settings.ts';
import { leaveWaitlist } from './leave-waitlist.ts';
import { fillingOf, settleIfOpen } from './sweep.ts';
import { activeStatuses } from './waitlist-record.ts';

export interface WaitingErasure {
  readonly context: ClinicContext;
  readonly person: AccountHolder;
  readonly recordChange: RecordChange;
  /** `performance.now()` after which to start nothing new. */
  readonly until: number;
}

/**
 * Deletes a patient's places on the waitlist and their offers; a time that is held for them goes to the next person. Repeatable.
 *
 * @returns whether none is left
 */
export async function eraseWaitingPatient({ context, person, recordChange, until }: WaitingErasure): Promise<boolean> {
  const offering = { ...fillingOf(context), recordChange };
  const { waitlist, waitlistOffers } = offering.collections;
  const patientId = person.id;
  const erased = await eraseEach(waitlist, [{ patientId }], until, (entry) =>
    context.inTransaction(async (session) => {
      await leaveWaitlist(offering, entry, 'ended', session);
      const { deletedCount } = await waitlist.deleteOne({ _id: entry._id }, { session });
      await countErased(context, session, person, { records: deletedCount });
    }),
  );
  if (erased) await waitlistOffers.deleteMany({ patientId });
  return erased;
}

/**
 * Ends the places of people who wait for a doctor whose profile is deleted, withdraws open offers of the doctor's times, and
 * removes the doctor's address from all places and offers. Repeatable.
 *
 * @param email - of the profile, lower case
 */
export async function eraseAwaitedDoctor(
  { context, person, recordChange }: WaitingErasure,
  email: string,
): Promise<void> {
  const offering = { ...fillingOf(context), recordChange };
  const { waitlist, waitlistOffers } = offering.collections;
  const instead = erasedEmail(person.id);
  const theirs = [{ doctorEmail: email }];
  await eraseEach(waitlist, theirs, Infinity, (entry) =>
    context.inTransaction(async (session) => {
      if (activeStatuses.some((status) => status === entry.status))
        await leaveWaitlist(offering, entry, 'ended', session);
      const { $set } = erasingUpdate(entry, awaitedDoctorDeleted, { doctorEmail: instead });
      await waitlist.updateOne({ _id: entry._id }, { $set }, { session });
    }),
  );
  await eraseEach(waitlistOffers, theirs, Infinity, async (offer) => {
    if (offer.status === 'open') await settleIfOpen(context, offer, 'withdrawn');
    const { $set } = erasingUpdate(offer, offeredDoctorDeleted, { doctorEmail: instead });
    await waitlistOffers.updateOne({ _id: offer._id }, { $set });
  });
}
