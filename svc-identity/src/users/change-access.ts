import type { User } from '@clinic/contracts';
import { appendEvent, ProblemError } from '@clinic/service-kit';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser, type By } from '../access/access-events.ts';
import { revokeInvitationsOf, revokeInvitationsTo } from '../invitations/revoke-invitations.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import type { IdentityContext } from '../settings.ts';
import { assertStays, enterAdminGuard, requireAdmin, requireAnotherAdmin } from './admin-guard.ts';
import { withNewVersion } from './new-version.ts';
import { type NamedAccount, namedUser, userOnTheWire, usersOf } from './user-record.ts';

export interface AccessChange extends By, NamedAccount {
  readonly disabled: boolean;
}

/**
 * Switches an account off, which ends all its sessions and revokes its open invitations, or on again.
 *
 * @throws ProblemError own_account, not_found, changed_meanwhile, last_admin, transition_refused for people who are being deleted, or session_stale if the caller is no longer an admin
 */
export async function changeAccess(
  context: IdentityContext,
  { email, userId, disabled, ...by }: AccessChange,
): Promise<User> {
  if (email === by.caller.email)
    throw new ProblemError('own_account', { detail: 'Ask another admin to switch your account off or on.' });
  return context.inTransaction(async (session) => {
    await enterAdminGuard(context, session);
    const user = await namedUser(context, { email, userId }, session);
    if (disabled) await requireAnotherAdmin(context, session, user);
    await requireAdmin(context, session, by.caller);
    assertStays(user);
    const was = user.disabled === true;
    if (was === disabled) return userOnTheWire(user);

    const now = new Date();
    await usersOf(context).updateOne(
      { _id: user._id },
      withNewVersion({ $set: { disabled, ...(disabled && { roleDecidedAt: now }) } }, now),
      { session },
    );
    await noteAccount(context, session, user._id);
    if (disabled) {
      await endAllSessions(context, session, user._id);
      await revokeInvitationsOf(context, session, user._id, by);
      await revokeInvitationsTo(context, session, user.email, by);
    }
    await appendEvent(context, session, {
      call: 'changeAccess',
      ...by,
      ...aboutUser(user),
      action: disabled ? 'account switched off' : 'account switched on',
      before: { disabled: was },
      after: { disabled },
    });
    return userOnTheWire({ ...user, disabled });
  });
}
