import { erasedEmail, erasedName } from '@clinic/contracts/erased-person';
import {
  absentFields,
  countErased,
  eraseEach,
  forgetInHistory,
  giveHistory,
  withoutPersonInHistory,
  provenAddresses,
  type AccountHolder,
  type Erased,
  type HistoryFields,
  type OpenDeletion,
} from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { holdsSlot } from '../appointments/find-appointments.ts';
import { withoutPerson } from '../appointments/appointment-without-patient.ts';
import { clinicClock, isPast } from '../clinic-clock.ts';
import { collectionsOf, type ClinicCollections } from '../collections.ts';
import type { DoctorRecord } from '../doctors/doctor-record.ts';
import { announceVisit, nextSequence } from '../messages/announce-visit.ts';
import type { PharmacistRecord } from '../pharmacists/pharmacist-record.ts';
import { historyRecorder, type RecordChange } from '../record-change.ts';
import { countAppointment } from '../reports/appointment-rollups.ts';
import type { ClinicContext } from '../settings.ts';
import { appointmentInCopy, clinicRecords, patientDeleted } from './personal-records.ts';
import { doctorInCopy, doctorProfileDeleted, pharmacistInCopy, pharmacistProfileDeleted } from './profile-records.ts';
import { noteFreedTimes } from '../waitlist/freed-times.ts';
import { eraseAwaitedDoctor, eraseWaitingPatient } from '../waitlist/erase-waiting.ts';

/**
 * Erases a person: upcoming appointments are cancelled, which frees their slots; appointments stay without name,
 * address, phone and age; a doctor's or pharmacist's profile is deleted; the history keeps a pseudonym. Completed steps
 * are detected, so it may be repeated after any interruption.
 *
 * @param until - `performance.now()` after which to start nothing new
 */
export async function erasePerson(
  context: ClinicContext,
  { person, requestId }: OpenDeletion,
  until: number,
): Promise<Erased> {
  const recordChange = historyRecorder(context, { call: 'erasure', caller: undefined, requestId });
  const collections = collectionsOf(context.db);
  const { appointments } = collections;
  const erasure = { context, person, recordChange, until };
  const awaited = await profilesWith(collections, person);
  // Otherwise each time that is withdrawn would be offered to the next person, or again, without end.
  await collections.doctors.updateMany({ email: { $in: awaited } }, { $set: { suspended: true } });
  for (const email of awaited) await eraseAwaitedDoctor(erasure, email);
  for (const whose of clinicRecords.calendarFeeds.whose.owner(person)) await collections.calendarFeeds.deleteOne(whose);
  await removeProfiles(context, person, recordChange);
  // Places that people took before the profile was deleted.
  for (const email of awaited) await eraseAwaitedDoctor(erasure, email);
  if (!(await eraseWaitingPatient(erasure))) return { done: false };
  const { patient, doctor } = clinicRecords.appointments.whose;
  const erased = await eraseEach(appointments, [...patient(person), ...doctor(person)], until, ({ _id }) =>
    context.inTransaction((session) => eraseFromAppointment(context, _id, person, recordChange, session)),
  );
  if (!erased) return { done: false };
  // Another account may be a doctor with this address; its figures stay. Without an appointment they add up to zero.
  for (const doctorEmail of new Set([...awaited, ...provenAddresses(person).map(({ email }) => email)]))
    if (!(await appointments.findOne({ doctorEmail }, { projection: { _id: 1 } })))
      await collections.appointmentTallies.deleteMany({ doctorEmail });
  const isPatientOf = patientLookup(collections, person);
  return forgetInHistory(context, person, {
    until,
    redact: async (fields, { record, concerns = [] }, isTheirs) => {
      if (record.type === 'appointment')
        return isTheirs(String(fields['patientemail'])) || (await isPatientOf(record.id))
          ? withoutPersonInHistory(fields, appointmentHistory(person))
          : fields;
      // Keeps when and for whom they waited, not who they are.
      if (record.type === 'waitlist') return fields;
      // Changes they made to somebody else's profile aren't about them.
      if (!concerns.some(isTheirs)) return fields;
      return record.type === 'doctor'
        ? withoutPersonInHistory(fields, doctorHistory(person))
        : withoutPersonInHistory(fields, pharmacistHistory(person));
    },
  });
}

