import { isAllowed, isFinal, type Caller, type Ownership } from '@clinic/contracts';
import { assertOwner, ProblemError, refused, type ServiceRequest } from '@clinic/service-kit';
import { ObjectId, type ClientSession, type Db } from 'mongodb';
import { clinicClock, type ClinicClock } from '../clinic-clock.ts';
import { collectionsOf, type ClinicCollections } from '../collections.ts';
import { appointmentTransitions, type AppointmentActor, type AppointmentStatus } from '../contract/transitions.ts';
import { historyRecorder, type RecordChange } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { changeUntil, ownershipOf, partsOf, type AppointmentRecord, type ChangeRules } from './appointment-record.ts';
import type { OfferRules } from '../waitlist/offer-slot.ts';
import { desk } from '../contract/desk.ts';

/** What every change of an existing appointment needs. */
export interface AppointmentChange {
  readonly db: Db;
  readonly collections: ClinicCollections;
  readonly id: ObjectId;
  readonly caller: Caller;
  readonly clock: ClinicClock;
  readonly rules: ChangeRules & OfferRules & Pick<ClinicContext['settings'], 'CLINIC_MAX_CHANGES_PER_DAY'>;
  readonly recordChange: RecordChange;
  /** Throws if the caller has no access to this appointment at all. */
  readonly assertMayTouch: (ownership: Ownership) => void;
  /** Appointments that move in the same transaction: their old times count as free. */
  readonly movingTogether?: readonly ObjectId[];
  /** A move to the same time gives the appointment the length and place that the hours have there now. */
  readonly adoptsHours?: true;
  /** The clinic offered this time, so it doesn't count towards the patient's daily limit. */
  readonly offered?: true;
}

/** An appointment as it was on screen, as far as the front-end says. */
type SeenVisit = { readonly [Part in (typeof visitParts)[number]]?: string | undefined };
const visitParts = ['doctoremail', 'date', 'time'] as const;

/** Calls that change one appointment, or say what a change of it would do. */
type ChangingCall =
  | 'changeAppointmentStatus'
  | 'changeAttendance'
  | 'rescheduleAppointment'
  | 'moveToColleague'
  | 'correctAppointment'
  | 'settleOutside'
  | 'previewFollowing'
  | 'changeSeries';

/** What a request changes. */
export function appointmentChangeOf(context: ClinicContext, request: ServiceRequest<ChangingCall>): AppointmentChange {
  return { ...changeOfSeveral(context, request), id: new ObjectId(request.params.id) };
}

/** What a request about several appointments needs for each of them. */
export type ChangeOfSeveral = Omit<AppointmentChange, 'id'>;

/** {@link appointmentChangeOf} for several appointments. */
export function changeOfSeveral(
  context: ClinicContext,
  request: ServiceRequest<ChangingCall | 'undoMoves' | 'undoStatusChanges' | 'arriveByCode'>,
): ChangeOfSeveral {
  return {
    db: context.db,
    collections: collectionsOf(context.db),
    rules: context.settings,
    caller: request.caller,
    clock: clinicClock(context.settings),
    recordChange: historyRecorder(context, request),
    assertMayTouch: (ownership) => assertOwner(request.call.access, request.caller, ownership),
  };
}

/**
 * Reads the appointment to change.
 *
 * @throws ProblemError `not_found` for an unknown id; `forbidden` for other people's appointments
 */
export async function findForChange(
  { collections, id, assertMayTouch }: AppointmentChange,
  session: ClientSession,
): Promise<AppointmentRecord> {
  const record = await appointmentById(collections, id, session);
  assertMayTouch(ownershipOf(record));
  return record;
}

/** @throws ProblemError `not_found` */
export async function appointmentById(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  id: string | ObjectId,
  session?: ClientSession,
): Promise<AppointmentRecord> {
  const record = await appointments.findOne({ _id: new ObjectId(id) }, session && { session });
  if (!record) throw new ProblemError('not_found', { detail: 'We can’t find this appointment.' });
  return record;
}

/** Several appointments, in order of their ids. @throws ProblemError `not_found` if one of them is unknown */
export async function appointmentsById(
  { appointments }: Pick<ClinicCollections, 'appointments'>,
  ids: readonly ObjectId[],
  session: ClientSession,
): Promise<AppointmentRecord[]> {
  const found = await appointments.find({ _id: { $in: [...ids] } }, { session }).toArray();
  const byId = new Map(found.map((record) => [record._id.toHexString(), record]));
  return ids.map((id) => {
    const record = byId.get(id.toHexString());
    if (!record) throw new ProblemError('not_found', { detail: 'We can’t find one of these appointments.' });
    return record;
  });
}

/**
 * Whoever moves an appointment decides about the one on their screen.
 *
 * @throws ProblemError `changed_meanwhile`
 */
export function assertNotMoved(
  { doctorEmail: doctoremail, date, time }: Pick<AppointmentRecord, 'doctorEmail' | 'date' | 'time'>,
  seen: SeenVisit = {},
): void {
  const now: SeenVisit = { doctoremail, date, time };
  if (visitParts.every((part) => seen[part] === undefined || seen[part] === now[part])) return;
  throw new ProblemError('changed_meanwhile', {
    detail: 'Someone else has just moved this appointment. Check it and try again.',
  });
}

/** All roles of the caller in this appointment. */
export function actorsOf(
  record: Pick<AppointmentRecord, 'patientId' | 'doctorAccountId'>,
  caller: Caller,
): AppointmentActor[] {
  return [...(isAllowed(caller, desk) ? (['admin'] as const) : []), ...partsOf(record, caller)];
}

/** Whether the caller changes an appointment only as its patient, neither as its doctor nor as an admin. */
export function actsAsPatient(
  record: Pick<AppointmentRecord, 'patientId' | 'doctorAccountId'>,
  caller: Caller,
): boolean {
  return actorsOf(record, caller).every((actor) => actor === 'patient');
}

/**
 * Patients may change and cancel until some hours before; doctor and admins at any time.
 *
 * @throws ProblemError `too_late`
 */
export function assertInTime(...asked: Parameters<typeof whyTooLate>): void {
  const detail = whyTooLate(...asked);
  if (detail !== undefined) throw new ProblemError('too_late', { detail });
}

/** Why the caller, as its patient, can't change an appointment any more. */
export function whyTooLate(
  record: AppointmentRecord,
  { caller, clock, rules }: Pick<AppointmentChange, 'caller' | 'clock' | 'rules'>,
): string | undefined {
  if (!actsAsPatient(record, caller) || clock.now <= changeUntil(record, rules)) return undefined;
  const hours = rules.CLINIC_CHANGE_CUTOFF_HOURS;
  return `You can only change an appointment up to ${hours} ${hours === 1 ? 'hour' : 'hours'} before it. Call the clinic instead.`;
}

/** The problem for a status change that isn't in the transition table. */
export function rejectedMove(from: AppointmentStatus, to: AppointmentStatus): ProblemError {
  return isFinal(appointmentTransitions, from)
    ? finalStatus(from)
    : refused(`An appointment can’t be changed from ${from} to ${to}.`);
}

/** The problem for any change of an appointment in a final status. */
export function finalStatus(status: AppointmentStatus): ProblemError {
  return refused(`This appointment is ${status} and can’t be changed. Book a new one.`);
}

/** The problem for a concurrent change. */
export function changedMeanwhile(): ProblemError {
  return refused('Someone else has just changed this appointment. Check it and try again.');
}
