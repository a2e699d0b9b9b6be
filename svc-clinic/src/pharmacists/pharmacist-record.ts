import type { Pharmacist } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import type { ObjectId } from 'mongodb';

/** A pharmacist as the database keeps it. */
export interface PharmacistRecord {
  readonly _id: ObjectId;
  readonly name: string;
  /** Lower case, unique. */
  readonly email: string;
  readonly phone: string;
  readonly status: string;
  readonly qualification: string;
  /** Area of expertise. */
  readonly specialization: string;
  /** Years. */
  readonly experience: number;
  /** The name's search key, for the alphabetical order. */
  readonly nameKey: string;
  /** Search keys of name and area of expertise, for the search. */
  readonly searchText: string;
  readonly createdAt: Date;
  /** The account that is this pharmacist; absent: none is yet. Set once, never changed. */
  readonly accountId?: string;
}

export type NewPharmacist = Omit<PharmacistRecord, 'nameKey' | 'searchText'>;

/** Adds the fields that exist for finding and sorting the record. */
export function pharmacistRecord(pharmacist: NewPharmacist): PharmacistRecord {
  return { ...pharmacist, ...pharmacistKeys(pharmacist) };
}

/** What a pharmacist is found and sorted by. */
export function pharmacistKeys({ name, specialization }: Pick<PharmacistRecord, 'name' | 'specialization'>): Pick<PharmacistRecord, 'nameKey' | 'searchText'> {
  const nameKey = searchKey(name);
  return { nameKey, searchText: `${nameKey}\n${searchKey(specialization)}` };
}

/** The record as the API shows it: the dashboard table reads `experienceYears`, the profile form wrote `experience`. */
export function toPharmacist(record: PharmacistRecord): Pharmacist {
  return {
    _id: record._id.toHexString(),
    name: record.name,
    email: record.email,
    phone: record.phone,
    experienceYears: record.experience,
    status: record.status,
    qualification: record.qualification,
    specialization: record.specialization,
    experience: record.experience,
  };
}
