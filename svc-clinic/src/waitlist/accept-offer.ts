import type { RecordOwner, SessionCaller } from '@clinic/service-kit';
import { refused, takeUserLock } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import type { AppointmentChange } from '../appointments/appointment-change.ts';
import { bookAppointment, type Booking } from '../appointments/book-appointment.ts';
import { detailsOf } from '../appointments/patient-fields.ts';
import { rescheduleAppointment } from '../appointments/reschedule-appointment.ts';
import type { RecordChange } from '../record-change.ts';
import { noteFreedTimes } from './freed-times.ts';
import type { Offering } from './offer-slot.ts';
import { accountOfDoctor, offerOver } from './settle-offer.ts';
import { holdsOf } from './slot-hold.ts';
import { offerForHistory, type OfferRecord } from './waitlist-record.ts';

export interface Acceptance extends Offering {
  readonly caller: SessionCaller;
  /** Of the caller's address. */
  readonly ownerOf: RecordOwner;
  readonly rules: Offering['rules'] & Booking['rules'];
  /** For the booking or the move. */
  readonly recordChange: RecordChange;
  /** Throws if the caller isn't the offer's patient. */
  readonly assertMayTouch: AppointmentChange['assertMayTouch'];
}

/**
 * Turns a held slot into the patient's appointment, or moves the appointment they wait with. Neither counts towards the daily
 * limit of changes: the clinic made the offer.
 *
 * @param session - the transaction of offer, hold, appointment and events
 * @throws ProblemError `offer_over`; `transition_refused` if the time is at another place by now; and those of `bookAppointment` and `rescheduleAppointment`
 */
export async function acceptOffer(
  acceptance: Acceptance,
  offer: OfferRecord,
  session: ClientSession,
): Promise<OfferRecord> {
  const { db, caller, collections, clock, recordChange } = acceptance;
  await takeUserLock({ db }, session, caller.id);
  const { waitlist, waitlistOffers } = collections;
  const settled: OfferRecord = { ...offer, status: 'accepted', settledAt: clock.now };
  const accepted = await waitlistOffers.updateOne(
    { _id: offer._id, status: 'open', until: { $gt: clock.now } },
    { $set: { status: 'accepted', settledAt: clock.now } },
    { session },
  );
  const entry = await waitlist.findOneAndUpdate(
    { _id: offer.entryId, status: 'offered' },
    { $set: { status: 'booked', endedAt: clock.now } },
    { session },
  );
  const held = await holdsOf(collections).findOneAndDelete({ _id: offer._id, status: 'Held' }, { session });
  if (accepted.matchedCount === 0 || !entry || !held) throw offerOver();
  await recordChange(session, {
    record: { type: 'waitlist', id: entry._id },
    concerns: [entry.patientEmail],
    accounts: [entry.patientId, await accountOfDoctor(acceptance, offer.doctorEmail, session)],
    action: 'offer accepted',
    before: {},
    after: offerForHistory(offer),
  });
  const { doctorEmail, date, time, moves } = offer;
  // A replica of the previous release leaves the offer open when it moves the appointment.
  const seen = moves && { ...moves, doctoremail: doctorEmail };
  const requested = { ...detailsOf(entry), patientemail: caller.email, doctoremail: doctorEmail, date, time };
  const { place = '' } = entry.moving
    ? await rescheduleAppointment({ ...acceptance, id: entry.moving, offered: true }, { date, time, seen }, session)
    : await bookAppointment({ ...acceptance, offered: true, requested }, session);
  if (place !== held.place) throw refused('The doctor’s place has changed since we offered you this time.');
  // They may be waiting for something else, too.
  await noteFreedTimes(collections, { patientId: offer.patientId }, session);
  return settled;
}
