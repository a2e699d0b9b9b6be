import type { ParsedQuery } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import type { countsKey } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import { containing } from '../containing.ts';
import { specialtiesMeant } from './specialty-words.ts';
import type { DoctorRecord } from './doctor-record.ts';

/** Sort orders of the directory; each has an index. */
export const doctorSorts = {
  name: { nameKey: 1, _id: 1 },
  experience: { experience: -1, _id: 1 },
  rating: { rating: -1, _id: 1 },
} as const;

/**
 * Database filter for the directory.
 *
 * @param email - the doctor's full address, lower case
 * @param specialty - the whole specialty, however it is typed
 * @param q - part of the name or specialty, however it is typed, or another word for a specialty
 * @param byText - `countsKey` to count the doctors
 */
export function doctorFilter(
  { email, specialty, q }: Pick<ParsedQuery<'listDoctors'>, 'email' | 'specialty' | 'q'>,
  byText?: typeof countsKey,
): Filter<DoctorRecord> {
  return {
    ...(email !== undefined && { email }),
    ...(specialty && { specialtyKey: searchKey(specialty) }),
    ...(q && containing<DoctorRecord>(q, specialtiesMeant(q), byText)),
  };
}
