import type { User } from '@clinic/contracts';
import { appendEvent, internationalPhone, ProblemError, type SessionCaller } from '@clinic/service-kit';
import { aboutUser, asCaller } from '../access/access-events.ts';
import type { ClientSession } from 'mongodb';
import { rejectDisabled, requireCurrentSignIn } from '../sessions/sign-in-checks.ts';
import type { IdentityContext } from '../settings.ts';
import { rejectLaterBirth } from './date-of-birth.ts';
import type { AccountProof } from './account-proof.ts';
import { settleAccount, settling } from './settle-account.ts';
import { searchFields, userOf, userOnTheWire, usersOf, type Profile, type UserRecord } from './user-record.ts';

export interface Registration {
  /** May contain more (a password, a role): only the profile is used. */
  readonly profile: Profile & { readonly email: string };
  /** What the ID token proves, if the request has one; otherwise there is a caller. */
  readonly proof: AccountProof | undefined;
  readonly caller: SessionCaller | undefined;
  readonly requestId: string;
}

/**
 * Stores the profile of a new user, whether they signed in before, do so concurrently, or will later; a repeat changes
 * nothing and returns the same user.
 *
 * @throws ProblemError validation_failed if the date of birth is after today at the clinic, forbidden if the email isn't
 *   the caller's, account_disabled, second_factor_needed, unauthenticated if the proof of a known user is too old
 */
export async function registerUser(context: IdentityContext, registration: Registration): Promise<User> {
  const { proof, caller, requestId } = registration;
  const { firstName, lastName, phone, dateOfBirth, email } = registration.profile;
  const phoneE164 = internationalPhone(phone, context.settings.CLINIC_COUNTRY);
  const profile: Profile = { firstName, lastName, phone, phoneE164, dateOfBirth };
  rejectLaterBirth(context, dateOfBirth);
  const user = await settling(context, async (session) => {
    // With a second factor set up, a password or Google alone must reveal nothing about the user, and change nothing.
    const found = proof
      ? await settleAccount(context, session, { proof, passed: undefined, profile, requestId, call: 'registerUser' })
      : await userOfCaller(context, caller, email);
    rejectDisabled(found);
    if (proof) requireCurrentSignIn(found, proof.account.authTime);
    return found.registered ? found : completeProfile(context, session, found, profile, requestId);
  });
  return userOnTheWire(user);
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
  session: ClientSession,
  user: UserRecord,
  profile: Profile,
  requestId: string,
): Promise<UserRecord> {
  const updated = await usersOf(context).findOneAndUpdate(
    { _id: user._id, registered: false },
    { $set: { ...profile, ...searchFields(profile, user.email), registered: true }, $unset: { profileNeeded: 1 } },
    { returnDocument: 'after', session },
  );
  // Already completed by a concurrent request of the same person.
  if (!updated) return (await usersOf(context).findOne({ _id: user._id }, { session })) ?? user;
  const { firstName, lastName, phone, dateOfBirth } = user;
  const { phoneE164: _derived, ...typed } = profile;
  await appendEvent(context, session, {
    call: 'registerUser',
    caller: asCaller(user),
    requestId,
    ...aboutUser(user),
    action: 'profile registered',
    before: { firstName, lastName, phone, dateOfBirth },
    after: typed,
  });
  return updated;
}
