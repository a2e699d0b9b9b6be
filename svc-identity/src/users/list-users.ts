import type { Filter } from 'mongodb';
import type { Role, User } from '@clinic/contracts';
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
  /** Words, each a part of the name, or the beginning of a part of the email or of the phone number. */
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
    filter: userFilter(query),
    query,
    sorts: userSorts,
    defaultSort: 'name',
    map: userOnTheWire,
    unread: ['words', 'letters'],
  });
}

/**
 * The filter of a query. A search without a letter or digit, such as `---`, finds nobody: rejecting it would show an error to
 * somebody who has only started typing a number.
 */
export function userFilter({ q = '', role }: UserQuery): Filter<UserRecord> {
  // The longest word first: it finds fewest, and an index of arrays is read for one condition only.
  const words = searchWords(q)
    .toSorted((one, other) => other.length - one.length)
    .map(withWord);
  if (q !== '' && words.length === 0) return noRows();
  const found: Filter<UserRecord> = words.length > 1 ? { $and: words } : { ...words[0] };
  return role ? { role, ...found } : found;
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
