import { randomUUID } from 'node:crypto';
import { appendEvent } from '@clinic/service-kit';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser } from '../access/access-events.ts';
import { CommandError } from '../operator-command.ts';
import type { IdentityContext } from '../settings.ts';
import { enterAdminGuard } from './admin-guard.ts';
import { withNewRole } from './new-version.ts';
import { roleEvent } from './role-event.ts';
import { usersOf } from './user-record.ts';

/**
 * Makes a user an admin on behalf of the operator: a new clinic's first admin, because there is no other to do it. The
 * history shows it as done by the system; tokens with the old role expire within a second.
 *
 * @param email - of somebody who has signed in before; case-insensitive
 * @returns whether anything changed
 * @throws CommandError if nobody with this confirmed email has signed in, or the account is switched off
 */
export async function appointAdmin(
  context: Pick<IdentityContext, 'db' | 'inTransaction'>,
  email: string,
): Promise<boolean> {
  const users = usersOf(context);
  return context.inTransaction(async (session) => {
    await enterAdminGuard(context, session);
    const user = await users.findOne({ email: email.trim().toLowerCase() }, { session });
    if (!user) throw new CommandError('there’s no user with this email: sign in with it once, then run this again');
    // Anyone can register with somebody else's address; only the owner of the mailbox can confirm it.
    if (!user.emailVerified)
      throw new CommandError(
        'this email isn’t confirmed: open the link in the email (or sign in with Google), sign in again, then run this again',
      );
    if (user.disabled) throw new CommandError('this account is switched off');
    if (user.role === 'admin') return false;
    await users.updateOne({ _id: user._id }, withNewRole('admin', { staff: true }), { session });
    await noteAccount(context, session, user._id);
    await appendEvent(context, session, {
      call: 'changeRole',
      caller: undefined,
      requestId: randomUUID(),
      ...aboutUser(user),
      ...roleEvent(user, 'admin'),
    });
    return true;
  });
}
