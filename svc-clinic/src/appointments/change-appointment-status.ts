import {
  appointmentTransitions, isFinal, judgeTransition,
  type Appointment, type AppointmentActor, type AppointmentStatus, type Caller,
} from '@clinic/contracts';
import { ProblemError } from '@clinic/service-kit';
import type { ClientSession, ObjectId } from 'mongodb';
import type { ClinicCollections } from '../collections.ts';
import type { RecordChange } from '../record-change.ts';
import { toAppointment, type AppointmentRecord } from './appointment-record.ts';

export interface StatusChange {
  readonly collections: ClinicCollections;
  readonly id: ObjectId;
  readonly newStatus: AppointmentStatus;
  readonly caller: Caller;
  readonly now: Date;
  readonly recordChange: RecordChange;
  /** Throws unless the caller may touch this appointment at all. */
  readonly assertMayTouch: (appointment: Appointment) => void;
}

/**
 * Confirms or cancels an appointment. A cancelled one no longer matches the slot index, which frees its slot.
 *
 * Asking for the status an appointment already has is answered like the first time and changes nothing, so that a client
 * may repeat a request whose answer it lost; only what is final refuses even that.
 *
 * @param session - the transaction that status and event share
 * @throws ProblemError `not_found` for an unknown id; `forbidden` for other people's appointments or moves that are not this
 *   person's to make; `transition_refused` for moves the table doesn't know (design section 6)
 */
export async function changeAppointmentStatus(change: StatusChange, session: ClientSession): Promise<Appointment> {
  const { collections, id, newStatus, caller, now } = change;
  const record = await collections.appointments.findOne({ _id: id }, { session });
  if (!record) throw new ProblemError('not_found', { detail: 'There is no such appointment.' });
  const before = toAppointment(record);
  change.assertMayTouch(before);

  if (newStatus === record.status && !isFinal(appointmentTransitions, record.status)) return before;
  const verdict = judgeTransition(appointmentTransitions, record.status, newStatus, actorsOf(record, caller));
  if (verdict === 'forbidden') throw new ProblemError('forbidden', { detail: `This appointment is not yours to set to ${newStatus}.` });
  if (verdict === 'impossible') throw refused(record.status, newStatus);

  // The condition is what counts should the snapshot be older than the record: then nothing matches and nothing changes.
  const { matchedCount } = await collections.appointments.updateOne(
    { _id: id, status: record.status },
    { $set: { status: newStatus, changedAt: now } },
    { session },
  );
  if (matchedCount === 0) throw refused(record.status, newStatus);
  const after = toAppointment({ ...record, status: newStatus });
  await change.recordChange(session, {
    record: { type: 'appointment', id }, action: 'status changed', before: { status: record.status }, after: { status: newStatus },
  });
  return after;
}

/** Everything the caller is to this appointment. */
export function actorsOf(record: Pick<AppointmentRecord, 'patientEmail' | 'doctorEmail'>, caller: Caller): AppointmentActor[] {
  const actors: AppointmentActor[] = [];
  if (caller.role === 'admin') actors.push('admin');
  if (record.doctorEmail === caller.email) actors.push('doctor');
  if (record.patientEmail === caller.email) actors.push('patient');
  return actors;
}

function refused(from: AppointmentStatus, to: AppointmentStatus): ProblemError {
  const detail = isFinal(appointmentTransitions, from)
    ? `This appointment is ${from}, which is final; please book a new one.`
    : `An appointment that is ${from} can't become ${to}.`;
  return new ProblemError('transition_refused', { detail });
}
