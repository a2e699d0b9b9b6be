import { erasedEmail } from '@clinic/contracts/erased-person';
import {
  appendEvent,
  forgetInHistory,
  forgetLooks,
  ProblemError,
  unavailable,
  withoutPersonInHistory,
  type ForgottenPerson,
  type HistoryEvent,
  type SessionCaller,
} from '@clinic/service-kit';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser, type By } from '../access/access-events.ts';
import { firebaseCode, type Firebase } from '../firebase/firebase-app.ts';
import { forgetInvitations } from '../invitations/forget-invitations.ts';
import { forgetSessions } from '../sessions/forget-sessions.ts';
import { revokeInvitationsOf } from '../invitations/invite-staff.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import type { IdentityContext } from '../settings.ts';
import { enterAdminGuard, requireAdmin, requireAnotherAdmin } from '../users/admin-guard.ts';
import { noSuchUser, usersOf, userWith, type UserRecord } from '../users/user-record.ts';
import { countUser } from '../users/user-rollups.ts';
import { noteErased } from './erased-accounts.ts';
import { userDeleted, userInCopy } from './personal-records.ts';

/** Fields of this service's events besides those of the user. Not kept: `address`, the network address, and `name`. */
const keptInHistory = [
  'by',
  'device',
  'expiresAt',
  'invitation',
  'invitedBy',
  'left',
  'profile',
  'provider',
  'reason',
  'secondFactor',
  'session',
  'signInAccount',
  'state',
];

export interface UserErasure extends By {
  /** In lower case. */
  readonly email: string;
}

/**
 * Starts deleting a person: locks the account for good and ends its sessions, before any service erases data, so that
 * nothing new happens in their name meanwhile. A repeat changes nothing.
 *
 * @returns the user's id, by which the services know the person from now on
 * @throws ProblemError own_account, not_found, last_admin, or session_stale if the caller is no longer an admin
 */
export async function startErasure(
  context: IdentityContext,
  erasure: UserErasure,
): Promise<{ userId: string; emailConfirmed: boolean }> {
  if (erasure.email === erasure.caller.email)
    throw new ProblemError('own_account', { detail: 'Ask another admin to delete your account.' });
  return lockForGood(context, 'startErasure', erasure);
}

/**
 * @throws ProblemError staff_account if people with a staff role delete themselves: records that depend on it must be
 *   handed over first
 */
function lockForGood(
  context: IdentityContext,
  call: 'startErasure' | 'finishErasure',
  { email, ...by }: UserErasure,
): Promise<{ userId: string; emailConfirmed: boolean }> {
  const own = email === by.caller.email;
  return context.inTransaction(async (session) => {
    await enterAdminGuard(context, session);
    const user = await userWith(context, email, session);
    const userId = user._id.toHexString();
    if (own && userId !== by.caller.id) throw noSuchUser();
    if (!own) await requireAdmin(context, session, by.caller);
    else if (user.role !== 'patient')
      throw new ProblemError('staff_account', {
        detail: 'Ask an admin to remove your staff role. Then you can delete your account.',
      });
    if (user.erasingSince) return { userId, emailConfirmed: user.emailVerified };
    await requireAnotherAdmin(context, session, user);
    await usersOf(context).updateOne(
      { _id: user._id },
      { $set: { disabled: true, erasingSince: new Date() } },
      { session },
    );
    await endAllSessions(context, session, user._id);
    await revokeInvitationsOf(context, session, user._id, by);
    await appendEvent(context, session, {
      call,
      ...by,
      ...aboutUser(user),
      action: 'deletion started',
      before: { disabled: user.disabled === true },
      after: { disabled: true },
    });
    return { userId, emailConfirmed: user.emailVerified };
  });
}

/**
 * Deletes a person from this service: the Firebase account, the user, and their identity in the history. The last step
 * of a deletion: without it nobody could tell any more whose records other services have under that email. People may
 * do it for themselves: then this step locks the account, too.
 *
 * @throws ProblemError not_found, last_admin, staff_account, session_stale; unavailable if Firebase can't be reached:
 *   retry then
 */
export async function finishErasure(
  context: IdentityContext,
  firebase: Firebase,
  erasure: UserErasure,
): Promise<{ userId: string; signInAccount: 'deleted' | 'left' }> {
  const { userId, emailConfirmed } = await lockForGood(context, 'finishErasure', erasure);
  const { email, caller, requestId } = erasure;
  const user = await userWith(context, email);
  await forgetIn(context, { email, userId, emailConfirmed });
  const signInAccount = await deleteAccount(firebase, user);
  await context.inTransaction(async (session) => {
    const { deletedCount } = await usersOf(context).deleteOne({ _id: user._id }, { session });
    // A concurrent request has finished it and written the history.
    if (deletedCount === 0) return;
    await noteAccount(context, session, user._id);
    await countUser(context, session, user, -1);
    await noteErased(context, session, user._id, user.uid);
    await appendEvent(context, session, {
      call: 'finishErasure',
      caller: withoutName(caller, userId),
      requestId,
      ...aboutUser({ ...user, email: erasedEmail(userId) }),
      action: 'deleted',
      before: { role: user.role },
      after: { signInAccount },
    });
  });
  // Sign-ins rejected in the meantime.
  await forgetIn(context, { email, userId, emailConfirmed });
  return { userId, signInAccount };
}

/** The caller, without the address if they are the deleted person. */
function withoutName(caller: SessionCaller, userId: string): SessionCaller {
  return caller.id === userId ? { ...caller, email: erasedEmail(userId) } : caller;
}

async function forgetIn(context: IdentityContext, person: ForgottenPerson): Promise<void> {
  const redact = (fields: Readonly<Record<string, unknown>>, { subject }: HistoryEvent) =>
    subject === person.email
      ? withoutPersonInHistory<UserRecord>(fields, {
          rules: userDeleted,
          inCopy: userInCopy,
          instead: { email: erasedEmail(person.userId) },
          alsoKept: keptInHistory,
        })
      : fields;
  // Here an address belongs to one account at a time, confirmed or not: its history is about this account.
  await forgetInHistory(context, { ...person, emailConfirmed: true }, { until: Infinity, redact });
  await forgetLooks(context, person);
  await forgetInvitations(context, person);
  await forgetSessions(context, person);
}

async function deleteAccount({ auth, mayDelete }: Firebase, { uid }: UserRecord): Promise<'deleted' | 'left'> {
  if (uid === undefined) return 'deleted';
  if (!mayDelete) return 'left';
  try {
    await auth.deleteUser(uid);
  } catch (error) {
    if (firebaseCode(error) !== 'auth/user-not-found')
      throw unavailable('We can’t delete the account right now. Try again in a moment.', error);
  }
  return 'deleted';
}
