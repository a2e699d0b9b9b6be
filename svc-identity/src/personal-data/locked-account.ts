import { isNobodysEmail } from '@clinic/contracts/erased-person';
import { refused } from '@clinic/service-kit';
import { ObjectId, type ClientSession } from 'mongodb';
import { noteAccount } from '../account-feed/account-feed.ts';
import type { IdentityContext } from '../settings.ts';
import { noSuchUser, searchFields, usersOf, type UserRecord } from '../users/user-record.ts';
import { countUser } from '../users/user-rollups.ts';

const nobody = { firstName: '', lastName: '', phone: '', dateOfBirth: '' };

/**
 * An account that nobody has ever had, for an address without one, only to be deleted: what was made for the address joins it in
 * every service, as it would join the account of whoever confirms the address.
 *
 * @throws ProblemError not_found for an address that can't be anybody's; transition_refused if somebody has an account with it
 */
export async function lockedAccountOf(
  context: IdentityContext,
  session: ClientSession,
  email: string,
): Promise<UserRecord> {
  if (isNobodysEmail(email)) throw noSuchUser();
  const there = await usersOf(context).findOne({ email }, { session });
  // The same request again.
  if (there?.erasingSince && !there.registered) return there;
  if (there) throw refused('Somebody has an account with this address. Delete it under All Users.');
  const user: UserRecord = {
    _id: new ObjectId(),
    email,
    ...nobody,
    role: 'patient',
    // An admin decides over what is filed under it, as the address's owner would.
    emailVerified: true,
    registered: false,
    version: 1,
    createdAt: new Date(),
    ...searchFields(nobody, email),
  };
  await usersOf(context).insertOne(user, { session });
  await noteAccount(context, session, user._id);
  await countUser(context, session, user, 1);
  return user;
}
