import { appendEvent, refused } from '@clinic/service-kit';
import { aboutUser, type By } from '../access/access-events.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import type { IdentityContext } from '../settings.ts';
import { enterAdminGuard, requireAdmin } from '../users/admin-guard.ts';
import { withNewVersion } from '../users/new-version.ts';
import { type NamedAccount, namedUser, noSuchUser, usersOf } from '../users/user-record.ts';

export interface Removal extends By, NamedAccount {}

/**
 * Removes a second factor: one's own, or as an admin that of somebody who lost it, which ends their sessions. If staff need
 * one, a staff role isn't in effect until it is set up again; the incremented version notifies all services.
 *
 * @throws ProblemError not_found, changed_meanwhile; transition_refused if none is set up; session_stale if the caller is no longer an admin
 */
export async function removeSecondFactor(context: IdentityContext, { email, userId, ...by }: Removal): Promise<void> {
  const own = email === by.caller.email;
  await context.inTransaction(async (session) => {
    if (!own) {
      await enterAdminGuard(context, session);
      await requireAdmin(context, session, by.caller);
    }
    const user = await namedUser(context, { email, userId }, session);
    if (own && user._id.toHexString() !== by.caller.id) throw noSuchUser();
    if (!user.secondFactor) throw refused('No authenticator app is set up.');
    await usersOf(context).updateOne(
      { _id: user._id },
      withNewVersion({ $unset: { secondFactor: 1, secondFactorDraft: 1 } }),
      { session },
    );
    if (!own) await endAllSessions(context, session, user._id);
    await appendEvent(context, session, {
      call: 'removeSecondFactor',
      ...by,
      ...aboutUser(user),
      action: own ? 'second factor removed' : 'second factor reset',
      before: { secondFactor: true },
      after: { secondFactor: false },
    });
  });
}
