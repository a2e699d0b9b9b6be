import type { ClientSession } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { noteFreedTimes } from './freed-times.ts';
import { offerSlot, type Offering } from './offer-slot.ts';

/**
 * Offers the slot that an appointment has just left to the waitlist, in the same transaction, so that it is never free
 * in between. The note covers what else may have become free: slots that the appointment only reached into, and others
 * for its patient.
 *
 * @param record - the appointment before the change
 * @param session - the transaction that has cancelled or moved it
 */
export async function freeSlotOf(
  offering: Omit<Offering, 'recordChange'>,
  { doctorEmail, date, time, patientId }: AppointmentRecord,
  session: ClientSession,
): Promise<void> {
  // The request's clock is that of its first attempt.
  const clock = { ...offering.clock, now: new Date() };
  await offerSlot({ ...offering, clock }, { doctorEmail, date, time }, session);
  await noteFreedTimes(offering.collections, { doctorEmail, ...(patientId !== undefined && { patientId }) }, session);
}
