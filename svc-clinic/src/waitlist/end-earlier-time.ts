import type { ClientSession } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { leaveWaitlist } from './leave-waitlist.ts';
import type { Offering } from './offer-slot.ts';
import { activeStatuses, aboutAppointmentToMove } from './waitlist-record.ts';

/**
 * Ends the place of somebody who waits for an earlier time of an appointment that can no longer move there: it is cancelled,
 * or with another doctor. A time held for them goes to the next person.
 *
 * @param session - the transaction that changes the appointment
 */
export async function endEarlierTime(
  offering: Offering,
  { _id, patientId }: Pick<AppointmentRecord, '_id' | 'patientId'>,
  session: ClientSession,
): Promise<void> {
  if (patientId === undefined) return;
  const entry = await offering.collections.waitlist.findOne(
    { patientId, about: aboutAppointmentToMove(_id), status: { $in: [...activeStatuses] } },
    { session },
  );
  if (entry) await leaveWaitlist(offering, entry, 'ended', session);
}