/** Whether the person was the patient of an appointment. By now it has their pseudonym. */
function patientLookup({ appointments }: ClinicCollections, person: AccountHolder) {
  const known = new Map<string, Promise<boolean>>();
  const lookUp = async (id: string): Promise<boolean> => {
    const found = await appointments.findOne({ _id: new ObjectId(id) }, { projection: { patientEmail: 1 } });
    return found?.patientEmail === erasedEmail(person.id);
  };
  return (id: string): Promise<boolean> => {
    const answer = known.get(id) ?? lookUp(id);
    known.set(id, answer);
    return answer;
  };
}

const appointmentHistory = ({ id }: AccountHolder): HistoryFields<AppointmentRecord> => ({
  rules: patientDeleted,
  inCopy: appointmentInCopy,
  instead: { patientName: erasedName, patientEmail: erasedEmail(id) },
  // The patient's answer when asked about a change: one of a few fixed words.
  alsoKept: ['patientChoice'],
});

const doctorHistory = ({ id }: AccountHolder): HistoryFields<DoctorRecord> => ({
  rules: doctorProfileDeleted,
  inCopy: doctorInCopy,
  instead: { email: erasedEmail(id) },
  alsoKept: ['id', 'specialty'],
});

const pharmacistHistory = ({ id }: AccountHolder): HistoryFields<PharmacistRecord> => ({
  rules: pharmacistProfileDeleted,
  inCopy: pharmacistInCopy,
  instead: { email: erasedEmail(id) },
  alsoKept: ['experienceYears'],
});

async function eraseFromAppointment(
  context: ClinicContext,
  id: ObjectId,
  person: AccountHolder,
  recordChange: RecordChange,
  session: ClientSession,
): Promise<void> {
  const collections = collectionsOf(context.db);
  const { appointments } = collections;
  const record = await appointments.findOne({ _id: id }, { session });
  const erased = record && withoutPerson(record, person);
  if (!erased) return;
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
  // An appointment that had no account yet.
  await giveHistory(context, session, 'appointment', [_id], person.id);
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
  await countErased(context, session, person, { records: 1, cancelled: cancels ? 1 : 0 });
}

/** The addresses of the person's profiles as a doctor. */
async function profilesWith({ doctors }: ClinicCollections, person: AccountHolder): Promise<string[]> {
  const found: string[] = [];
  for (const filter of clinicRecords.doctors.whose.doctor(person)) {
    const profile = await doctors.findOne(filter, { projection: { email: 1 } });
    if (profile) found.push(profile.email);
  }
  return found;
}

async function removeProfiles(
  context: ClinicContext,
  person: AccountHolder,
  recordChange: RecordChange,
): Promise<void> {
  const { doctors, pharmacists } = collectionsOf(context.db);
  await context.inTransaction(async (session) => {
    const note = async (type: 'doctor' | 'pharmacist', profile: { readonly _id: ObjectId } | null): Promise<void> => {
      if (!profile) return;
      await countErased(context, session, person, { records: 1 });
      await recordChange(session, {
        record: { type, id: profile._id },
        concerns: [erasedEmail(person.id)],
        accounts: [person.id],
        action: 'deleted',
        before: {},
        after: {},
      });
    };
    for (const whose of clinicRecords.doctors.whose.doctor(person))
      await note('doctor', await doctors.findOneAndDelete(whose, { session }));
    for (const whose of clinicRecords.pharmacists.whose.pharmacist(person))
      await note('pharmacist', await pharmacists.findOneAndDelete(whose, { session }));
  });
}
