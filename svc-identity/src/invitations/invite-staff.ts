import { ObjectId } from 'mongodb';
import type { StaffProfile } from '@clinic/contracts/schemas/person';
import type { Invitation } from '../contract/schemas.ts';
import {
  appendEvent,
  appendOutbox,
  countToday,
  type DailyAct,
  isDuplicateKey,
  type ListAnswer,
  type PageQuery,
  ProblemError,
  readPage,
  refused,
} from '@clinic/service-kit';
import { aboutInvitation, type By } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { enterAdminGuard, requireAdmin } from '../users/admin-guard.ts';
import {
  hashInvitationToken,
  invitationFilter,
  invitationOnTheWire,
  invitationSorts,
  invitationsOf,
  newInvitationToken,
  stateOf,
  type InvitationRecord,
  type StaffRole,
} from './invitation-record.ts';
import { revoked } from './revoke-invitations.ts';

export interface NewInvitation extends By {
  /** Lower case. */
  readonly email: string;
  readonly role: StaffRole;
  readonly profile: StaffProfile | undefined;
}

const day = 86_400_000;

/** Each sends a mail to an address that the caller chooses. */
const invitationsOfDay: DailyAct = { act: 'invitations', most: 50, done: 'invited somebody' };

/**
 * Invites somebody to a staff role, whether or not they have an account.
 *
 * @returns the invitation and the token of its link, which isn't stored in plain text
 * @throws ProblemError duplicate while another invitation of this address to this role is open; session_stale if the caller
 *   is no longer an admin; rate_limited
 */
export async function inviteStaff(
  context: IdentityContext,
  { email, role, profile, ...by }: NewInvitation,
): Promise<{ invitation: Invitation; token: string }> {
  const invitations = invitationsOf(context);
  const token = newInvitationToken();
  const now = new Date();
  const invitation: InvitationRecord = {
    _id: new ObjectId(),
    email,
    role,
    ...(profile && { profile }),
    tokenHash: hashInvitationToken(token),
    state: 'open',
    invitedAt: now,
    expiresAt: new Date(now.getTime() + context.settings.INVITATION_DAYS * day),
    invitedBy: { id: by.caller.id, email: by.caller.email },
  };
  try {
    await context.inTransaction(async (session) => {
      await enterAdminGuard(context, session);
      await requireAdmin(context, session, by.caller);
      await countToday(context, session, by.caller.id, invitationsOfDay);
      // An expired invitation is still stored as open, and an address can have only one open for a role.
      await invitations.updateMany(
        { email, role, state: 'open', expiresAt: { $lte: now } },
        { $set: { state: 'expired' } },
        { session },
      );
      await invitations.insertOne(invitation, { session });
      await appendEvent(context, session, {
        call: 'inviteStaff',
        ...by,
        ...aboutInvitation(invitation),
        action: 'invited',
        before: null,
        after: { role, name: profile?.name ?? '', expiresAt: invitation.expiresAt.toISOString() },
      });
      await appendOutbox(context, session, {
        kind: 'staff-invitation',
        to: { email, ...(profile && { name: profile.name }) },
        data: { link: `/register?invitation=${token}`, role, until: invitation.expiresAt.toISOString() },
      });
    });
  } catch (error) {
    if (isDuplicateKey(error))
      throw new ProblemError('duplicate', {
        detail: `${email} already has an open invitation to this role. Revoke it first.`,
      });
    throw error;
  }
  return { invitation: invitationOnTheWire(invitation), token };
}

/** Invitations, newest first. */
export function listInvitations(
  context: IdentityContext,
  query: PageQuery & { readonly state?: Invitation['state'] | undefined },
): Promise<ListAnswer<Invitation>> {
  return readPage(invitationsOf(context), {
    filter: invitationFilter(query.state),
    query,
    sorts: invitationSorts,
    defaultSort: 'newest',
    map: invitationOnTheWire,
  });
}

/**
 * Revokes an open invitation.
 *
 * @throws ProblemError not_found; transition_refused if it is no longer open; session_stale if the caller is no longer an admin
 */
export async function revokeInvitation(context: IdentityContext, id: string, by: By): Promise<void> {
  const invitations = invitationsOf(context);
  await context.inTransaction(async (session) => {
    await enterAdminGuard(context, session);
    await requireAdmin(context, session, by.caller);
    const invitation = await invitations.findOne({ _id: new ObjectId(id) }, { session });
    if (!invitation) throw new ProblemError('not_found', { detail: 'We can’t find this invitation.' });
    const state = stateOf(invitation);
    if (state !== 'open') throw refused(`This invitation is already ${state}.`);
    await invitations.updateOne({ _id: invitation._id, state: 'open' }, { $set: { state: 'revoked' } }, { session });
    await appendEvent(context, session, revoked(invitation, by));
  });
}
