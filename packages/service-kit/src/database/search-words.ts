import { searchWords } from '@clinic/contracts/search-key';
import { withoutInvisible } from '@clinic/contracts/visible-text';
import type { Filter } from 'mongodb';
import { escapeRegex, noRows } from '../http/paging.ts';
import { searchedPhone } from '../phone-numbers.ts';

/**
 * Conditions for records about people that have each word of a search, in any order: the beginnings of `findingWords`, or the
 * beginning of a phone number's `phoneWords`. Each is a range of the field's index.
 *
 * @param q - as typed
 * @param words - the field of the records' words
 * @param mark - what the words that are searched for begin with, if they stand among others
 * @returns empty if nothing is searched for; nothing matches a search without a letter or digit
 */
export function beginningWords<Row>(q: string | undefined, words: keyof Row & string, mark = ''): Filter<Row>[] {
  if (!q) return [];
  const phone = searchedPhone(q);
  const searched = phone === undefined ? searchWords(q) : [phone];
  if (searched.length === 0) return [noRows()];
  return searched.map((word) => ({ [words]: beginning(mark + word) }) as Filter<Row>);
}

/**
 * Conditions for records about a person: the beginning of their address if the search has an @, else {@link beginningWords}.
 * Words alone would find everybody with the same mail provider on the way.
 *
 * @param email - the field of the address, lower case; its words are among the others
 */
export function findsPerson<Row>(q: string | undefined, words: keyof Row & string, email: string): Filter<Row>[] {
  if (!q?.includes('@')) return beginningWords<Row>(q, words);
  return [{ [email]: beginning(withoutInvisible(q).trim().toLowerCase()) } as Filter<Row>];
}

const beginning = (text: string): { readonly $regex: string } => ({ $regex: `^${escapeRegex(text)}` });
