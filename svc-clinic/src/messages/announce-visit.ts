import { isNobodysEmail } from '@clinic/contracts/erased-person';
import type { FormerVisit, VisitInMessage } from '@clinic/contracts/outbox/entries';
import { appendOutbox } from '@clinic/service-kit';
import type { ClientSession, Db } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { visitOf } from '../appointments/promise.ts';
import { collectionsOf } from '../collections.ts';
import { formsFor } from '../questions/asked-questions.ts';

/** A change of an appointment that its patient gets a message about. */
export type VisitChange =
  | { readonly kind: 'appointment-booked' | 'appointment-confirmed' | 'appointment-cancelled' }
  | { readonly kind: 'appointment-moved'; readonly was: AppointmentRecord };

/**
 * Asks for a message to the patient, in the transaction of the change. The place isn't in it: svc-messages reads that
 * just before it sends, with whatever has changed meanwhile.
 *
 * @param record - after the change; its `sequence` may still be that before
 * @param sequence - after the change
 * @param own - the patient has made the change
 */
export async function announceVisit(
  db: Db,
  change: VisitChange,
  record: AppointmentRecord,
  sequence: number,
  own: boolean,
  session: ClientSession,
): Promise<void> {
  const { patientId, patientEmail, patientName } = record;
  if (isNobodysEmail(patientEmail)) return;
  const planned = change.kind === 'appointment-booked' || change.kind === 'appointment-moved';
  const asks = planned && (await hasQuestions(db, record, session));
  const visit = { ...visitInMessage(record, sequence), ...(asks && { questions: true as const }) };
  const to = { ...(patientId !== undefined && { account: patientId }), email: patientEmail, name: patientName };
  const entry =
    change.kind === 'appointment-moved'
      ? { kind: change.kind, to, data: { visit, own, was: formerVisit(change.was) } }
      : { kind: change.kind, to, data: { visit, own } };
  await appendOutbox({ db }, session, entry);
}

/** Whether a visit that was just booked or moved needs the message that asks its questions. */
async function hasQuestions(db: Db, record: AppointmentRecord, session: ClientSession): Promise<boolean> {
  if (record.patientId === undefined || record.answered) return false;
  return (await formsFor(collectionsOf(db), [record], session))(record) !== undefined;
}

const formerVisit = ({ doctorName: doctor, date, time, ...record }: AppointmentRecord): FormerVisit => ({
  doctor,
  date,
  time,
  ...visitOf(record),
});

/** The number of changes of an appointment once one more is made. */
export const nextSequence = ({ sequence = 0 }: Pick<AppointmentRecord, 'sequence'>): number => sequence + 1;

/** An appointment as messages show it, without its place. */
export function visitInMessage(
  { _id, doctorName, date, time, status }: Pick<AppointmentRecord, '_id' | 'doctorName' | 'date' | 'time' | 'status'>,
  sequence: number,
): VisitInMessage {
  return { id: _id.toHexString(), doctor: doctorName, date, time, sequence, status };
}
