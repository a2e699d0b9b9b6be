import { erasedEmail } from '@clinic/contracts/erased-person';
import type { ForgottenPerson } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { invitationsOf } from './invitation-record.ts';

/** Forgets a deleted person in invitations: their own go, those that they made as an admin lose who it was. */
export async function forgetInvitations(context: Pick<IdentityContext, 'db'>, { email, userId, emailConfirmed }: ForgottenPerson): Promise<void> {
  const invitations = invitationsOf(context);
  await invitations.deleteMany({ $or: [{ acceptedBy: userId }, ...(emailConfirmed ? [{ email }] : [])] });
  await invitations.updateMany({ 'invitedBy.id': userId }, { $set: { 'invitedBy.email': erasedEmail(userId) } });
}

/** Milliseconds for which an invitation is kept after its end; the history tells for longer that there was one. */
const keptFor = 90 * 86_400_000;

/** Removes invitations that were over long ago. */
export async function removeOldInvitations(context: Pick<IdentityContext, 'db'>): Promise<void> {
  await invitationsOf(context).deleteMany({ expiresAt: { $lt: new Date(Date.now() - keptFor) } });
}
