import type { AccountStanding } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { staffRules, type IdentityContext } from '../settings.ts';
import { actingRole, usersOf } from './user-record.ts';

/**
 * An account's current rights for other services, for access that outlives a session. An account that doesn't exist, for
 * instance after a deletion, is inactive.
 */
export async function accountStanding(context: IdentityContext, id: string): Promise<AccountStanding> {
  // A short password suspends the person's rights, but they still count as staff; see `staffList`.
  const rules = { ...staffRules(context.settings), longPassword: false };
  const user = ObjectId.isValid(id) ? await usersOf(context).findOne({ _id: new ObjectId(id) }) : null;
  if (!user) return { active: false, role: 'patient', confirmed: false };
  const name = `${user.firstName} ${user.lastName}`.trim();
  return {
    active: user.disabled !== true && !user.erasingSince,
    role: actingRole(user, rules),
    confirmed: user.emailVerified,
    ...(user.emailVerified && { email: user.email }),
    ...(name !== '' && { name }),
    ...(user.sessionsEndedAt && { sessionsEndedAt: user.sessionsEndedAt.toISOString() }),
  };
}
