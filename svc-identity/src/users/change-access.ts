import type { User } from '@clinic/contracts';
import { appendEvent, ProblemError, type SessionCaller } from '@clinic/service-kit';
import { revokeInvitationsOf } from '../invitations/invite-staff.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import type { IdentityContext } from '../settings.ts';
import { enterAdminGuard, requireAdmin, requireAnotherAdmin } from './admin-guard.ts';
import { userOnTheWire, usersOf } from './user-record.ts';

export interface AccessChange {
  /** Lower case. */
  readonly email: string;
  readonly disabled: boolean;
  readonly caller: SessionCaller;
  readonly requestId: string;
}

/**
 * Switches an account off, which ends all its sessions, or on again.
 *
 * @throws ProblemError own_account, not_found, last_admin, or session_stale if the caller is no longer an admin
 */
export async function changeAccess(
  context: IdentityContext,
  { email, disabled, caller, requestId }: AccessChange,
): Promise<User> {
  if (email === caller.email)
    throw new ProblemError('own_account', { detail: 'Ask another admin to switch your account off or on.' });
  const users = usersOf(context);
  return context.inTransaction(async (session) => {
    await enterAdminGuard(context, session);
    const user = await users.findOne({ email }, { session });
    if (!user) throw new ProblemError('not_found', { detail: 'There’s no user with this email address.' });
    if (disabled) await requireAnotherAdmin(context, session, user);
    await requireAdmin(context, session, caller);
    if (user.erasingSince)
      throw new ProblemError('transition_refused', {
        detail: 'This person is being deleted, and that can’t be undone.',
      });
    const was = user.disabled === true;
    if (was === disabled) return userOnTheWire(user);

    await users.updateOne(
      { _id: user._id },
      { $set: { disabled, versionChangedAt: new Date() }, $inc: { version: 1 } },
      { session },
    );
    if (disabled) {
      await endAllSessions(context, session, user._id);
      await revokeInvitationsOf(context, session, user._id, { caller, requestId });
    }
    await appendEvent(context, session, {
      call: 'changeAccess',
      caller,
      requestId,
      record: { type: 'user', id: user._id.toHexString() },
      subject: email,
      action: disabled ? 'account switched off' : 'account switched on',
      before: { disabled: was },
      after: { disabled },
    });
    return userOnTheWire({ ...user, disabled });
  });
}
