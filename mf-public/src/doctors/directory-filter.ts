import { addDays } from '@clinic/app-kit';
import type { CallQuery } from '@clinic/contracts';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';

/** Orders of the directory. `rating` is only available in the address; the selector doesn't offer it. */
const sorts = ['name', 'soonest', 'experience', 'rating'] as const;
export type DoctorSort = (typeof sorts)[number];

/** Days on which a patient would like to come; empty: any. */
export const days = ['today', 'tomorrow', 'week'] as const;
export const partsOfDay = ['morning', 'afternoon'] as const;

export interface DoctorFilter {
  /** Part of a name or specialty, or another word for a specialty, however it is typed. */
  readonly text: string;
  /** Empty: all. */
  readonly specialty: string;
  readonly when: (typeof days)[number] | undefined;
  readonly part: (typeof partsOfDay)[number] | undefined;
  readonly sort: DoctorSort;
}

/** The filter in an address; unknown values count as absent. A search by time puts the soonest doctor first. */
export function filterFrom(search: URLSearchParams): DoctorFilter {
  const pick = <Value extends string>(name: string, values: readonly Value[]): Value | undefined =>
    values.find((value) => value === search.get(name));
  const when = pick('when', days);
  const part = pick('part', partsOfDay);
  return {
    text: search.get('q') ?? '',
    specialty: search.get('specialty') ?? '',
    when,
    part,
    sort: pick('sort', sorts) ?? usualSort({ when, part }),
  };
}

/** The order that needs no mention in the address. */
export function usualSort({ when, part }: Pick<DoctorFilter, 'when' | 'part'>): DoctorSort {
  return when || part ? 'soonest' : 'name';
}

/**
 * The filter as the service's query.
 *
 * @param today - 'yyyy-mm-dd' in the clinic's time zone
 */
export function queryOf({ text, specialty, when, part, sort }: DoctorFilter, today: string): CallQuery<'listDoctors'> {
  const from = when === 'tomorrow' ? addDays(today, 1) : today;
  return {
    sort,
    ...(text.trim() && { q: text.trim() }),
    ...(specialty && { specialty }),
    ...(when && { from, until: when === 'week' ? addDays(today, 6) : from }),
    ...(part && { part }),
  };
}

/** The specialty, from whichever of its two fields is filled. */
export function specialtyOf(doctor: Doctor): string {
  return doctor.specialty || doctor.specialization;
}
