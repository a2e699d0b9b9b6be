import type { SchemaChange } from '@clinic/service-kit';
import { rewriteRecords } from '@clinic/service-kit';
import { appointmentWords } from './appointments/appointment-record.ts';
import { collectionsOf } from './collections.ts';
import { doctorKeys } from './doctors/doctor-record.ts';
import { pharmacistKeys } from './pharmacists/pharmacist-record.ts';

/**
 * Fills in the search keys of doctors, pharmacists and appointments; earlier releases searched by lower case. @param number -
 * of the schema change
 */
export const findBySearchKeys = (number: number): SchemaChange => ({
  number,
  name: 'profiles and appointments are found by search keys',
  up: async (context) => {
    const { doctors, pharmacists, appointments } = collectionsOf(context.db);
    await rewriteRecords(context, doctors, ['name', 'specialization'], doctorKeys);
    await rewriteRecords(context, pharmacists, ['name', 'specialization'], pharmacistKeys);
    await rewriteRecords(
      context,
      appointments,
      ['patientName', 'patientEmail', 'doctorName', 'doctorEmail'],
      (appointment) => ({ words: appointmentWords(appointment) }),
    );
  },
});
