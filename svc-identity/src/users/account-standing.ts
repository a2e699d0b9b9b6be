import type { RequestHandler } from 'express';
import type { AccountStanding } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { staffRules, type IdentityContext } from '../settings.ts';
import { actingRole, usersOf } from './user-record.ts';

/**
 * Returns an account's current rights to other services, for access that outlives a session. An account that doesn't
 * exist, for instance after a deletion, is inactive.
 */
export function accountStanding(context: IdentityContext): RequestHandler {
  return async ({ params: { id } }, response) => {
    // A short password suspends the person's rights, but they still count as staff; see `staffList`.
    const rules = { ...staffRules(context.settings), longPassword: false };
    const user =
      typeof id === 'string' && ObjectId.isValid(id) ? await usersOf(context).findOne({ _id: new ObjectId(id) }) : null;
    const standing: AccountStanding = user
      ? {
          active: user.disabled !== true && !user.erasingSince,
          role: actingRole(user, rules),
          confirmed: user.emailVerified,
          ...(user.emailVerified && { email: user.email }),
          ...(user.sessionsEndedAt && { sessionsEndedAt: user.sessionsEndedAt.toISOString() }),
        }
      : { active: false, role: 'patient', confirmed: false };
    response.setHeader('Cache-Control', 'no-store').json(standing);
  };
}
