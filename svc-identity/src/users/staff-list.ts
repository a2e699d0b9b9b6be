import type { RequestHandler } from 'express';
import type { StaffAccount } from '@clinic/service-kit';
import { staffRules, type IdentityContext } from '../settings.ts';
import { actingRole, usersOf } from './user-record.ts';

/**
 * Serves the current and former staff to other services, so that they apply changes of staff rights at once: a doctor who
 * left can't be booked any more. Returns the whole list: a clinic has hundreds of staff, not millions.
 */
export function staffList(context: IdentityContext): RequestHandler {
  return async (_request, response) => {
    // A short password suspends the person's rights, but they still count as staff.
    const rules = { ...staffRules(context.settings), longPassword: false };
    const users = await usersOf(context).find({ staff: true }).toArray();
    const staff = users.map((user): StaffAccount => {
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
    response.setHeader('Cache-Control', 'no-store').json(staff);
  };
}
