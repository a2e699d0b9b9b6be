import type { Doctor } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';

/** Orders of the directory. An address may ask for `rating`; the selector doesn't offer it. */
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

/** @returns the order an address asks for; names where it asks for none that we know */
export function sortFrom(text: string | null): DoctorSort {
  return text === 'experience' || text === 'rating' ? text : 'name';
}

/** The doctors that fit the search and the specialty, in the wanted order. */
export function filterDoctors(doctors: readonly Doctor[], { text, specialty, sort }: DoctorFilter): Doctor[] {
  const wanted = searchKey(text);
  const has = (field: string): boolean => wanted !== '' && searchKey(field).includes(wanted);
  return doctors
    .filter((doctor) => specialty === '' || specialtyOf(doctor) === specialty)
    .filter((doctor) => text.trim() === '' || has(doctor.name) || has(specialtyOf(doctor)))
    .sort(orders[sort]);
}

/** The specialty, under whichever of its two names is filled. */
export function specialtyOf(doctor: Doctor): string {
  return doctor.specialty || doctor.specialization;
}
