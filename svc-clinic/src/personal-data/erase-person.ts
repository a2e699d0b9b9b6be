import { slotHoldingStatuses, type AppointmentStatus } from '@clinic/contracts';
import { erasedEmail, erasedName } from '@clinic/contracts/erased-person';
import {
  absentFields,
  forgetInHistory,
  withoutPersonInHistory,
  type Erased,
  type ForgottenPerson,
  type HistoryFields,
} from '@clinic/service-kit';
import { ObjectId, type ClientSession, type Filter } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { withoutPerson } from '../appointments/appointment-without-patient.ts';
import { clinicClock, isPast } from '../clinic-clock.ts';
import { collectionsOf, type ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { announceVisit, nextSequence } from '../messages/announce-visit.ts';
import type { PharmacistRecord } from '../pharmacists/pharmacist-record.ts';
import type { RecordChange } from '../record-change.ts';
import { countAppointment } from '../reports/appointment-rollups.ts';
import type { ClinicContext } from '../settings.ts';
import { appointmentInCopy, patientDeleted } from './personal-records.ts';
import { doctorInCopy, doctorProfileDeleted, pharmacistInCopy, pharmacistProfileDeleted } from './profile-records.ts';
import { noteFreedTimes } from '../waitlist/freed-times.ts';
import { eraseAwaitedDoctor, eraseWaitingPatient } from '../waitlist/erase-waiting.ts';

const batchSize = 50;

const holdsSlot = (status: AppointmentStatus): boolean => slotHoldingStatuses.some((holding) => holding === status);

/**
 * Erases a person: upcoming appointments are cancelled, which frees their slots; appointments stay without name,
 * address, phone and age; a doctor's or pharmacist's profile is deleted; the history keeps a pseudonym. Completed steps
 * are detected, so the call may be repeated after any interruption.
 *
 * @param recordChange - writes the cancellations to the history
 * @param until - `performance.now()` after which to start nothing new
 */
export async function erasePerson(
  context: ClinicContext,
  person: ForgottenPerson,
  recordChange: RecordChange,
  until: number,
): Promise<Erased> {
  const collections = collectionsOf(context.db);
  const { appointments } = collections;
  const erasure = { context, person, recordChange, until };
  const awaited = await profilesWith(collections, person);
  for (const email of awaited) await eraseAwaitedDoctor(erasure, email);
  await collections.calendarFeeds.deleteOne({ _id: person.userId });
  const profiles = await removeProfiles(context, person, recordChange);
  // Places that people took before the profile was deleted.
  for (const email of awaited) await eraseAwaitedDoctor(erasure, email);
  const waiting = await eraseWaitingPatient(erasure);
  let records = profiles + waiting.places;
  if (!waiting.done) return { done: false, records, cancelled: 0, events: 0 };
  let cancelled = 0;
  for (const theirs of appointmentsOf(person)) {
    for (;;) {
      const found = await appointments.find(theirs, { projection: { _id: 1 }, limit: batchSize }).toArray();
      if (found.length === 0) break;
      for (const { _id } of found) {
        if (performance.now() > until) return { done: false, records, cancelled, events: 0 };
        if (await context.inTransaction((session) => eraseFromAppointment(context, _id, person, recordChange, session)))
          cancelled += 1;
        records += 1;
      }
    }
  }
  // Another account may be a doctor with this address; its figures stay. Without an appointment they add up to zero.
  if (!(await appointments.findOne({ doctorEmail: person.email }, { projection: { _id: 1 } })))
    await collections.appointmentTallies.deleteMany({ doctorEmail: person.email });
  const isPatientOf = patientLookup(collections, person);
  const { events, done } = await forgetInHistory(context, person, {
    until,
    redact: async (fields, { record, concerns = [] }) => {
      if (record.type === 'appointment')
        return fields['patientemail'] === person.email || (await isPatientOf(record.id))
          ? withoutPersonInHistory(fields, appointmentHistory(person))
          : fields;
      // Keeps when and for whom they waited, not who they are.
      if (record.type === 'waitlist') return fields;
      // Changes they made to somebody else's profile aren't about them.
      if (!concerns.includes(person.email)) return fields;
      return record.type === 'doctor'
        ? withoutPersonInHistory(fields, doctorHistory(person))
        : withoutPersonInHistory(fields, pharmacistHistory(person));
    },
  });
  return { done, records, cancelled, events };
}

/** Whether the person was the patient of an appointment. By now it has their pseudonym. */
function patientLookup({ appointments }: ClinicCollections, { userId }: ForgottenPerson) {
  const known = new Map<string, Promise<boolean>>();
  const lookUp = async (id: string): Promise<boolean> => {
    const found = await appointments.findOne({ _id: new ObjectId(id) }, { projection: { patientEmail: 1 } });
    return found?.patientEmail === erasedEmail(userId);
  };
  return (id: string): Promise<boolean> => {
    const answer = known.get(id) ?? lookUp(id);
    known.set(id, answer);
    return answer;
  };
}

const appointmentHistory = ({ userId }: ForgottenPerson): HistoryFields<AppointmentRecord> => ({
  rules: patientDeleted,
  inCopy: appointmentInCopy,
  instead: { patientName: erasedName, patientEmail: erasedEmail(userId) },
  // The patient's answer when asked about a change: one of a few fixed words.
  alsoKept: ['patientChoice'],
});

const doctorHistory = ({ userId }: ForgottenPerson): HistoryFields<DoctorRecord> => ({
  rules: doctorProfileDeleted,
  inCopy: doctorInCopy,
  instead: { email: erasedEmail(userId) },
  alsoKept: ['id', 'specialty'],
});

const pharmacistHistory = ({ userId }: ForgottenPerson): HistoryFields<PharmacistRecord> => ({
  rules: pharmacistProfileDeleted,
  inCopy: pharmacistInCopy,
  instead: { email: erasedEmail(userId) },
  alsoKept: ['experienceYears'],
});

/** The person's appointments, as patient or as doctor; erased ones no longer match. */
function appointmentsOf({ email, userId, emailConfirmed }: ForgottenPerson): Filter<AppointmentRecord>[] {
  const byEmail: Filter<AppointmentRecord>[] = [
    { patientEmail: email, patientId: { $exists: false } },
    { doctorEmail: email, doctorAccountId: { $exists: false } },
  ];
  return [{ accounts: userId }, ...(emailConfirmed ? byEmail : [])];
}

/** @returns whether it was cancelled */
async function eraseFromAppointment(
  context: ClinicContext,
  id: ObjectId,
  person: ForgottenPerson,
  recordChange: RecordChange,
  session: ClientSession,
): Promise<boolean> {
  const collections = collectionsOf(context.db);
  const { appointments } = collections;
  const record = await appointments.findOne({ _id: id }, { session });
  const erased = record && withoutPerson(record, person);
  if (!erased) return false;
  const clock = clinicClock(context.settings);
  const cancels = holdsSlot(record.status) && !isPast(record, clock);
  const { _id, sequence: _counted, ...fields } = erased;
  await appointments.updateOne(
    { _id },
    {
      $set: { ...fields, ...(cancels && { status: 'Cancelled' as const, changedAt: clock.now }) },
      $unset: absentFields(record, erased),
      ...(cancels && { $inc: { sequence: 1 } }),
    },
    { session },
  );
  await countAppointment(collections, record, { ...erased, ...(cancels && { status: 'Cancelled' }) }, session);
  if (cancels) {
    await noteFreedTimes(collections, { doctorEmail: erased.doctorEmail }, session);
    await recordChange(session, {
      record: { type: 'appointment', id: _id },
      concerns: erased.people,
      accounts: record.accounts,
      action: 'status changed',
      before: { status: record.status },
      after: { status: 'Cancelled' },
    });
    // To the patient of a deleted doctor; a patient who is being erased has no address any more.
    const cancelled: AppointmentRecord = { ...erased, status: 'Cancelled' };
    await announceVisit(context.db, { kind: 'appointment-cancelled' }, cancelled, nextSequence(record), false, session);
  }
  return cancels;
}

/** Filters for the person's profiles. */
const profileFilters = ({ email, userId, emailConfirmed }: ForgottenPerson) => [
  { accountId: userId },
  ...(emailConfirmed ? [{ email, accountId: { $exists: false } }] : []),
];

/** The addresses of the person's profiles as a doctor. */
async function profilesWith({ doctors }: ClinicCollections, person: ForgottenPerson): Promise<string[]> {
  const found: string[] = [];
  for (const filter of profileFilters(person)) {
    const profile = await doctors.findOne(filter, { projection: { email: 1 } });
    if (profile) found.push(profile.email);
  }
  return found;
}

/** @returns how many profiles were deleted */
async function removeProfiles(
  context: ClinicContext,
  person: ForgottenPerson,
  recordChange: RecordChange,
): Promise<number> {
  const { userId } = person;
  const { doctors, pharmacists } = collectionsOf(context.db);
  return context.inTransaction(async (session) => {
    let removed = 0;
    for (const filter of profileFilters(person)) {
      const gone = [
        { type: 'doctor', profile: await doctors.findOneAndDelete(filter, { session }) } as const,
        { type: 'pharmacist', profile: await pharmacists.findOneAndDelete(filter, { session }) } as const,
      ];
      for (const { type, profile } of gone) {
        if (!profile) continue;
        removed += 1;
        await recordChange(session, {
          record: { type, id: profile._id },
          concerns: [erasedEmail(userId)],
          accounts: [userId],
          action: 'deleted',
          before: {},
          after: {},
        });
      }
    }
    return removed;
  });
}
