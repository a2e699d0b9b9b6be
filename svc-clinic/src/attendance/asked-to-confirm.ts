import { addDays, isFinal } from '@clinic/contracts';
import { refused } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import {
  changedMeanwhile,
  finalStatus,
  findForChange,
  type AppointmentChange,
} from '../appointments/appointment-change.ts';
import { toAppointment, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { isPast, type ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { Appointment } from '../contract/schemas.ts';
import { appointmentTransitions } from '../contract/transitions.ts';
import { aboutAppointment } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { missedVisits } from './attendance-record.ts';

/** Days in which missed visits count. */
const year = 365;

type Rules = Pick<ClinicContext['settings'], 'CLINIC_CONFIRM_AFTER_MISSED'>;
type Asked = Pick<AppointmentRecord, 'patientId' | 'date' | 'time' | 'comes'>;

/**
 * Whom the clinic asks to say that they will come: accounts that missed so many visits within a year. They stay booked either
 * way.
 *
 * @returns of a visit whether its patient has said so; `undefined` if they aren't asked
 */
export async function askedToConfirm(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  visits: readonly Asked[],
  { CLINIC_CONFIRM_AFTER_MISSED: most }: Rules,
  { today }: Pick<ClinicClock, 'today'>,
): Promise<(visit: Asked) => boolean | undefined> {
  const accounts = [...new Set(visits.flatMap(({ patientId }) => patientId ?? []))];
  if (most === 0 || accounts.length === 0) return () => undefined;
  const counts = await appointments
    .aggregate<{ readonly _id: string; readonly count: number }>([
      { $match: { patientId: { $in: accounts }, ...missedVisits, date: { $gte: addDays(today, -year) } } },
      { $group: { _id: '$patientId', count: { $sum: 1 } } },
    ])
    .toArray();
  const asked = new Set(counts.filter(({ count }) => count >= most).map(({ _id }) => _id));
  return ({ patientId = '', date, time, comes }) =>
    asked.has(patientId) ? comes?.date === date && comes.time === time : undefined;
}

/**
 * Notes that the patient will come, by the link in a reminder. Once is enough.
 *
 * @param session - the transaction of record and event
 * @throws ProblemError `not_found`, `forbidden`; `transition_refused` if it is cancelled or past
 */
export async function promiseToCome(change: AppointmentChange, session: ClientSession): Promise<Appointment> {
  const { collections, id, caller, clock, rules } = change;
  const record = await findForChange(change, session);
  const { date, time, status, comes } = record;
  if (isFinal(appointmentTransitions, status)) throw finalStatus(status);
  if (isPast(record, clock)) throw refused('This appointment’s time is past.');
  if (comes?.date === date && comes.time === time) return toAppointment(record, rules, caller);
  const { matchedCount } = await collections.appointments.updateOne(
    { _id: id, status, date, time },
    { $set: { comes: { date, time } } },
    { session },
  );
  if (matchedCount === 0) throw changedMeanwhile();
  await change.recordChange(session, {
    ...aboutAppointment(record),
    action: 'promised to come',
    before: {},
    after: { date, time },
  });
  return toAppointment(record, rules, caller);
}
