import {
  addDays,
  clinicInstant,
  formatDate,
  formatTime,
  slotHoldingStatuses,
  type ClinicMoment,
  type SameTime,
} from '@clinic/contracts';
import { appointmentMinutes } from '@clinic/contracts/limits';
import { accountOfEmail, ProblemError, takeUserLockFor } from '@clinic/service-kit';
import type { ClientSession, Db, Filter } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { AppointmentRecord } from './appointment-record.ts';

/** The patient whose appointments are compared: an account, or an address without an account. */
type Patient = Pick<AppointmentRecord, 'patientId' | 'patientEmail'>;

/**
 * Serialises bookings and moves for one patient, whoever makes them. Call it before {@link assertFreeThen}, unless the patient
 * is the caller and holds the per-user lock (`takeUserLock`).
 *
 * @returns `false` if the patient's account has been deleted
 */
export async function takePatientLock(
  { db }: { readonly db: Db },
  session: ClientSession,
  { patientId, patientEmail }: Patient,
): Promise<boolean> {
  if (patientId !== undefined) return takeUserLockFor({ db }, session, patientId);
  // Writes the address's document, as every booking for the address does.
  await accountOfEmail({ db }, session, patientEmail);
  return true;
}

export interface SameTimeQuestion {
  readonly collections: Pick<ClinicCollections, 'appointments'>;
  readonly clock: ClinicClock;
  /** The appointment after the change. */
  readonly requested: Pick<AppointmentRecord, '_id' | 'patientId' | 'patientEmail' | 'doctorEmail' | 'date' | 'time'>;
  /** The user has confirmed that they want both. */
  readonly alsoThen: boolean | undefined;
  /** Who makes the request: the patient and admins see the other doctor's name, the appointment's doctor doesn't. */
  readonly requester: 'patient' | 'admin' | 'doctor';
}

/**
 * Limits a patient to two doctors at one time: a second one must be confirmed, a third is rejected. Two appointments are at
 * the same time if their `appointmentMinutes` overlap. Those with the same doctor aren't compared: the doctor's own times say
 * how far apart visits are, and families book adjacent ones.
 *
 * @param session - the transaction of the booking or move, which holds the patient's lock
 * @throws ProblemError `too_many_appointments` with `sameTime`; front-ends of earlier releases know the code, and show its
 *   text at the time field
 */
export async function assertFreeThen(
  { collections, clock, requested, alsoThen, requester }: SameTimeQuestion,
  session: ClientSession,
): Promise<void> {
  const near = await collections.appointments
    .find(nearby(requested), { session, projection: { doctorName: 1, date: 1, time: 1 } })
    .toArray();
  const start = (moment: ClinicMoment): number => clinicInstant(moment, clock.timeZone).getTime();
  const overlap = (a: ClinicMoment, b: ClinicMoment): boolean =>
    Math.abs(start(a) - start(b)) < appointmentMinutes * 60_000;
  const others = near
    .filter((other) => overlap(other, requested))
    .toSorted((a, b) => start(a) - start(b) || a.doctorName.localeCompare(b.doctorName));
  if (others.length === 0) return;
  // All have the same length, so three share a moment exactly if every two of them do.
  const crowded = others.some((one, index) => others.slice(index + 1).some((other) => overlap(one, other)));
  if (alsoThen && !crowded) return;
  const named = requester !== 'doctor';
  const sameTime: SameTime = {
    others: others.map(({ doctorName, date, time }) => ({ ...(named && { doctorname: doctorName }), date, time })),
    canConfirm: !crowded,
  };
  const detail = describe(sameTime, requester);
  throw new ProblemError('too_many_appointments', { detail, errors: [{ field: 'time', message: detail }], sameTime });
}

/** The patient's other open appointments around that day; `appointmentMinutes` may reach past midnight. */
function nearby({
  _id,
  patientId,
  patientEmail,
  doctorEmail,
  date,
}: SameTimeQuestion['requested']): Filter<AppointmentRecord> {
  return {
    ...(patientId === undefined ? { patientEmail, patientId: { $exists: false } } : { accounts: patientId, patientId }),
    status: { $in: [...slotHoldingStatuses] },
    date: { $gte: addDays(date, -1), $lte: addDays(date, 1) },
    _id: { $ne: _id },
    doctorEmail: { $ne: doctorEmail },
  };
}

function describe({ others, canConfirm }: SameTime, requester: SameTimeQuestion['requester']): string {
  const has = requester === 'patient' ? 'You already have' : 'This patient already has';
  const named = others
    .map(
      ({ doctorname, date, time }) =>
        `${doctorname === undefined ? '' : `${doctorname}, `}${formatDate(date)} at ${formatTime(time)}`,
    )
    .join('; ');
  if (!canConfirm)
    return `${has} ${others.length} appointments at this time (${named}), the most allowed. Choose another time.`;
  const count = others.length === 1 ? 'another appointment' : `${others.length} other appointments`;
  return `${has} ${count} at this time: ${named}. Choose another time, or ${requester === 'patient' ? 'call the clinic if you need both' : 'ask the patient which one they want'}.`;
}
