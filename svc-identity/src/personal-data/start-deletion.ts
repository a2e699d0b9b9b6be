import { isStaff } from '@clinic/contracts';
import { appendEvent, ProblemError } from '@clinic/service-kit';
import { aboutUser, type By } from '../access/access-events.ts';
import { revokeInvitationsOf, revokeInvitationsTo } from '../invitations/revoke-invitations.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import type { IdentityContext } from '../settings.ts';
import { enterAdminGuard, requireAdmin, requireAnotherAdmin } from '../users/admin-guard.ts';
import { type NamedAccount, namedUser, noSuchUser, usersOf } from '../users/user-record.ts';
import { deletionsOf } from './deletion-record.ts';
import { lockedAccountOf } from './locked-account.ts';

export interface DeletionStart extends By, NamedAccount {
  readonly call: 'startErasure' | 'finishErasure';
  /** Deletes somebody who has no account: whom staff booked or ordered for with this address. */
  readonly withoutAccount?: boolean;
}

/**
 * Starts deleting a person, which nothing can undo: locks the account for good, ends its sessions, and notes the deletion,
 * in one transaction. From then on every service erases on its own, and {@link DeletionRunner} finishes. A repeat changes
 * nothing. Admins delete others; people who aren’t staff delete themselves.
 *
 * @returns the user's id, by which the deletion is known from now on
 * @throws ProblemError not_found, changed_meanwhile, last_admin, transition_refused if an address without an account has one by now, staff_account if staff delete themselves, since records that depend on the
 *   role must be handed over first, or session_stale if the caller is no longer an admin
 */
export function startDeletion(
  context: IdentityContext,
  { email, userId: seen, call, withoutAccount = false, ...by }: DeletionStart,
): Promise<{ userId: string; emailConfirmed: boolean }> {
  const own = email === by.caller.email;
  return context.inTransaction(async (session) => {
    await enterAdminGuard(context, session);
    const user = withoutAccount
      ? await lockedAccountOf(context, session, email)
      : await namedUser(context, { email, userId: seen }, session);
    const userId = user._id.toHexString();
    if (own && userId !== by.caller.id) throw noSuchUser();
    if (!own) await requireAdmin(context, session, by.caller);
    else if (isStaff(user))
      throw new ProblemError('staff_account', {
        detail: 'Ask an admin to remove your role and rights. Then you can delete your account.',
      });
    const started = { userId, emailConfirmed: user.emailVerified };
    if (user.erasingSince) return started;
    await requireAnotherAdmin(context, session, user);
    const now = new Date();
    await usersOf(context).updateOne({ _id: user._id }, { $set: { disabled: true, erasingSince: now } }, { session });
    await endAllSessions(context, session, user._id);
    await revokeInvitationsOf(context, session, user._id, by);
    // Invitations to an address that was never theirs are its owner's.
    if (user.emailVerified) await revokeInvitationsTo(context, session, user.email, by);
    const { id, role } = by.caller;
    await deletionsOf(context).updateOne(
      { _id: user._id },
      { $setOnInsert: { startedAt: now, by: { id, role }, requestId: by.requestId, services: {} } },
      { upsert: true, session },
    );
    await appendEvent(context, session, {
      call,
      ...by,
      ...aboutUser(user),
      action: 'deletion started',
      before: { disabled: user.disabled === true },
      after: { disabled: true },
    });
    return started;
  });
}
