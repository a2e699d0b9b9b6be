import type { Pharmacist } from '../contract/schemas.ts';
import { searchKey } from '@clinic/contracts/search-key';
import { ownedBy, searchParts } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';

/** A pharmacist in the database. */
export interface PharmacistRecord {
  readonly _id: ObjectId;
  readonly name: string;
  /** Lower case, unique. */
  readonly email: string;
  /** As typed; empty if there is none. */
  readonly phone: string;
  /** In international form (E.164); empty: not a whole number; absent: written by the previous release. */
  readonly phoneE164?: string;
  readonly status: string;
  readonly qualification: string;
  /** Area of expertise. */
  readonly specialization: string;
  /** Years. */
  readonly experience: number;
  /** Search key of the name, for alphabetical order. */
  readonly nameKey: string;
  /** Search keys of name and area of expertise. */
  readonly searchText: string;
  /** Where a search finds them; absent in profiles that a replica of the previous release has just created. */
  readonly searchParts?: readonly string[];
  readonly createdAt: Date;
  /** The pharmacist's account; absent if there is none yet. Set once, never changed. */
  readonly accountId?: string;
}

type SearchFields = 'nameKey' | 'searchText' | 'searchParts';

export type NewPharmacist = Omit<PharmacistRecord, SearchFields>;

/** Adds the derived fields for search and sorting. */
export function pharmacistRecord(pharmacist: NewPharmacist): PharmacistRecord {
  return { ...pharmacist, ...pharmacistKeys(pharmacist) };
}

/** The search keys of a pharmacist. */
export function pharmacistKeys({
  name,
  specialization,
}: Pick<PharmacistRecord, 'name' | 'specialization'>): Pick<PharmacistRecord, SearchFields> {
  const nameKey = searchKey(name);
  const areaKey = searchKey(specialization);
  return { nameKey, searchText: `${nameKey}\n${areaKey}`, searchParts: searchParts(nameKey, areaKey) };
}

/** The record in its wire shape: the dashboard table reads `experienceYears`, the profile form wrote `experience`. */
export function toPharmacist(record: Omit<PharmacistRecord, 'searchText' | 'searchParts'>): Pharmacist {
  return ownedBy(
    { email: record.email, id: record.accountId },
    {
      _id: record._id.toHexString(),
      name: record.name,
      email: record.email,
      phone: record.phone,
      experienceYears: record.experience,
      status: record.status,
      qualification: record.qualification,
      specialization: record.specialization,
      experience: record.experience,
      ...(record.accountId !== undefined && { accountId: record.accountId }),
    },
  );
}
