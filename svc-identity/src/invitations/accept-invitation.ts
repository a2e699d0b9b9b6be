import { ObjectId, type ClientSession } from 'mongodb';
import type { Session } from '@clinic/contracts';
import { appendEvents, ProblemError } from '@clinic/service-kit';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser, type By } from '../access/access-events.ts';
import type { CallingBrowser } from '../sessions/calling-browser.ts';
import { answerSession } from '../sessions/session-answer.ts';
import { rejectDisabled } from '../sessions/sign-in-checks.ts';
import { isOpen, sessionsOf } from '../sessions/session-record.ts';
import type { SigningKey } from '../sessions/signing-key.ts';
import type { IdentityContext } from '../settings.ts';
import { enterAdminGuard, requireAnotherAdmin } from '../users/admin-guard.ts';
import { withNewRole } from '../users/new-version.ts';
import { roleEvent } from '../users/role-event.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import { revokeInvitationsOf } from './revoke-invitations.ts';
import { hashInvitationToken, invitationsOf, stateOf, type InvitationRecord } from './invitation-record.ts';

/**
 * The person and role of an invitation, for anybody who has its link.
 *
 * @throws ProblemError not_found, invitation_over
 */
export async function readInvitation(
  context: IdentityContext,
  token: string,
): Promise<{ email: string; role: InvitationRecord['role']; name: string; expiresAt: string }> {
  const invitation = found(await invitationsOf(context).findOne({ tokenHash: hashInvitationToken(token) }));
  requireOpen(invitation);
  const { email, role, profile, expiresAt } = invitation;
  return { email, role, name: profile?.name ?? '', expiresAt: expiresAt.toISOString() };
}

export interface Acceptance extends By {
  readonly token: string;
}

/**
 * Gives the caller the role of their invitation. Invitation, role and the profile for other services change together; the
 * incremented version ends tokens with the old role, and this browser gets a new one. A repeat by the same person changes
 * nothing and returns the same result.
 *
 * @throws ProblemError not_found; invitation_over; email_unconfirmed; forbidden if it is for another address; last_admin
 */
export async function acceptInvitation(
  context: IdentityContext,
  key: SigningKey,
  acceptance: Acceptance,
  browser: CallingBrowser,
): Promise<Session> {
  const user = await takeRole(context, acceptance);
  const session = await sessionsOf(context).findOne({ _id: new ObjectId(acceptance.caller.sessionId) });
  if (!session || !isOpen(session, new Date())) throw new ProblemError('unauthenticated');
  return answerSession(context, key, { user, session }, browser);
}

function takeRole(context: IdentityContext, { token, ...by }: Acceptance): Promise<UserRecord> {
  const { caller } = by;
  const users = usersOf(context);
  const invitations = invitationsOf(context);
  return context.inTransaction(async (session) => {
    await enterAdminGuard(context, session);
    const invitation = found(await invitations.findOne({ tokenHash: hashInvitationToken(token) }, { session }));
    const user = await users.findOne({ _id: new ObjectId(caller.id) }, { session });
    if (!user) throw new ProblemError('unauthenticated');
    rejectDisabled(user);
    if (user.email !== invitation.email)
      throw new ProblemError('forbidden', {
        detail: 'This invitation is for a different email address. Log in with that address.',
      });
    // Anyone can register with somebody else's address; only the owner of the mailbox can confirm it.
    if (!user.emailVerified)
      throw new ProblemError('email_unconfirmed', {
        detail: 'Confirm your email address with the link in our email, then accept the invitation.',
      });
    const { role, profile } = invitation;
    if (invitation.state === 'accepted' && invitation.acceptedBy === caller.id && user.role === role) return user;
    requireOpen(invitation);
    await requireCurrent(context, session, invitation, user);
    if (user.role === 'admin' && role !== 'admin') await requireAnotherAdmin(context, session, user);

    await invitations.updateOne(
      { _id: invitation._id, state: 'open' },
      { $set: { state: 'accepted', acceptedBy: caller.id } },
      { session },
    );
    const change = { call: 'acceptInvitation' as const, ...by, ...aboutUser(user) };
    // The inviting admin can find it in the history, too.
    const accepted = {
      ...change,
      concerns: [invitation.invitedBy.email],
      action: 'invitation accepted',
      before: null,
      after: { role, invitation: invitation._id.toHexString(), invitedBy: invitation.invitedBy.email },
    };
    const staffProfile = profile && { staffProfile: { role, ...profile } };
    if (user.role === role) {
      // Their rights don't change; an existing profile stays as it is.
      if (staffProfile && !user.staffProfile)
        await users.updateOne({ _id: user._id }, { $set: staffProfile }, { session });
      await appendEvents(context, session, [accepted]);
      return user;
    }
    const updated = await users.findOneAndUpdate(
      { _id: user._id },
      withNewRole(role, { staff: true, ...staffProfile }),
      { session, returnDocument: 'after' },
    );
    if (user.role === 'admin') await revokeInvitationsOf(context, session, user._id, by);
    await noteAccount(context, session, user._id);
    await appendEvents(context, session, [accepted, { ...change, ...roleEvent(user, role) }]);
    return updated ?? user;
  });
}

function found(invitation: InvitationRecord | null): InvitationRecord {
  if (!invitation)
    throw new ProblemError('not_found', {
      detail: 'We can’t find this invitation. Check that you opened the whole link.',
    });
  return invitation;
}

/**
 * An admin's later decision about the person counts more than an invitation, and only an admin's invitation counts.
 * Usually those changes have revoked it; not if it was to an address that the person only has since.
 *
 * @throws ProblemError invitation_over
 */
async function requireCurrent(
  context: IdentityContext,
  session: ClientSession,
  { role, invitedAt, invitedBy }: InvitationRecord,
  user: UserRecord,
): Promise<void> {
  const inviter = await usersOf(context).findOne({ _id: new ObjectId(invitedBy.id) }, { session });
  const byAdmin = inviter?.role === 'admin' && inviter.disabled !== true;
  const decidedSince = user.role !== role && user.roleDecidedAt !== undefined && user.roleDecidedAt >= invitedAt;
  if (!byAdmin || decidedSince)
    throw new ProblemError('invitation_over', {
      detail: 'This invitation is no longer valid. Ask the clinic for a new one.',
    });
}

function requireOpen(invitation: InvitationRecord): void {
  const state = stateOf(invitation);
  if (state !== 'open')
    throw new ProblemError('invitation_over', { detail: `This invitation is ${state}. Ask the clinic for a new one.` });
}
