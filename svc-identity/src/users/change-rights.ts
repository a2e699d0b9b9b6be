import type { Right, User } from '@clinic/contracts';
import { rights as known } from '@clinic/contracts/roles';
import { appendEvent, appendOutbox, ProblemError, refused } from '@clinic/service-kit';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser, type By } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { assertStays, enterAdminGuard, requireAdmin } from './admin-guard.ts';
import { withNewVersion } from './new-version.ts';
import { type NamedAccount, namedUser, userOnTheWire, usersOf } from './user-record.ts';

export interface RightsChange extends By, NamedAccount {
  readonly right: Right;
  readonly given: boolean;
}

/**
 * Gives somebody a right beside their role, or takes it away; each right by itself, so that two admins at once don't undo
 * each other. A right needs a confirmed email address, as a staff role does. Increments the user's version, so that tokens
 * with the old rights end.
 *
 * @throws ProblemError own_role, not_found, changed_meanwhile, email_unconfirmed, transition_refused for admins, who need none, and for people
 *   who are being deleted, or session_stale if the caller is no longer an admin
 */
export async function changeRights(
  context: IdentityContext,
  { email, userId, right, given, ...by }: RightsChange,
): Promise<User> {
  return context.inTransaction(async (session) => {
    await enterAdminGuard(context, session);
    const user = await namedUser(context, { email, userId }, session);
    const { _id } = user;
    const account = _id.toHexString();
    await requireAdmin(context, session, by.caller);
    if (account === by.caller.id)
      throw new ProblemError('own_role', { detail: 'Ask another admin to change your rights.' });
    const before = user.rights ?? [];
    if (before.includes(right) === given) return userOnTheWire(user);
    assertStays(user);
    if (given) assertMayHold(user);

    const after = known.filter((one) => (one === right ? given : before.includes(one)));
    await usersOf(context).updateOne(
      { _id },
      withNewVersion({
        ...(after.length === 0 && { $unset: { rights: 1 } }),
        $set: { ...(after.length > 0 && { rights: after }), ...(given && { staff: true }) },
      }),
      { session },
    );
    await noteAccount(context, session, _id);
    await appendEvent(context, session, {
      call: 'changeRights',
      ...by,
      ...aboutUser(user),
      action: 'rights changed',
      before: { rights: before },
      after: { rights: after },
    });
    await appendOutbox(context, session, {
      kind: 'role-changed',
      to: { account, email: user.email },
      data: { role: user.role, rights: after },
    });
    const { rights: _before, ...others } = user;
    return userOnTheWire({ ...others, ...(after.length > 0 && { rights: after }) });
  });
}

function assertMayHold({ email, role, emailVerified }: Parameters<typeof userOnTheWire>[0]): void {
  if (role === 'admin') throw refused('Admins may do all this already.');
  // Anyone can register with somebody else's address; only the owner of the mailbox can confirm it.
  if (!emailVerified)
    throw new ProblemError('email_unconfirmed', {
      detail: `${email} isn’t confirmed. Ask them to open the link in the confirmation email, then give them the right.`,
    });
}
