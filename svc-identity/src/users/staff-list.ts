import type { StaffAccount } from '@clinic/service-kit';
import { staffRules, type IdentityContext } from '../settings.ts';
import { actingRole, usersOf } from './user-record.ts';

/**
 * The current and former staff for other services, so that they apply changes of staff rights at once: a doctor who left
 * can't be booked any more. The whole list: a clinic has hundreds of staff, not millions.
 */
export async function staffList(context: IdentityContext): Promise<StaffAccount[]> {
  // A short password suspends the person's rights, but they still count as staff.
  const rules = { ...staffRules(context.settings), longPassword: false };
  const users = await usersOf(context).find({ staff: true }).toArray();
  return users.map((user) => {
    const { _id, email, role, disabled, erasingSince, staffProfile } = user;
    const { role: invitedTo, ...profile } = staffProfile ?? {};
    return {
      id: _id.toHexString(),
      email,
      role,
      active: disabled !== true && !erasingSince && actingRole(user, rules) === role && user.emailVerified,
      // Only for the role it was written for.
      ...(invitedTo === role && { profile }),
    };
  });
}
