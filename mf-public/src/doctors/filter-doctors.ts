import type { Doctor } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';

/** Orders of the directory. `rating` is only available in the address; the selector doesn't offer it. */
export type DoctorSort = 'name' | 'experience' | 'rating';

export interface DoctorFilter {
  /** Part of a name or specialty, however it is typed. */
  readonly text: string;
  /** Empty: all. */
  readonly specialty: string;
  readonly sort: DoctorSort;
}

const byName = (one: Doctor, other: Doctor) => one.name.localeCompare(other.name, 'en');

const orders: Readonly<Record<DoctorSort, (one: Doctor, other: Doctor) => number>> = {
  name: byName,
  experience: (one, other) => other.experience - one.experience || byName(one, other),
  rating: (one, other) => other.rating - one.rating || byName(one, other),
};

/** @returns the order named in an address; by name if it names none that we know */
export function sortFrom(text: string | null): DoctorSort {
  return text === 'experience' || text === 'rating' ? text : 'name';
}

/** The doctors that match search and specialty, in the requested order. */
export function filterDoctors(doctors: readonly Doctor[], { text, specialty, sort }: DoctorFilter): Doctor[] {
  const key = searchKey(text);
  const has = (field: string): boolean => key !== '' && searchKey(field).includes(key);
  return doctors
    .filter((doctor) => specialty === '' || specialtyOf(doctor) === specialty)
    .filter((doctor) => text.trim() === '' || has(doctor.name) || has(specialtyOf(doctor)))
    .sort(orders[sort]);
}

/** The specialty, from whichever of its two fields is filled. */
export function specialtyOf(doctor: Doctor): string {
  return doctor.specialty || doctor.specialization;
}
