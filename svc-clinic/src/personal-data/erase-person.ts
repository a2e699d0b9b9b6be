import { slotHoldingStatuses, type AppointmentStatus } from '@clinic/contracts';
import { erasedEmail, erasedName } from '@clinic/contracts/erased-person';
import { emptied, forgetInHistory, type Erased, type ForgottenPerson } from '@clinic/service-kit';
import type { ClientSession, Filter, ObjectId } from 'mongodb';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import { withoutPerson } from '../appointments/appointment-without-patient.ts';
import { clinicClock, isPast } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import type { RecordChange } from '../record-change.ts';
import { countAppointment, forgetInRollups } from '../reports/appointment-rollups.ts';
import type { ClinicContext } from '../settings.ts';

const batchSize = 50;

const holdsSlot = (status: AppointmentStatus): boolean => slotHoldingStatuses.some((holding) => holding === status);

/**
 * Erases a person: upcoming appointments are cancelled, which frees their slots; appointments stay without name, address,
 * phone and age; a doctor's or pharmacist's profile is deleted; the history keeps a pseudonym. Completed steps are detected,
 * so the call may be repeated after any interruption.
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
  const profiles = await removeProfiles(context, person, recordChange);
  let records = profiles;
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
  // Another account may be a doctor with this address; its figures stay.
  if (!(await appointments.findOne({ doctorEmail: person.email }, { projection: { _id: 1 } })))
    await forgetInRollups(collections, person.email);
  const { events, done } = await forgetInHistory(context, person, {
    until,
    redact: (fields, { record, concerns = [] }) => {
      if (record.type === 'appointment')
        return fields['patientemail'] === person.email
          ? { ...emptied(fields, ['number', 'address', 'age']), patientname: erasedName }
          : fields;
      // Changes they made to somebody else's profile aren't about them.
      return concerns.includes(person.email) ? emptied(fields, ['name', 'phone', 'image', 'location']) : fields;
    },
  });
  return { done, records, cancelled, events };
}

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
  const gone = (['patientId', 'doctorAccountId', 'movedFrom', 'reason'] as const).filter(
    (field) => erased[field] === undefined,
  );
  await appointments.updateOne(
    { _id },
    {
      $set: { ...fields, ...(cancels && { status: 'Cancelled' as const, changedAt: clock.now }) },
      $unset: Object.fromEntries(gone.map((field) => [field, ''])),
      ...(cancels && { $inc: { sequence: 1 } }),
    },
    { session },
  );
  await countAppointment(collections, record, { ...erased, ...(cancels && { status: 'Cancelled' }) }, session);
  if (cancels) {
    await recordChange(session, {
      record: { type: 'appointment', id: _id },
      concerns: erased.people,
      accounts: record.accounts,
      action: 'status changed',
      before: { status: record.status },
      after: { status: 'Cancelled' },
    });
  }
  return cancels;
}

/** @returns how many profiles were deleted */
async function removeProfiles(
  context: ClinicContext,
  { email, userId, emailConfirmed }: ForgottenPerson,
  recordChange: RecordChange,
): Promise<number> {
  const { doctors, pharmacists } = collectionsOf(context.db);
  const theirs = [{ accountId: userId }, ...(emailConfirmed ? [{ email, accountId: { $exists: false } }] : [])];
  return context.inTransaction(async (session) => {
    let removed = 0;
    for (const filter of theirs) {
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
