import type { Caller, HistoryEntry, User } from '@clinic/contracts';
import { ProblemError, readHistory } from '@clinic/service-kit';
import { staffRules, type IdentityContext } from '../settings.ts';
import { actingRole, userOnTheWire, usersOf, type UserRecord } from './user-record.ts';

/**
 * A user. Admins see the assigned role; everyone else the role in effect, which decides menus and pages.
 *
 * @param email - lower case
 * @throws ProblemError not_found
 */
export async function getUser(context: IdentityContext, email: string, reader: Caller): Promise<User> {
  const user = await findUser(context, email);
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
  const { _id } = await findUser(context, email);
  return readHistory(context, { record: { type: 'user', id: _id.toHexString() }, reader, namesShownTo: ['admin'] });
}

async function findUser(context: IdentityContext, email: string): Promise<UserRecord> {
  const user = await usersOf(context).findOne({ email });
  if (!user) throw new ProblemError('not_found', { detail: 'There’s no user with this email address.' });
  return user;
}
