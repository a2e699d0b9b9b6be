import { appointmentTransitions, isFinal, judgeTransition, type Appointment, type ParsedBody } from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { countAppointment } from '../reports/appointment-tallies.ts';
import { actorsOf, actsAsPatient, assertInTime, findForChange, refusedMove, type AppointmentChange } from './appointment-change.ts';
import { toAppointment, type AppointmentRecord } from './appointment-record.ts';

/**
 * Confirms or cancels an appointment. A cancelled one no longer matches the slot index, which frees its slot.
 *
 * Asking for the status an appointment already has is answered like the first time and changes nothing, so that a client
 * may repeat a request whose answer it lost; only what is final refuses even that.
 *
 * @param wanted - the status, and for a cancellation by the clinic what the patient said to it, which the history keeps
 * @param session - the transaction that status and event share
 * @throws ProblemError `not_found` for an unknown id; `forbidden` for other people's appointments or moves that are not this
 *   person's to make; `transition_refused` for moves the table doesn't know (design section 6); `too_late` for patients who
 *   cancel shortly before
 */
export async function changeAppointmentStatus(change: AppointmentChange, { newStatus, patientChoice }: ParsedBody<'changeAppointmentStatus'>, session: ClientSession): Promise<Appointment> {
  const { collections, id, caller, clock, rules } = change;
  const record = await findForChange(change, session);
  if (newStatus === record.status && !isFinal(appointmentTransitions, record.status)) return toAppointment(record, rules);
  const verdict = judgeTransition(appointmentTransitions, record.status, newStatus, actorsOf(record, caller));
  if (verdict === 'forbidden') throw new ProblemError('forbidden', { detail: `This appointment is not yours to set to ${newStatus}.` });
  if (verdict === 'impossible') throw refusedMove(record.status, newStatus);
  if (newStatus === 'Cancelled') assertInTime(record, change);

  // A patient who confirms tells the doctor nothing of the new time.
  const keepsMention = newStatus === 'Confirmed' && actsAsPatient(record, caller);
  const { movedFrom, ...kept } = record;
  const changed: AppointmentRecord = { ...kept, status: newStatus, ...(keepsMention && movedFrom && { movedFrom }) };
  // The condition is what counts should the snapshot be older than the record: then nothing matches and nothing changes.
  const { matchedCount } = await collections.appointments.updateOne(
    { _id: id, status: record.status },
    { $set: { status: newStatus, changedAt: clock.now }, ...(!keepsMention && { $unset: { movedFrom: '' } }), $inc: { sequence: 1 } },
    { session },
  );
  if (matchedCount === 0) throw refusedMove(record.status, newStatus);
  await countAppointment(collections, record, changed, session);
  // Patients who cancel have said it by that.
  const said = newStatus === 'Cancelled' && !actsAsPatient(record, caller) ? patientChoice : undefined;
  await change.recordChange(session, {
    record: { type: 'appointment', id }, concerns: record.people, accounts: record.accounts, action: 'status changed',
    before: { status: record.status }, after: { status: newStatus, ...(said !== undefined && { patientChoice: said }) },
  });
  return toAppointment(changed, rules);
}
