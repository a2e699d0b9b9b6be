import type { SchemaChange } from '@clinic/service-kit';
import { rewriteRecords } from '@clinic/service-kit';
import { appointmentWords } from './appointments/appointment-record.ts';
import { collectionsOf } from './collections.ts';
import { doctorKeys } from './doctors/doctor-record.ts';
import { pharmacistKeys } from './pharmacists/pharmacist-record.ts';

/** Doctors, pharmacists and appointments are found by search keys; they were by lower case. @param number - its place among the changes */
export const findBySearchKeys = (number: number): SchemaChange => ({
  number,
  name: 'profiles and appointments are found by search keys',
  up: async (context) => {
    const { doctors, pharmacists, appointments } = collectionsOf(context.db);
    await rewriteRecords(context, doctors, ['name', 'specialization'], doctorKeys);
    await rewriteRecords(context, pharmacists, ['name', 'specialization'], pharmacistKeys);
    await rewriteRecords(context, appointments, ['patientName', 'patientEmail', 'doctorName', 'doctorEmail'], (appointment) => ({ words: appointmentWords(appointment) }));
  },
});
