import type { Caller, HistoryEntry, User } from '@clinic/contracts';
import { readHistory } from '@clinic/service-kit';
import { staffRules, type IdentityContext } from '../settings.ts';
import { actingRole, userOnTheWire, userWith } from './user-record.ts';

/**
 * A user. Admins see the assigned role; everyone else the role in effect, which decides menus and pages.
 *
 * @param email - lower case
 * @throws ProblemError not_found
 */
export async function getUser(context: IdentityContext, email: string, reader: Caller): Promise<User> {
  const user = await userWith(context, email);
  const own = user._id.toHexString() === reader.id;
  return { ...userOnTheWire(user), ...(own && { role: actingRole(user, staffRules(context.settings)) }) };
}

/**
 * The history of a user and their role. Users see that an admin acted, but not which one.
 *
 * @param email - lower case
 * @throws ProblemError not_found
 */
export async function getUserHistory(context: IdentityContext, email: string, reader: Caller): Promise<HistoryEntry[]> {
  const { _id } = await userWith(context, email);
  return readHistory(context, { record: { type: 'user', id: _id.toHexString() }, reader, namesShownTo: ['admin'] });
}
