import { erasedEmail } from '@clinic/contracts/erased-person';
import type { AccountHolder } from '@clinic/service-kit';
import { identityRecords } from '../personal-data/personal-records.ts';
import type { IdentityContext } from '../settings.ts';
import { invitationsOf } from './invitation-record.ts';

/** Erases a deleted person from invitations: deletes invitations to them, and anonymises those they made as an admin. */
export async function forgetInvitations(context: Pick<IdentityContext, 'db'>, person: AccountHolder): Promise<void> {
  const invitations = invitationsOf(context);
  const { invited, inviter } = identityRecords.invitations.whose;
  for (const filter of invited(person)) await invitations.deleteMany(filter);
  for (const filter of inviter(person))
    await invitations.updateMany(filter, { $set: { 'invitedBy.email': erasedEmail(person.id) } });
}
