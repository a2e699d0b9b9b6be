import { addDays, formatDate, formatTime, type ClinicMoment } from '@clinic/contracts';
import { idOfNoEmail } from '@clinic/contracts/erased-person';
import { lockAddress, ProblemError, takeUserLockFor } from '@clinic/service-kit';
import type { ClientSession, Db, Filter, ObjectId } from 'mongodb';
import type { ClinicClock } from '../clinic-clock.ts';
import type { ClinicCollections } from '../collections.ts';
import type { SameTime } from '../contract/problems.ts';
import { slotHoldingStatuses } from '../contract/transitions.ts';
import type { AppointmentRecord } from './appointment-record.ts';
import { overlap, timeTaken } from './promise.ts';

/** The patient whose appointments are compared: an account, or an address without an account. */
type Patient = Pick<AppointmentRecord, 'patientId' | 'patientEmail'>;

/**
 * Serialises bookings and moves for one patient, whoever makes them. Call it before {@link assertFreeThen}, unless the patient
 * is the caller and holds the per-user lock (`takeUserLock`).
 *
 * @returns `false` if the patient has been deleted
 */
export async function takePatientLock(
  { db }: { readonly db: Db },
  session: ClientSession,
  { patientId, patientEmail }: Patient,
): Promise<boolean> {
  if (patientId !== undefined) return takeUserLockFor({ db }, session, patientId);
  // Writes the address's document, as every booking for the address does.
  await lockAddress({ db }, session, patientEmail);
  const withoutEmail = idOfNoEmail(patientEmail);
  return withoutEmail === undefined || takeUserLockFor({ db }, session, withoutEmail);
}

export interface SameTimeQuestion {
  readonly collections: Pick<ClinicCollections, 'appointments'>;
  readonly clock: ClinicClock;
  /** The appointment after the change. */
  readonly requested: Pick<
    AppointmentRecord,
    '_id' | 'patientId' | 'patientEmail' | 'doctorEmail' | 'date' | 'time' | 'duration'
  >;
  /** The user has confirmed that they want both. */
  readonly alsoThen: boolean | undefined;
  /** Who makes the request: the patient and admins see the other doctor's name, the appointment's doctor doesn't. */
  readonly requester: 'patient' | 'admin' | 'doctor';
}

/**
 * Limits a patient to two doctors at one time: a second one must be confirmed, a third is rejected. Two appointments are at
 * the same time if they overlap, each with its own length. Those with the same doctor aren't compared: the index over the
 * doctor's minutes keeps them apart.
 *
 * @param session - the transaction of the booking or move, which holds the patient's lock
 * @throws ProblemError `too_many_appointments` with `sameTime`; front-ends of earlier releases know the code, and show its
 *   text at the time field
 */
export async function assertFreeThen(question: SameTimeQuestion, session: ClientSession): Promise<void> {
  const { collections, requested } = question;
  const day = { from: requested.date, until: requested.date };
  const problem = sameTimeProblem(await withOtherDoctors(collections, requested, day, session), question);
  if (problem) throw problem;
}

/** An appointment that is compared. */
export type OtherAppointment = Pick<AppointmentRecord, '_id' | 'doctorName' | 'date' | 'time' | 'duration'>;

/** The rule of {@link assertFreeThen}. @param near - see {@link withOtherDoctors} */
export function sameTimeProblem(
  near: readonly OtherAppointment[],
  { clock, requested, alsoThen, requester }: Omit<SameTimeQuestion, 'collections'>,
): ProblemError | undefined {
  const time = (one: ClinicMoment & Pick<AppointmentRecord, 'duration'>) => timeTaken(one, clock.timeZone);
  const others = near
    .filter((other) => overlap(time(other), time(requested)))
    .toSorted((a, b) => time(a).from - time(b).from || a.doctorName.localeCompare(b.doctorName));
  if (others.length === 0) return undefined;
  // Three intervals share a moment exactly if every two of them do.
  const crowded = others.some((one, index) => others.slice(index + 1).some((other) => overlap(time(one), time(other))));
  if (alsoThen && !crowded) return undefined;
  const named = requester !== 'doctor';
  const sameTime: SameTime = {
    others: others.map((other) => ({
      ...(named && { doctorname: other.doctorName }),
      date: other.date,
      time: other.time,
    })),
    canConfirm: !crowded,
  };
  const detail = describe(sameTime, requester);
  const tells = { what: 'appointments', of: { email: requested.patientEmail, id: requested.patientId } };
  const errors = [{ field: 'time', message: detail }];
  return new ProblemError('too_many_appointments', { detail, errors, sameTime, tells });
}

/** The patient's open appointments with other doctors around some days; those may reach past midnight. */
export async function withOtherDoctors(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  {
    _id,
    patientId,
    patientEmail,
    doctorEmail,
  }: Omit<SameTimeQuestion['requested'], 'date' | 'time' | '_id'> & { readonly _id?: ObjectId },
  { from, until }: { readonly from: string; readonly until: string },
  session: ClientSession,
): Promise<OtherAppointment[]> {
  return appointments
    .find(
      {
        ...(patientId === undefined
          ? { patientEmail, patientId: { $exists: false } }
          : { accounts: patientId, patientId }),
        ...openAround(from, until),
        ...(_id && { _id: { $ne: _id } }),
        doctorEmail: { $ne: doctorEmail },
      },
      { session, projection: { doctorName: 1, date: 1, time: 1, duration: 1 } },
    )
    .toArray();
}

/** The open appointments of several patients around some days, with one query; see {@link withOtherDoctors}. */
export async function openOfPatients(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  patients: readonly Patient[],
  { from, until }: { readonly from: string; readonly until: string },
  session: ClientSession,
): Promise<(OtherAppointment & Patient & Pick<AppointmentRecord, 'doctorEmail'>)[]> {
  const ids = patients.flatMap(({ patientId }) => patientId ?? []);
  const emails = patients.flatMap(({ patientId, patientEmail }) => (patientId === undefined ? [patientEmail] : []));
  return appointments
    .find(
      {
        $or: [
          { accounts: { $in: ids }, patientId: { $in: ids }, ...openAround(from, until) },
          { patientEmail: { $in: emails }, patientId: { $exists: false }, ...openAround(from, until) },
        ],
      },
      {
        session,
        projection: { doctorName: 1, date: 1, time: 1, duration: 1, doctorEmail: 1, patientId: 1, patientEmail: 1 },
      },
    )
    .toArray();
}

const openAround = (from: string, until: string): Pick<Filter<AppointmentRecord>, 'status' | 'date'> => ({
  status: { $in: [...slotHoldingStatuses] },
  date: { $gte: addDays(from, -1), $lte: addDays(until, 1) },
});

/** Whether two have the same patient: an account, or an address without one. */
export const isSamePatient = (one: Patient, other: Patient): boolean =>
  one.patientId === undefined
    ? other.patientId === undefined && one.patientEmail === other.patientEmail
    : one.patientId === other.patientId;

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
