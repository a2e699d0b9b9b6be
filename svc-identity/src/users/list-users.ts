import type { Filter } from 'mongodb';
import type { Role, User } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import { escapeRegex, noRows, readPage, type ListAnswer, type PageQuery } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { digitsOf, userOnTheWire, usersOf, type UserRecord } from './user-record.ts';

export interface UserQuery extends PageQuery {
  /** Words, each a prefix of part of the name, email or phone number. */
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
  });
}

/**
 * The filter of a query. A search without a letter or digit, such as `---`, finds nobody: rejecting it would show an error to
 * somebody who has only started typing a number.
 */
export function userFilter({ q = '', role }: UserQuery): Filter<UserRecord> {
  const words = searchWords(q).map((word) => ({ words: new RegExp(`^${escapeRegex(word)}`) }));
  if (q !== '' && words.length === 0) return noRows();
  const found: Filter<UserRecord> = words.length > 1 ? { $and: words } : { ...words[0] };
  return role ? { role, ...found } : found;
}

/** A search as words; a phone number becomes one word of digits, however it is grouped. */
function searchWords(q: string): string[] {
  const words = /^\+?[\d\s().-]{3,}$/.test(q) ? [digitsOf(q)] : searchKey(q).split(' ').slice(0, 8);
  return words.filter((word) => word !== '');
}
