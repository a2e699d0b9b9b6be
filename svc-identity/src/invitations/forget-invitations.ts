import { erasedEmail } from '@clinic/contracts/erased-person';
import type { ForgottenPerson } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { invitationsOf } from './invitation-record.ts';

/** Erases a deleted person from invitations: deletes invitations to them, and anonymises those they made as an admin. */
export async function forgetInvitations(
  context: Pick<IdentityContext, 'db'>,
  { email, userId, emailConfirmed }: ForgottenPerson,
): Promise<void> {
  const invitations = invitationsOf(context);
  await invitations.deleteMany({ $or: [{ acceptedBy: userId }, ...(emailConfirmed ? [{ email }] : [])] });
  await invitations.updateMany({ 'invitedBy.id': userId }, { $set: { 'invitedBy.email': erasedEmail(userId) } });
}
