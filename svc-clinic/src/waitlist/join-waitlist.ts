import { isAllowed, formatDate, isFinal, type ParsedBody } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import {
  countToday,
  type DailyAct,
  isDuplicateKey,
  newId,
  ProblemError,
  type RecordOwner,
  refused,
  type SessionCaller,
  takeUserLockFor,
  rejected,
} from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { patientFields, detailsOf, withDetails } from '../appointments/patient-fields.ts';
import { waitlistParts } from '../contract/limits.ts';
import type { VisitDetails } from '../contract/patient.ts';
import { appointmentTransitions } from '../contract/transitions.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { hasNoHours } from '../schedule/working-times.ts';
import type { ClinicContext } from '../settings.ts';
import { assertNothingToBook } from './bookable-now.ts';
import { noteFreedTimes } from './freed-times.ts';
import type { Offering } from './offer-slot.ts';
import {
  aboutAppointmentToMove,
  activeStatuses,
  doctorTarget,
  entryForHistory,
  specialtyTarget,
  waitingWords,
  type WaitlistRecord,
} from './waitlist-record.ts';
import { desk } from '../contract/desk.ts';

export interface Joining extends Offering {
  readonly caller: SessionCaller;
  readonly requested: ParsedBody<'joinWaitlist'>;
  /** Of the patient's address. */
  readonly ownerOf: RecordOwner;
  readonly rules: Offering['rules'] & Pick<ClinicContext['settings'], 'WAITLIST_MAX_ENTRIES'>;
  /** Throws unless the caller is an admin or the doctor whose account this is. */
  readonly assertStaff: (doctorAccountId: string | undefined) => void;
}

/** Each place leads to offers, which hold times. */
const joins: DailyAct = { act: 'waitlist', most: 15, done: 'joined a waitlist', instead: 'call the clinic' };

/**
 * Puts a patient on the waitlist, if none of the times they wait for is free.
 *
 * @param session - the transaction of place, note and event
 * @throws ProblemError `validation_failed` naming the fields; `not_found` or `transition_refused` for an appointment
 * that can't
 *   be moved; `duplicate` if they wait for the same already; `too_many_waiting`
 */
export async function joinWaitlist(joining: Joining, session: ClientSession): Promise<WaitlistRecord> {
  const { db, caller, collections, clock, requested, rules, recordChange } = joining;
  const own = requested.patientemail === caller.email;
  if (own && !caller.confirmed)
    throw new ProblemError('email_unconfirmed', {
      detail: 'Confirm your email address to join the waitlist: open the link in the email we sent you.',
    });
  const target = await targetOf(joining, own, session);
  if (!own) joining.assertStaff(target.doctor?.accountId);
  const patientId = await joining.ownerOf(session);
  if (patientId === undefined || (target.appointment && target.appointment.patientId !== patientId))
    throw rejected('patientemail', 'This patient has no account with this email address, so no offer could reach them');
  if (!(await takeUserLockFor({ db }, session, patientId)))
    throw rejected('patientemail', 'This patient’s account has been deleted');
  const last = target.appointment ? min(target.appointment.date, clock.bookableUntil) : clock.bookableUntil;
  if (requested.until < clock.today) throw rejected('until', 'The last day is in the past');
  if (requested.until > clock.bookableUntil)
    throw rejected('until', `You can wait for times until ${formatDate(clock.bookableUntil)}`);
  if (requested.from > last) throw rejected('from', 'The appointment is before this day');

  const waiting = await collections.waitlist.countDocuments(
    { patientId, status: { $in: [...activeStatuses] } },
    { session, limit: rules.WAITLIST_MAX_ENTRIES },
  );
  const most = rules.WAITLIST_MAX_ENTRIES;
  if (waiting >= most && !isAllowed(caller, desk))
    throw new ProblemError('too_many_waiting', {
      detail: `You’re on ${most} ${most === 1 ? 'waitlist' : 'waitlists'}, the most you can be on at a time. Leave one first.`,
    });
  if (own) await countToday({ db }, session, patientId, joins);
  const record = entryOf(joining, target, { patientId, now: clock.now, last });
  try {
    await collections.waitlist.insertOne(record, { session });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new ProblemError('duplicate', {
      detail: own
        ? 'You’re already waiting for this. See or leave your places under Waitlist.'
        : 'This patient is already waiting for this. Their place is under Waitlist.',
    });
  }
  await assertNothingToBook(joining, record, await doctorsOf(joining, target));
  await recordChange(session, {
    record: { type: 'waitlist', id: record._id },
    concerns: [record.patientEmail],
    accounts: [patientId, target.doctor?.accountId],
    action: 'joined waitlist',
    before: null,
    after: entryForHistory(record),
  });
  await noteFreedTimes(collections, { patientId }, session);
  return record;
}

