import type { Caller, HistoryEntry, User } from '@clinic/contracts';
import { readHistory } from '@clinic/service-kit';
import { staffRules, type IdentityContext } from '../settings.ts';
import { actingRights, actingRole, userOnTheWire, userWith } from './user-record.ts';

/**
 * A user. Admins see the assigned role and rights; everyone else those in effect, which decide menus and pages.
 *
 * @param email - lower case
 * @throws ProblemError not_found
 */
export async function getUser(context: IdentityContext, email: string, reader: Caller): Promise<User> {
  const user = await userWith(context, email);
  const own = user._id.toHexString() === reader.id;
  if (!own) return userOnTheWire(user);
  const rules = staffRules(context.settings);
  const { rights: _assigned, ...shown } = userOnTheWire(user);
  const rights = actingRights(user, rules);
  return { ...shown, role: actingRole(user, rules), ...(rights.length > 0 && { rights: [...rights] }) };
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
