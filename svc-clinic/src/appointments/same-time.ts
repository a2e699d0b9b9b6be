import { addDays, clinicInstant, formatDate, formatTime, slotHoldingStatuses, type ClinicMoment, type SameTime } from '@clinic/contracts';
import { appointmentMinutes } from '@clinic/contracts/limits';
import { accountOfEmail, ProblemError, takeTurnFor } from '@clinic/service-kit';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { AppointmentRecord } from './appointment-record.ts';

/** Whose appointments are compared: an account's, or those booked for an address that no account has. */
type Patient = Pick<AppointmentRecord, 'patientId' | 'patientEmail'>;

/**
 * Makes bookings and moves for one patient happen one after the other, whoever makes them. Call it before
 * {@link assertFreeThen} unless the patient has taken their turn themself (`takePersonTurn`).
 *
 * @returns `false`: the patient's account has been deleted
 */
export async function takePatientTurn({ db }: { readonly db: Db }, session: ClientSession, { patientId, patientEmail }: Patient): Promise<boolean> {
  if (patientId !== undefined) return takeTurnFor({ db }, session, patientId);
  // Writes the address's document, as every booking for the address does.
  await accountOfEmail({ db }, session, patientEmail);
  return true;
}

export interface SameTimeQuestion {
  readonly collections: Pick<ClinicCollections, 'appointments'>;
  readonly clock: ClinicClock;
  /** The appointment as it is to be. */
  readonly wanted: Pick<AppointmentRecord, '_id' | 'patientId' | 'patientEmail' | 'doctorEmail' | 'date' | 'time'>;
  /** It was asked, and both are wanted. */
  readonly alsoThen: boolean | undefined;
  /** Who asks: its patient and admins are told the other doctor's name, its doctor isn't. */
  readonly asker: 'patient' | 'admin' | 'doctor';
}

/**
 * Keeps a patient from holding several doctors at one time: a second one must be confirmed, a third is refused. Two
 * appointments are at one time when their `appointmentMinutes` overlap. Those with the same doctor aren't compared: the
 * doctor's own times say how far apart visits are, and families book neighbouring ones.
 *
 * @param session - the transaction of the booking or move, in which the patient has taken their turn
 * @throws ProblemError `too_many_appointments` with `sameTime`, a code that front-ends of earlier releases know, too: they
 *   show its text at the time field
 */
export async function assertFreeThen({ collections, clock, wanted, alsoThen, asker }: SameTimeQuestion, session: ClientSession): Promise<void> {
  const near = await collections.appointments.find(nearby(wanted), { session, projection: { doctorName: 1, date: 1, time: 1 } }).toArray();
  const start = (moment: ClinicMoment): number => clinicInstant(moment, clock.timeZone).getTime();
  const overlap = (a: ClinicMoment, b: ClinicMoment): boolean => Math.abs(start(a) - start(b)) < appointmentMinutes * 60_000;
  const others = near.filter((other) => overlap(other, wanted)).toSorted((a, b) => start(a) - start(b) || a.doctorName.localeCompare(b.doctorName));
  if (others.length === 0) return;
  // All last equally long, so three share a moment exactly when each two of them do.
  const crowded = others.some((one, index) => others.slice(index + 1).some((other) => overlap(one, other)));
  if (alsoThen && !crowded) return;
  const named = asker !== 'doctor';
  const sameTime: SameTime = {
    others: others.map(({ doctorName, date, time }) => ({ ...(named && { doctorname: doctorName }), date, time })),
    canConfirm: !crowded,
  };
  const detail = describe(sameTime, asker);
  throw new ProblemError('too_many_appointments', { detail, errors: [{ field: 'time', message: detail }], sameTime });
}

/** The patient's other open appointments around that day; `appointmentMinutes` reach over midnight. */
function nearby({ _id, patientId, patientEmail, doctorEmail, date }: SameTimeQuestion['wanted']): Filter<AppointmentRecord> {
  return {
    ...(patientId === undefined ? { patientEmail, patientId: { $exists: false } } : { accounts: patientId, patientId }),
    status: { $in: [...slotHoldingStatuses] }, date: { $gte: addDays(date, -1), $lte: addDays(date, 1) },
    _id: { $ne: _id }, doctorEmail: { $ne: doctorEmail },
  };
}

function describe({ others, canConfirm }: SameTime, asker: SameTimeQuestion['asker']): string {
  const has = asker === 'patient' ? 'You already have' : 'This patient already has';
  const named = others.map(({ doctorname, date, time }) => `${doctorname === undefined ? '' : `${doctorname}, `}${formatDate(date)} at ${formatTime(time)}`).join('; ');
  if (!canConfirm) return `${has} ${others.length} appointments at this time (${named}), and nobody can have more. Choose another time.`;
  const count = others.length === 1 ? 'another appointment' : `${others.length} other appointments`;
  return `${has} ${count} at this time: ${named}. Choose another time, or ${asker === 'patient' ? 'call the clinic if you need both' : 'ask the patient which one they want'}.`;
}
