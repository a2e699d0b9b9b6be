import { derivedFields, rewriteRecords, type SchemaChange } from '@clinic/service-kit';
import { appointmentWords } from './appointments/appointment-record.ts';
import { collectionsOf } from './collections.ts';
import { doctorKeys, type DoctorRecord } from './doctors/doctor-record.ts';
import { pharmacistKeys, type PharmacistRecord } from './pharmacists/pharmacist-record.ts';

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

const from = ['name', 'specialization'] as const;

/** What searches and sorts read, by the records it is derived from. */
export const searchFields = [
  derivedFields<DoctorRecord, (typeof from)[number]>({
    recordType: 'doctor',
    collection: (db) => collectionsOf(db).doctors,
    from,
    derive: doctorKeys,
  }),
  derivedFields<PharmacistRecord, (typeof from)[number]>({
    recordType: 'pharmacist',
    collection: (db) => collectionsOf(db).pharmacists,
    from,
    derive: pharmacistKeys,
  }),
];
