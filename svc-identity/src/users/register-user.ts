import type { User } from '@clinic/contracts';
import { appendEvent, ProblemError, type SessionCaller } from '@clinic/service-kit';
import { aboutUser, asCaller } from '../access/access-events.ts';
import { rejectDisabled } from '../sessions/sign-in-checks.ts';
import type { IdentityContext } from '../settings.ts';
import { rejectLaterBirth } from './date-of-birth.ts';
import { findOrCreateUser, type Lookup, type SignedInAccount } from './find-or-create-user.ts';
import { searchFields, userOf, userOnTheWire, usersOf, type Profile, type UserRecord } from './user-record.ts';

export interface Registration {
  /** May contain more (a password, a role): only the profile is used. */
  readonly profile: Profile & { readonly email: string };
  /** The account of the ID token, if the request has one; otherwise there is a caller. */
  readonly account: SignedInAccount | undefined;
  readonly caller: SessionCaller | undefined;
  readonly requestId: string;
  readonly browserUser: Lookup['browserUser'];
  readonly accountIsGone: Lookup['accountIsGone'];
}

/**
 * Stores the profile of a new user, whether they signed in before, do so concurrently, or will later; a repeat changes
 * nothing and returns the same user.
 *
 * @throws ProblemError validation_failed if the date of birth is after today at the clinic, forbidden if the email isn't
 *   the caller's, account_disabled, second_factor_needed
 */
export async function registerUser(context: IdentityContext, registration: Registration): Promise<User> {
  const { account, caller, requestId, browserUser, accountIsGone } = registration;
  const { firstName, lastName, phone, dateOfBirth, email } = registration.profile;
  const profile: Profile = { firstName, lastName, phone, dateOfBirth };
  rejectLaterBirth(context, dateOfBirth);
  const user = account
    ? await findOrCreateUser(context, { account, profile, requestId, call: 'registerUser', browserUser, accountIsGone })
    : await userOfCaller(context, caller, email);
  rejectDisabled(user);
  // With a second factor set up, a password or Google alone must reveal nothing about the user.
  if (account && user.secondFactor)
    throw new ProblemError('second_factor_needed', {
      detail: 'You already have an account. Log in.',
    });
  return userOnTheWire(user.registered ? user : await completeProfile(context, user, profile, requestId));
}

async function userOfCaller(
  context: IdentityContext,
  caller: SessionCaller | undefined,
  email: string,
): Promise<UserRecord> {
  if (!caller) throw new ProblemError('unauthenticated');
  if (caller.email !== email)
    throw new ProblemError('forbidden', { detail: 'This isn’t the email address you logged in with.' });
  return userOf(context, caller);
}

async function completeProfile(
  context: IdentityContext,
  user: UserRecord,
  profile: Profile,
  requestId: string,
): Promise<UserRecord> {
  const completed = await context.inTransaction(async (session) => {
    const updated = await usersOf(context).findOneAndUpdate(
      { _id: user._id, registered: false },
      { $set: { ...profile, ...searchFields(profile, user.email), registered: true }, $unset: { profileNeeded: 1 } },
      { returnDocument: 'after', session },
    );
    if (!updated) return undefined;
    const { firstName, lastName, phone, dateOfBirth } = user;
    await appendEvent(context, session, {
      call: 'registerUser',
      caller: asCaller(user),
      requestId,
      ...aboutUser(user),
      action: 'profile registered',
      before: { firstName, lastName, phone, dateOfBirth },
      after: profile,
    });
    return updated;
  });
  // Already completed by a concurrent request of the same person.
  return completed ?? (await usersOf(context).findOne({ _id: user._id })) ?? user;
}
