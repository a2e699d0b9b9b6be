import type { ClientSession } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { holdsSlot } from '../appointments/find-appointments.ts';
import { stateOf } from '../attendance/attendance-record.ts';
import { hasBegun } from '../contract/attendance.ts';
import { leaveWaitlist } from './leave-waitlist.ts';
import type { Offering } from './offer-slot.ts';
import { settleOffer } from './settle-offer.ts';
import { activeStatuses, aboutAppointmentToMove } from './waitlist-record.ts';

/**
 * Keeps the place of somebody who waits for an earlier time of an appointment true to that appointment. Once it is
 * cancelled or with another doctor, the place ends. An open offer ends once the appointment has begun or isn't where the
 * offer says: the time goes to whoever is next, perhaps to this patient again.
 *
 * @param before - the appointment before the change
 * @param session - the transaction that has changed the appointment
 */
export async function followAppointment(
  offering: Offering,
  { _id, patientId, doctorEmail }: Pick<AppointmentRecord, '_id' | 'patientId' | 'doctorEmail'>,
  session: ClientSession,
): Promise<void> {
  if (patientId === undefined) return;
  const { appointments, waitlist, waitlistOffers } = offering.collections;
  const entry = await waitlist.findOne(
    { patientId, about: aboutAppointmentToMove(_id), status: { $in: [...activeStatuses] } },
    { session },
  );
  if (!entry) return;
  const now = await appointments.findOne({ _id }, { session });
  if (!now || !holdsSlot(now.status) || now.doctorEmail !== doctorEmail)
    return leaveWaitlist(offering, entry, 'ended', session);
  const offer = await waitlistOffers.findOne({ patientId, entryId: entry._id, status: 'open' }, { session });
  const isWhere = offer?.moves?.date === now.date && offer.moves.time === now.time;
  if (offer && (!isWhere || hasBegun(stateOf(now)))) await settleOffer(offering, offer, 'withdrawn', session);
}
