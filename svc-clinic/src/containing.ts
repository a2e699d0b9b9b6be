import { searchKey } from '@clinic/contracts/search-key';
import { beginsPart, containsKey, noRows } from '@clinic/service-kit';
import type { Filter } from 'mongodb';

/** The fields of a profile that its search reads. */
interface Searched {
  readonly searchText: string;
  readonly searchParts?: readonly string[];
  readonly specialtyKey?: string;
}

/**
 * Filter for profiles that contain a text in one of their searched fields, however it is typed; a text without visible
 * characters matches nothing.
 *
 * @param specialties - search keys; a profile with one of these specialties matches, too
 * @param byText - `countsKey` to count them
 */
export function containing<Row extends Searched>(
  text: string,
  specialties: readonly string[] = [],
  byText: typeof containsKey = containsKey,
): Filter<Row> {
  const key = searchKey(text);
  if (key === '') return noRows();
  const contains: Filter<Searched> = byText<Searched>(key, 'searchText', 'searchParts');
  if (specialties.length === 0) return contains as Filter<Row>;
  // One index serves both, as a specialty is also one of the parts.
  const ofSpecialty = specialties.map((specialtyKey) => ({ specialtyKey, searchParts: beginsPart(specialtyKey) }));
  return { $or: [contains, ...ofSpecialty] } as Filter<Row>;
}
