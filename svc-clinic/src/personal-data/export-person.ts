import { exported, exportedEvents, exportedLooks, type ExportedPerson, type ExportedThing } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { appointmentFields, type AppointmentRecord } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';
import { doctorFields } from '../doctors/doctor-record.ts';
import { toPharmacist } from '../pharmacists/pharmacist-record.ts';
import type { ClinicContext } from '../settings.ts';

/**
 * The clinic's data about a person: their profile, their appointments as a patient, and the history. A doctor's
 * appointments with patients are those patients' data and aren't included.
 */
export const exportPerson = (context: ClinicContext, person: ExportedPerson) => exported(() => things(context, person));

async function* things(context: ClinicContext, person: ExportedPerson): AsyncGenerator<ExportedThing> {
  const { doctors, pharmacists, appointments } = collectionsOf(context.db);
  const own = new Set<string>();
  for (const whose of profilesOf(person)) {
    const doctor = await doctors.findOne(whose);
    if (doctor) {
      own.add(doctor._id.toHexString());
      yield { kind: 'doctor profile', data: doctorFields(doctor, '') };
    }
    const pharmacist = await pharmacists.findOne(whose);
    if (pharmacist) {
      own.add(pharmacist._id.toHexString());
      yield { kind: 'pharmacist profile', data: toPharmacist(pharmacist) };
    }
  }
  for (const whose of appointmentsOf(person)) {
    for await (const record of appointments.find(whose).sort({ date: 1, time: 1 })) {
      own.add(record._id.toHexString());
      yield {
        kind: 'appointment',
        data: {
          ...appointmentFields(record),
          bookedAt: record.bookedAt.toISOString(),
          changedAt: record.changedAt.toISOString(),
        },
      };
    }
  }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id));
  yield* exportedLooks(context, person);
}

/**
 * Profiles that belong to the account and, if the address counts, those under it without an account; an admin's export is by
 * address.
 */
function profilesOf({ email, id, byEmail }: ExportedPerson) {
  if (id === undefined) return [{ email }];
  return [{ accountId: id }, ...(byEmail ? [{ email, accountId: { $exists: false } }] : [])];
}

function appointmentsOf({ email, id, byEmail }: ExportedPerson): Filter<AppointmentRecord>[] {
  if (id === undefined) return [{ patientEmail: email }];
  return [
    { accounts: id, patientId: id },
    ...(byEmail ? [{ patientEmail: email, patientId: { $exists: false } }] : []),
  ];
}