/** The doctors whose times a patient waits for. */
async function doctorsOf({ collections }: Joining, { doctor, specialty }: Target): Promise<readonly DoctorRecord[]> {
  if (doctor) return [doctor];
  return collections.doctors
    .find({ specialtyKey: searchKey(specialty ?? '') })
    .sort({ _id: 1 })
    .toArray();
}

interface Target {
  readonly doctor?: DoctorRecord;
  readonly specialty?: string;
  readonly appointment?: AppointmentRecord;
}

async function targetOf(joining: Joining, own: boolean, session: ClientSession): Promise<Target> {
  const { collections, requested, clock } = joining;
  const { doctors, appointments } = collections;
  if (requested.specialty !== undefined) {
    const known = await doctors.findOne(
      { specialtyKey: searchKey(requested.specialty) },
      { session, projection: { specialization: 1 } },
    );
    if (!known) throw rejected('specialty', 'There’s no doctor with this specialty');
    return { specialty: known.specialization };
  }
  const appointment =
    requested.appointment === undefined
      ? undefined
      : await appointments.findOne({ _id: new ObjectId(requested.appointment) }, { session });
  if (requested.appointment !== undefined) {
    // People who may not see an appointment learn nothing about it.
    if (!appointment || (own && appointment.patientId !== joining.caller.id))
      throw new ProblemError('not_found', { detail: 'We can’t find this appointment.' });
    if (isFinal(appointmentTransitions, appointment.status) || appointment.date < clock.today)
      throw refused('This appointment can’t be moved to another time.');
  }
  const doctor = await doctors.findOne({ email: appointment?.doctorEmail ?? requested.doctoremail ?? '' }, { session });
  if (!doctor) throw rejected('doctoremail', 'There’s no doctor with this email address');
  if (hasNoHours(doctor)) throw rejected('doctoremail', 'This doctor has no hours yet');
  return { doctor, ...(appointment && { appointment }) };
}

/** The schema asks for the details that no appointment has. */
const noDetails: VisitDetails = { patientname: '', age: 0, address: '', number: '' };

function entryOf(
  { requested, rules }: Pick<Joining, 'requested' | 'rules'>,
  { doctor, specialty, appointment }: Target,
  { patientId, now, last }: { patientId: string; now: Date; last: string },
): WaitlistRecord {
  const target = doctor ? doctorTarget(doctor.email) : specialtyTarget(searchKey(specialty ?? ''));
  const known = appointment ? detailsOf(appointment) : noDetails;
  const found = {
    ...patientFields(withDetails(known, requested), rules.CLINIC_COUNTRY),
    patientEmail: requested.patientemail,
    ...(doctor && { doctorName: doctor.name }),
    ...(specialty !== undefined && { specialty }),
  };
  return {
    ...found,
    words: waitingWords(found),
    _id: newId(),
    patientId,
    confirmed: true,
    target,
    about: appointment ? aboutAppointmentToMove(appointment._id) : target,
    ...(doctor && { doctorEmail: doctor.email }),
    ...(appointment && { moving: appointment._id }),
    from: requested.from,
    until: min(requested.until, last),
    parts: waitlistParts.filter((part) => requested.parts.includes(part)),
    status: 'waiting',
    joinedAt: now,
  };
}

const min = (one: string, other: string): string => (one < other ? one : other);
