import { formatDate, formatTime, isFinal, judgeTransition, type ParsedBody } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { ProblemError, refused } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { appointmentTransitions, type AppointmentStatus } from '../contract/transitions.ts';
import { announceVisit, nextSequence } from '../messages/announce-visit.ts';
import { countAppointment } from '../reports/appointment-rollups.ts';
import {
  actorsOf,
  actsAsPatient,
  assertInTime,
  findForChange,
  rejectedMove,
  type AppointmentChange,
} from './appointment-change.ts';
import { toAppointment, type AppointmentRecord } from './appointment-record.ts';
import { assertNotBegun, assertNotOver } from '../attendance/change-attendance.ts';
import { freeSlotOf } from '../waitlist/free-slot.ts';
import { beforeChange } from './undo-status-changes.ts';
import { aboutAppointment, lastChangeOf } from '../record-change.ts';

/**
 * Confirms or cancels an appointment. A cancelled one no longer matches the slot index, which frees its slot.
 *
 * Requesting the current status succeeds and changes nothing, so that a client may retry a request whose response it lost;
 * a final status rejects even that, except to whoever has just changed it from the one they saw.
 *
 * @param requested - the status, and for a cancellation by the clinic the patient's choice, which the history keeps
 * @param session - the transaction of status and event
 * @throws ProblemError `not_found` for an unknown id; `forbidden` for other people's appointments, or changes that aren't this
 *   person's to make, such as a patient confirming the time they moved to; `transition_refused` for changes that
 *   `appointmentTransitions` doesn't have, if it is over, or if it has moved or changed since it was seen; `too_late` for patients who cancel shortly before
 */
export async function changeAppointmentStatus(
  change: AppointmentChange,
  { newStatus, patientChoice, seen }: ParsedBody<'changeAppointmentStatus'>,
  session: ClientSession,
): Promise<Appointment> {
  const { collections, id, caller, clock, rules } = change;
  const record = await findForChange(change, session);
  if (seen) assertAsSeen(record, seen, newStatus);
  if (
    newStatus === record.status &&
    (!isFinal(appointmentTransitions, newStatus) || (await isDone(change, record, seen, session)))
  )
    return toAppointment(record, rules, caller);
  const verdict = judgeTransition(appointmentTransitions, record.status, newStatus, actorsOf(record, caller));
  if (verdict === 'forbidden')
    throw new ProblemError('forbidden', { detail: `You can’t set this appointment to ${newStatus}.` });
  if (verdict === 'impossible') throw rejectedMove(record.status, newStatus);
  if (newStatus === 'Cancelled') {
    assertInTime(record, change);
    assertNotBegun(record);
  }
  assertNotOver(record, newStatus, clock);
  const { movedFrom, ...kept } = record;
  if (newStatus === 'Confirmed' && movedFrom && actsAsPatient(record, caller)) {
    throw new ProblemError('forbidden', {
      detail: 'You moved this appointment, so your doctor has to confirm the new time.',
    });
  }

  const changed: AppointmentRecord = { ...kept, status: newStatus };
  // If the snapshot is older than the record, this condition decides: nothing matches and nothing changes.
  const { matchedCount } = await collections.appointments.updateOne(
    // A confirmation applies to this time: it must not confirm a concurrent move.
    { _id: id, status: record.status, date: record.date, time: record.time, doctorEmail: record.doctorEmail },
    { $set: { status: newStatus, changedAt: clock.now }, $unset: { movedFrom: '' }, $inc: { sequence: 1 } },
    { session },
  );
  if (matchedCount === 0) throw rejectedMove(record.status, newStatus);
  await countAppointment(collections, record, changed, session);
  // For a patient who cancels, the cancellation itself is the choice.
  const choice = newStatus === 'Cancelled' && !actsAsPatient(record, caller) ? patientChoice : undefined;
  await change.recordChange(session, {
    ...aboutAppointment(record),
    action: 'status changed',
    before: { status: record.status, ...(movedFrom && { movedFrom }) },
    after: { status: newStatus, ...(choice !== undefined && { patientChoice: choice }) },
  });
  if (newStatus !== 'Pending') {
    const kind = newStatus === 'Confirmed' ? 'appointment-confirmed' : 'appointment-cancelled';
    await announceVisit(change.db, { kind }, changed, nextSequence(record), actsAsPatient(record, caller), session);
  }
  if (newStatus === 'Cancelled') await freeSlotOf(change, record, session);
  return toAppointment(changed, rules, caller);
}

type Seen = ParsedBody<'changeAppointmentStatus'>['seen'];

/** Whether the last entry of the history is this change, by the caller, of what they saw: its response was lost. */
async function isDone(
  { db, caller }: AppointmentChange,
  record: AppointmentRecord,
  seen: Seen,
  session: ClientSession,
): Promise<boolean> {
  if (!seen) return false;
  const last = await lastChangeOf(db, record, session);
  const mine = last?.action === 'status changed' && last.actor?.id === caller.id;
  return mine && beforeChange.safeParse(last.before).data?.status === seen.status;
}

/**
 * Whoever decides about an appointment decides about the one on their screen. The requested status itself may be there
 * already: a client may retry.
 */
function assertAsSeen(
  { date, time, status, doctorEmail, doctorName }: AppointmentRecord,
  seen: NonNullable<Seen>,
  newStatus: AppointmentStatus,
): void {
  if (seen.doctoremail !== undefined && seen.doctoremail !== doctorEmail)
    throw refused(`This appointment is with ${doctorName} now. Check it and try again.`);
  if (seen.date !== date || seen.time !== time)
    throw refused(
      `This appointment has been moved from ${formatDate(seen.date)} at ${formatTime(seen.time)} to ${formatDate(date)} at ${formatTime(time)}. Check it and try again.`,
    );
  if (seen.status !== status && status !== newStatus)
    throw refused(`This appointment has just been changed from ${seen.status} to ${status}. Check it and try again.`);
}
