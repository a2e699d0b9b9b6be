import type { ClientSession } from 'mongodb';
import { announceVisit } from '../messages/announce-visit.ts';
import { aboutAppointment } from '../record-change.ts';
import { countAppointment } from '../reports/appointment-rollups.ts';
import type { AppointmentChange } from './appointment-change.ts';
import { appointmentFieldsForHistory, type AppointmentRecord } from './appointment-record.ts';

/**
 * Counts a new appointment, adds it to the history and asks for the patient's message.
 *
 * @param own - the patient has booked it
 * @param session - the transaction of the booking
 */
export async function recordBooking(
  { collections, db, recordChange }: Pick<AppointmentChange, 'collections' | 'db' | 'recordChange'>,
  record: AppointmentRecord,
  own: boolean,
  session: ClientSession,
): Promise<void> {
  await countAppointment(collections, undefined, record, session);
  await recordChange(session, {
    ...aboutAppointment(record),
    action: 'booked',
    before: null,
    after: appointmentFieldsForHistory(record),
  });
  await announceVisit(db, { kind: 'appointment-booked' }, record, 0, own, session);
}
