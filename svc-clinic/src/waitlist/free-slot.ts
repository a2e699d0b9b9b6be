import type { ClientSession } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { followAppointment } from './follow-appointment.ts';
import { noteFreedTimes } from './freed-times.ts';
import { offerSlot, type Offering } from './offer-slot.ts';

/**
 * Offers the slot that an appointment has just left to the waitlist, in the same transaction, so that it is never free
 * in between, and ends what its patient was offered for it where it was. The note covers what else may have become free: slots
 * that the appointment only reached into, and others for its patient.
 *
 * @param record - the appointment before the change
 * @param session - the transaction that has cancelled or moved it
 */
export async function freeSlotOf(offering: Offering, record: AppointmentRecord, session: ClientSession): Promise<void> {
  const { doctorEmail, date, time, patientId } = record;
  // The request's clock is that of its first attempt.
  const current = { ...offering, clock: { ...offering.clock, now: new Date() } };
  await followAppointment(current, record, session);
  await offerSlot(current, { doctorEmail, date, time }, session);
  await noteFreedTimes(offering.collections, { doctorEmail, ...(patientId !== undefined && { patientId }) }, session);
}
