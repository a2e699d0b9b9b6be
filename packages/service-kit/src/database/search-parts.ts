import type { Filter } from 'mongodb';
import { escapeRegex } from '../http/paging.ts';

/** Longest part, in UTF-16 units: longer searches find candidates by their beginning. */
const longestPart = 24;

/**
 * The parts of search keys that an index finds them by: the text from each letter on. Every text inside a key is the
 * beginning of one of its parts, so that a search of any length, one letter included, is one range of the index, and
 * reads little more than it returns. Pairs or triples of letters would find every key that shares a common one.
 *
 * @param keys - results of `searchKey`
 */
export function searchParts(...keys: readonly string[]): string[] {
  const parts = new Set<string>();
  for (const key of keys) {
    let at = 0;
    for (const letter of key) {
      // A search has no space at its beginning.
      if (letter !== ' ') parts.add(partAt(key, at));
      at += letter.length;
    }
  }
  return [...parts];
}

/** Never ends within a surrogate pair. */
function partAt(key: string, at: number): string {
  return key.slice(at, at + longestPart).replace(/[\uD800-\uDBFF]$/, '');
}

/**
 * Condition for an array field that has the {@link searchParts} of a text containing a key. It may match other texts if
 * the key is long, and texts that have changed since, so match the text itself as well.
 */
export function beginsPart(key: string): { readonly $regex: string } {
  return { $regex: `^${escapeRegex(partAt(key, 0))}` };
}

/**
 * Filter for records with a key inside a field, found through the index of the field's parts.
 *
 * @param key - what to search for, a result of `searchKey`, not empty
 * @param text - the field of the searched keys
 * @param parts - the field of their {@link searchParts}
 */
export function containsKey<Row>(key: string, text: keyof Row & string, parts: keyof Row & string): Filter<Row> {
  // The text first: it is cheaper to match if another index is used.
  return { [text]: { $regex: escapeRegex(key) }, [parts]: beginsPart(key) } as Filter<Row>;
}

/**
 * {@link containsKey} for counting: this reads only the index, that one every record. While replicas of the previous
 * release run, records they have just changed may be counted by their former text.
 */
export function countsKey<Row>(key: string, text: keyof Row & string, parts: keyof Row & string): Filter<Row> {
  return isLongerThanParts(key) ? containsKey(key, text, parts) : ({ [parts]: beginsPart(key) } as Filter<Row>);
}

/** Whether {@link beginsPart} may match texts that don't contain the key. */
export function isLongerThanParts(key: string): boolean {
  return key.length > longestPart;
}
