import { isErasedEmail } from '@clinic/contracts/erased-person';
import { ObjectId } from 'mongodb';
import { withoutInvisible } from '@clinic/contracts/visible-text';
import { appendEvent, isDuplicateKey, ProblemError, unavailable, type IdToken } from '@clinic/service-kit';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser, asCaller } from '../access/access-events.ts';
import { rejectErased } from '../personal-data/erased-accounts.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import { requireFreshSignIn } from '../sessions/sign-in-checks.ts';
import type { IdentityContext } from '../settings.ts';
import { searchFields, usersOf, type Profile, type UserRecord } from './user-record.ts';
import { countUser } from './user-rollups.ts';

/** A verified Firebase account with an email. */
export type SignedInAccount = IdToken & { readonly email: string };

export interface Lookup {
  readonly account: SignedInAccount;
  /** From POST /users; a plain sign-in has at most a name. */
  readonly profile?: Profile;
  readonly requestId: string;
  readonly call: 'startSession' | 'registerUser';
  /** The user of the browser's open session. */
  readonly browserUser: ObjectId | undefined;
  /** Whether a Firebase account no longer exists, if that can be checked (emulator only). */
  readonly accountIsGone: (uid: string) => Promise<boolean>;
}

/** Attempts if others write the same user concurrently. */
const tries = 6;

/**
 * Finds the user of a Firebase account: by uid, else by verified email; otherwise creates a patient. The client may
 * sign in and register in any order or concurrently; unique indexes ensure a single user.
 *
 * Anything that strengthens the account's claim to its email address (it is confirmed, changes, or comes with another
 * Firebase account) ends all earlier sessions: see {@link strengthen}.
 *
 * @throws ProblemError forbidden if the email belongs to another account; unauthenticated if the proof is too old
 */
export async function findOrCreateUser(context: IdentityContext, lookup: Lookup): Promise<UserRecord> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const user =
      (await findByAccount(context, lookup)) ?? (await linkByEmail(context, lookup)) ?? (await create(context, lookup));
    if (user) return user;
  }
  throw unavailable('Other people are changing this too. Try again.');
}

async function findByAccount(context: IdentityContext, lookup: Lookup): Promise<UserRecord | undefined> {
  const { account } = lookup;
  const user = await usersOf(context).findOne({ uid: account.uid });
  if (!user) return undefined;
  if (user.email === account.email)
    return account.emailVerified && !user.emailVerified ? strengthen(context, user, lookup) : user;
  // Firebase requires proof of a changed address. An unverified one changes nothing here.
  if (!account.emailVerified)
    throw new ProblemError('forbidden', { detail: 'Confirm your new email address first, then log in again.' });
  return strengthen(context, user, lookup);
}

/**
 * Links a user to this Firebase account if they have none or another one. Only if Firebase has verified the email:
 * otherwise anyone could take over a user by signing up with their address.
 */
async function linkByEmail(context: IdentityContext, lookup: Lookup): Promise<UserRecord | undefined> {
  const { account, accountIsGone } = lookup;
  const user = await usersOf(context).findOne({ email: account.email });
  if (!user || user.uid === account.uid) return user ?? undefined;
  if (account.emailVerified) return strengthen(context, user, lookup);
  // The account never verified its address and no longer exists, so a new registration has as good a claim to the
  // address.
  const lost =
    user.uid !== undefined && user.role === 'patient' && !user.emailVerified && (await accountIsGone(user.uid));
  if (!lost)
    throw new ProblemError('forbidden', {
      detail: 'There’s already an account with this email address. Confirm your email address, then log in again.',
    });
  return strengthen(context, user, lookup);
}

/** Fields that may have been set by somebody without a claim to the address. */
const unproven = { firstName: '', lastName: '', phone: '', dateOfBirth: '' } as const;

/**
 * Updates a user from the account's proof: address, whether it is confirmed, and uid. Ends all earlier sessions and
 * invalidates older proofs, as they may belong to somebody who merely typed the address. Clears the profile, to be
 * entered again, unless the proof comes from a browser that is logged in to this very account.
 *
 * @returns `undefined` if a concurrent request changed the user
 */
