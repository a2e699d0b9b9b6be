import type { ParsedBody } from '@clinic/contracts';
import type { VisitDetails } from '../contract/patient.ts';
import type { Appointment } from '../contract/schemas.ts';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import { refused } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { changedMeanwhile, findForChange, type AppointmentChange } from './appointment-change.ts';
import { appointmentWords, toAppointment, type AppointmentRecord } from './appointment-record.ts';
import { patientFields, detailsOf, detailsForHistory, withDetails } from './patient-fields.ts';
import { aboutAppointment } from '../record-change.ts';

/**
 * Corrects what was misheard or mistyped when an appointment was booked. Its patient, doctor and time stay as they are. Does
 * nothing if nothing differs.
 *
 * @param requested - the fields to correct, and what the caller saw there
 * @param session - the transaction of record and event
 * @throws ProblemError `not_found`, `forbidden`; `transition_refused` if the patient's data has been erased, or somebody else
 *   has corrected what the caller saw, or corrects it at the same moment
 */
export async function correctAppointment(
  change: AppointmentChange,
  requested: ParsedBody<'correctAppointment'>,
  session: ClientSession,
): Promise<Appointment> {
  const { collections, id, caller, clock, rules } = change;
  const record = await findForChange(change, session);
  if (isErasedEmail(record.patientEmail)) throw refused('This patient’s details have been deleted.');
  assertAsSeen(detailsOf(record), requested);
  const details = patientFields(withDetails(detailsOf(record), requested), rules.CLINIC_COUNTRY);
  const corrected: AppointmentRecord = { ...record, ...details };
  const before: Readonly<Record<string, unknown>> = detailsForHistory(record);
  const after: Readonly<Record<string, unknown>> = detailsForHistory(corrected);
  const changed = Object.keys(after).filter((name) => before[name] !== after[name]);
  if (changed.length === 0) return toAppointment(record, rules, caller);
  const { matchedCount } = await collections.appointments.updateOne(
    { _id: id, patientEmail: record.patientEmail, changedAt: record.changedAt },
    { $set: { ...details, words: appointmentWords(corrected), changedAt: clock.now } },
    { session },
  );
  if (matchedCount === 0) throw changedMeanwhile();
  const only = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(changed.map((name) => [name, fields[name]]));
  await change.recordChange(session, {
    ...aboutAppointment(record),
    action: 'details corrected',
    before: only(before),
    after: only(after),
  });
  return toAppointment(corrected, rules, caller);
}

/** Whoever corrects a detail has seen it as it is. It may be as requested already: a client may retry. */
function assertAsSeen(known: VisitDetails, { seen = {}, ...requested }: ParsedBody<'correctAppointment'>): void {
  const names = Object.keys(seen) as (keyof typeof seen)[];
  const isAsSeen = names.every((name) => [seen[name], requested[name]].includes(known[name]));
  if (!isAsSeen) throw changedMeanwhile();
}
