import type { ClientSession, Db } from 'mongodb';
import type { ClinicCollections } from '../collections.ts';
import { announceVisit } from '../messages/announce-visit.ts';
import { aboutAppointment, type RecordChange } from '../record-change.ts';
import { countAppointment } from '../reports/appointment-rollups.ts';
import { appointmentFieldsForHistory, type AppointmentRecord } from './appointment-record.ts';

/**
 * Counts a new appointment, adds it to the history and asks for the patient's message.
 *
 * @param session - the transaction of the booking
 */
export async function recordBooking(
  {
    collections,
    db,
    recordChange,
  }: { readonly collections: ClinicCollections; readonly db: Db; readonly recordChange: RecordChange },
  record: AppointmentRecord,
  session: ClientSession,
): Promise<void> {
  await countAppointment(collections, undefined, record, session);
  await recordChange(session, {
    ...aboutAppointment(record),
    action: 'booked',
    before: null,
    after: appointmentFieldsForHistory(record),
  });
  await announceVisit(db, { kind: 'appointment-booked' }, record, 0, session);
}
