import { appendEvents } from '@clinic/service-kit';
import type { ClientSession, Filter, ObjectId } from 'mongodb';
import { aboutInvitation, type Actor } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { invitationsOf, type InvitationRecord, type StaffRole } from './invitation-record.ts';

/**
 * Revokes an admin's open invitations, in the transaction that removes their rights: a former admin's invitations are
 * void.
 */
export function revokeInvitationsOf(
  context: Pick<IdentityContext, 'db'>,
  session: ClientSession,
  adminId: ObjectId,
  by: Actor,
): Promise<void> {
  return revokeOpen(context, session, { 'invitedBy.id': adminId.toHexString() }, by);
}

/**
 * Revokes the open invitations to an address, in the transaction that decides otherwise about its owner: who loses a
 * role or is switched off must not get it back by an older link, nor must the next owner of the address.
 *
 * @param email - lower case
 * @param except - the role that the owner has from now on
 */
export function revokeInvitationsTo(
  context: Pick<IdentityContext, 'db'>,
  session: ClientSession,
  email: string,
  by: Actor,
  except?: StaffRole,
): Promise<void> {
  return revokeOpen(context, session, { email, ...(except && { role: { $ne: except } }) }, by);
}

async function revokeOpen(
  context: Pick<IdentityContext, 'db'>,
  session: ClientSession,
  filter: Filter<InvitationRecord>,
  by: Actor,
): Promise<void> {
  const invitations = invitationsOf(context);
  const open = await invitations.find({ ...filter, state: 'open' }, { session }).toArray();
  if (open.length === 0) return;
  await invitations.updateMany(
    { _id: { $in: open.map(({ _id }) => _id) } },
    { $set: { state: 'revoked' } },
    { session },
  );
  await appendEvents(
    context,
    session,
    open.map((invitation) => revoked(invitation, by)),
  );
}

/** The event of a revoked invitation. */
export const revoked = (invitation: InvitationRecord, { caller, requestId }: Actor) => ({
  call: 'revokeInvitation' as const,
  caller,
  requestId,
  ...aboutInvitation(invitation),
  action: 'invitation revoked',
  before: { state: 'open', role: invitation.role },
  after: { state: 'revoked' },
});
