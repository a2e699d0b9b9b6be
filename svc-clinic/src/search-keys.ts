import {
  derivedFields,
  fillDerivedFields,
  internationalPhone,
  isDuplicateKey,
  type Country,
  type SchemaChange,
} from '@clinic/service-kit';
import { searchKey } from '@clinic/contracts/search-key';
import { appointmentWords, wordFields, type AppointmentRecord } from './appointments/appointment-record.ts';
import { collectionsOf } from './collections.ts';
import { doctorKeys, type DoctorRecord } from './doctors/doctor-record.ts';
import { pharmacistKeys, type PharmacistRecord } from './pharmacists/pharmacist-record.ts';
import { specialtyTarget, waitingWordFields, waitingWords, type WaitlistRecord } from './waitlist/waitlist-record.ts';

/**
 * Fills in the search keys of doctors, pharmacists and appointments; earlier releases searched by lower case. @param number -
 * of the schema change
 */
export const findBySearchKeys = (number: number): SchemaChange => ({
  number,
  name: 'profiles and appointments are found by search keys',
  up: async (context) => {
    for (const { rewrite } of searchFields(context.settings.CLINIC_COUNTRY)) await rewrite(context);
  },
});

/**
 * Changes the search keys of all records to those without accents, apostrophes and hyphens, and adds phone numbers. @param
 * number - of the schema change
 */
export function findHoweverTyped(number: number): SchemaChange {
  const name = 'records are found without accents, and by phone numbers however they are typed';
  const fields = fillDerivedFields(number, name, ({ settings }) => searchFields(settings.CLINIC_COUNTRY));
  return {
    ...fields,
    up: async (context) => {
      await fields.up(context);
      const { waitlist } = collectionsOf(context.db);
      // Only few people wait for a specialty whose key has changed.
      for await (const { _id, specialty = '', target } of waitlist.find({ specialty: { $exists: true } })) {
        const now = specialtyTarget(searchKey(specialty));
        if (now === target) continue;
        try {
          await waitlist.updateOne({ _id, target, about: target }, { $set: { target: now, about: now } });
        } catch (error) {
          // They wait for the same specialty in another spelling, too: that place stays.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },
  };
}

const from = ['name', 'specialization'] as const;

/** What searches and sorts read, by the records it is derived from. @param country - of phone numbers without a country's code */
export const searchFields = (country: Country) => [
  derivedFields<DoctorRecord, (typeof from)[number]>({
    recordType: 'doctor',
    collection: (db) => collectionsOf(db).doctors,
    from,
    derive: doctorKeys,
  }),
  derivedFields<PharmacistRecord, (typeof from)[number] | 'phone'>({
    recordType: 'pharmacist',
    collection: (db) => collectionsOf(db).pharmacists,
    from: [...from, 'phone'],
    derive: (pharmacist) => ({
      ...pharmacistKeys(pharmacist),
      phoneE164: internationalPhone(pharmacist.phone, country),
    }),
  }),
  derivedFields<AppointmentRecord, (typeof wordFields)[number]>({
    recordType: 'appointment',
    actions: ['booked', 'details corrected', 'moved to a colleague'],
    collection: (db) => collectionsOf(db).appointments,
    from: wordFields,
    derive: (appointment) => {
      // Times that are held for the waitlist stand in the same collection.
      if ((appointment.phone as string | undefined) === undefined) return {};
      // Deleted patients have none.
      if (appointment.phone === '') return { words: appointmentWords(appointment) };
      const phoneE164 = internationalPhone(appointment.phone, country);
      return { phoneE164, words: appointmentWords({ ...appointment, phoneE164 }) };
    },
  }),
  derivedFields<WaitlistRecord, (typeof waitingWordFields)[number]>({
    recordType: 'waitlist',
    actions: ['joined waitlist'],
    collection: (db) => collectionsOf(db).waitlist,
    from: waitingWordFields,
    derive: (place) => {
      const phoneE164 = internationalPhone(place.phone, country);
      return { phoneE164, words: waitingWords({ ...place, phoneE164 }) };
    },
  }),
];
