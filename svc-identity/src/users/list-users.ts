import type { Filter } from 'mongodb';
import type { Role, User } from '@clinic/contracts';
import { asciiDigits } from '@clinic/contracts/digits';
import { searchKey } from '@clinic/contracts/search-key';
import {
  beginsPart,
  escapeRegex,
  isLongerThanParts,
  noRows,
  readPage,
  searchedPhone,
  type ListAnswer,
  type PageQuery,
} from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { firstLetters, userOnTheWire, usersOf, type UserRecord } from './user-record.ts';

export interface UserQuery extends PageQuery {
  /** Words, each a part of the name, or the beginning of a part of the email or of the phone number; or a date of birth. */
  readonly q?: string | undefined;
  readonly role?: Role | undefined;
}

/** Sort orders for clients. */
export const userSorts = {
  name: { sortName: 1, _id: 1 },
  '-name': { sortName: -1, _id: -1 },
  email: { email: 1, _id: 1 },
  newest: { createdAt: -1, _id: -1 },
} as const;

/** All users, or those with a role or matching a search. */
export function listUsers(context: IdentityContext, query: UserQuery): Promise<ListAnswer<User>> {
  return readPage(usersOf(context), {
    filter: [userConditions(query)],
    query,
    sorts: userSorts,
    defaultSort: 'name',
    map: userOnTheWire,
    unread: ['words', 'letters'],
  });
}

/**
 * The conditions of a query. A search without a letter or digit, such as `---`, finds nobody: rejecting it would show an error to
 * somebody who has only started typing a number.
 */
export function userConditions({ q = '', role }: UserQuery): Filter<UserRecord>[] {
  const dateOfBirth = searchedDate(q);
  const ofRole = role ? [{ role }] : [];
  if (dateOfBirth !== undefined) return [{ dateOfBirth }, ...ofRole];
  // The longest word first: it finds fewest.
  const words = searchWords(q)
    .toSorted((one, other) => other.length - one.length)
    .map(withWord);
  if (q !== '' && words.length === 0) return [noRows()];
  return [...words, ...ofRole];
}

function withWord(word: string): Filter<UserRecord> {
  if (firstLetters(word).includes(word)) return { letters: word };
  const begins = { words: { $regex: `^${escapeRegex(word)}` } };
  if (!isLongerThanParts(word)) return begins;
  return { $or: [begins, { words: beginsPart(word), sortName: { $regex: escapeRegex(word) } }] };
}

/** A search as words; a phone number becomes one word of digits, however it is grouped. */
function searchWords(q: string): string[] {
  const phone = searchedPhone(q);
  const words = phone === undefined ? searchKey(q).split(' ').slice(0, 8) : [phone];
  return words.filter((word) => word !== '');
}

/** @returns 'yyyy-mm-dd' of a whole date, written like that or with the day first (1.4.1990); `undefined` of anything else */
function searchedDate(q: string): string | undefined {
  const text = asciiDigits(q.trim());
  const year = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  const day = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text);
  const [y, m, d] = year ? year.slice(1) : day ? [day[4], day[3], day[1]] : [];
  return y && m && d && `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
}
