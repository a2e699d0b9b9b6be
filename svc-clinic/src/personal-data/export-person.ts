import { exported, exportedEvents, exportedLooks, type ExportedPerson, type ExportedThing } from '@clinic/service-kit';
import { appointmentFields } from '../appointments/appointment-record.ts';
import { collectionsOf } from '../collections.ts';
import { doctorFields } from '../doctors/doctor-record.ts';
import { toPharmacist } from '../pharmacists/pharmacist-record.ts';
import type { ClinicContext } from '../settings.ts';

/**
 * What the clinic keeps about a person: their profile, their appointments as a patient, and the history. A doctor's
 * appointments with patients are those patients' data and no part of it.
 */
export const exportPerson = (context: ClinicContext, person: ExportedPerson) => exported(() => things(context, person));

async function* things(context: ClinicContext, person: ExportedPerson): AsyncGenerator<ExportedThing> {
  const { email } = person;
  const { doctors, pharmacists, appointments } = collectionsOf(context.db);
  const own = new Set<string>();
  const doctor = await doctors.findOne({ email });
  if (doctor) {
    own.add(doctor._id.toHexString());
    yield { kind: 'doctor profile', data: doctorFields(doctor, '') };
  }
  const pharmacist = await pharmacists.findOne({ email });
  if (pharmacist) {
    own.add(pharmacist._id.toHexString());
    yield { kind: 'pharmacist profile', data: toPharmacist(pharmacist) };
  }
  for await (const record of appointments.find({ patientEmail: email }).sort({ date: 1, time: 1 })) {
    own.add(record._id.toHexString());
    yield { kind: 'appointment', data: { ...appointmentFields(record), bookedAt: record.bookedAt.toISOString(), changedAt: record.changedAt.toISOString() } };
  }
  yield* exportedEvents(context, person, ({ record }) => own.has(record.id));
  yield* exportedLooks(context, person);
}