async function strengthen(
  context: IdentityContext,
  user: UserRecord,
  { account, browserUser, call, requestId }: Lookup,
): Promise<UserRecord | undefined> {
  requireFreshSignIn(user, account.authTime);
  const { email, uid, emailVerified } = account;
  const samePerson = user.emailVerified || browserUser?.equals(user._id) === true;
  const profile: Profile = samePerson ? user : { ...unproven, ...namesOf(account.name) };
  const moved = user.email !== email;
  const before = user.uid === undefined ? { uid: { $exists: false } } : { uid: user.uid };
  try {
    return await context.inTransaction(async (session) => {
      const users = usersOf(context);
      const { firstName, lastName, phone, dateOfBirth } = profile;
      const changed = await users.updateOne(
        { _id: user._id, ...before, email: user.email, emailVerified: user.emailVerified },
        {
          $set: {
            uid,
            email,
            emailVerified,
            firstName,
            lastName,
            phone,
            dateOfBirth,
            ...searchFields(profile, email),
            ...(!samePerson && { profileNeeded: true, registered: false }),
          },
          ...(!samePerson && { $unset: { address: 1 } }),
        },
        { session },
      );
      if (changed.matchedCount === 0) return undefined;
      await endAllSessions(context, session, user._id, new Date(account.authTime * 1_000));
      const now = { ...user, email };
      await appendEvent(context, session, {
        call,
        caller: asCaller(now),
        requestId,
        ...aboutUser(now),
        ...(moved && { concerns: [user.email] }),
        action: moved ? 'e-mail changed' : 'e-mail confirmed',
        before: moved ? { email: user.email } : { emailVerified: user.emailVerified },
        after: moved ? { email } : { emailVerified, by: account.provider, profile: samePerson ? 'kept' : 'emptied' },
      });
      return (await users.findOne({ _id: user._id }, { session })) ?? undefined;
    });
  } catch (error) {
    if (isDuplicateKey(error))
      throw new ProblemError('forbidden', {
        detail: 'Another account uses this email address. Contact the clinic.',
      });
    throw error;
  }
}

/** @returns `undefined` if a concurrent request created the user */
async function create(
  context: IdentityContext,
  { account, profile, requestId, call }: Lookup,
): Promise<UserRecord | undefined> {
  const { email, uid, emailVerified } = account;
  await rejectErased(context, uid);
  const known = profile ?? { ...namesOf(account.name), phone: '', dateOfBirth: '' };
  const user: UserRecord = {
    _id: new ObjectId(),
    email,
    uid,
    ...known,
    role: 'patient',
    emailVerified,
    registered: profile !== undefined,
    version: 1,
    createdAt: new Date(),
    ...searchFields(known, email),
  };
  try {
    await context.inTransaction(async (session) => {
      await usersOf(context).insertOne(user, { session });
      await noteAccount(context, session, user._id);
      await countUser(context, session, user, 1);
      await appendEvent(context, session, {
        call,
        caller: asCaller(user),
        requestId,
        ...aboutUser(user),
        action: 'user created',
        before: null,
        after: { email, role: user.role, registered: user.registered },
      });
    });
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
  return user;
}

/** First and last name from a Google display name, which can be anything. */
function namesOf(name = ''): { firstName: string; lastName: string } {
  const printable = withoutInvisible(name)
    .trim()
    .slice(0, 200)
    .replaceAll(/\p{Cs}/gu, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
  const [firstName = '', ...rest] = printable.trim().split(/\s+/);
  return { firstName, lastName: rest.join(' ') };
}

/** @throws ProblemError forbidden if the token isn't for that email */
export function accountFor(email: string, idToken: IdToken | undefined): SignedInAccount {
  if (!idToken) throw new ProblemError('unauthenticated');
  if (idToken.email !== email || isErasedEmail(email))
    throw new ProblemError('forbidden', { detail: 'This isn’t the email address you logged in with.' });
  return { ...idToken, email };
}
