import { ObjectId, type ClientSession } from 'mongodb';
import { appendEvent, isDuplicateKey, ProblemError, unavailable, type IdToken } from '@clinic/service-kit';
import { refuseErased } from '../personal-data/erased-accounts.ts';
import type { IdentityContext } from '../settings.ts';
import { searchFields, usersOf, type Profile, type UserRecord } from './user-record.ts';
import { countUser } from './user-tallies.ts';

/** A Firebase account that has proved itself, with its e-mail. */
export type SignedInAccount = IdToken & { readonly email: string };

export interface Lookup {
  readonly account: SignedInAccount;
  /** Given by POST /users; a plain sign-in knows at most a name. */
  readonly profile?: Profile;
  readonly requestId: string;
  readonly call: 'startSession' | 'registerUser';
  /** Whether a Firebase account is gone for good, where that can be told (emulator only). */
  readonly accountIsGone: (uid: string) => Promise<boolean>;
}

/** Tries when others write the same user at the same moment. */
const tries = 6;

/**
 * Finds the user of a Firebase account: by uid, else by verified e-mail, else makes a patient. The client may sign in
 * and register in any order or at once (specification section 4); unique indexes make sure that one user comes of it.
 *
 * @throws ProblemError forbidden when the e-mail is another account's
 */
export async function findOrCreateUser(context: IdentityContext, lookup: Lookup): Promise<UserRecord> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const user = (await findByAccount(context, lookup.account)) ?? (await linkByEmail(context, lookup)) ?? (await create(context, lookup));
    if (user) return user;
  }
  throw unavailable('Too many people are changing the same thing. Please try again.');
}

async function findByAccount(context: IdentityContext, account: SignedInAccount): Promise<UserRecord | undefined> {
  const user = await usersOf(context).findOne({ uid: account.uid });
  if (!user) return undefined;
  if (account.emailVerified && !user.emailVerified && user.email === account.email) {
    await usersOf(context).updateOne({ _id: user._id }, { $set: { emailVerified: true } });
    return { ...user, emailVerified: true };
  }
  return user;
}

/**
 * A user who has no Firebase account yet, or had another one, gets this one: only when Firebase has checked that the
 * e-mail is theirs, or else anyone could become anyone by signing up with their address.
 */
async function linkByEmail(context: IdentityContext, { account, accountIsGone }: Lookup): Promise<UserRecord | undefined> {
  const users = usersOf(context);
  const user = await users.findOne({ email: account.email });
  if (!user || user.uid === account.uid) return user ?? undefined;
  const lost = user.uid !== undefined && user.role === 'patient' && (await accountIsGone(user.uid));
  if (!account.emailVerified && !lost) {
    throw new ProblemError('forbidden', { detail: 'There is a user with this e-mail already. Confirm your e-mail address first, then sign in again.' });
  }
  const before = user.uid === undefined ? { uid: { $exists: false } } : { uid: user.uid };
  const linked = await users.findOneAndUpdate(
    { _id: user._id, ...before },
    { $set: { uid: account.uid, emailVerified: account.emailVerified } },
    { returnDocument: 'after' },
  );
  return linked ?? undefined;
}

/** @returns nothing when another request made the user at the same moment */
async function create(context: IdentityContext, { account, profile, requestId, call }: Lookup): Promise<UserRecord | undefined> {
  const { email, uid, emailVerified } = account;
  await refuseErased(context, uid);
  const known = profile ?? { ...namesOf(account.name), phone: '', dateOfBirth: '' };
  const user: UserRecord = {
    _id: new ObjectId(), email, uid, ...known, role: 'patient', emailVerified, registered: profile !== undefined,
    version: 1, createdAt: new Date(), ...searchFields(known, email),
  };
  try {
    await context.inTransaction(async (session) => {
      await usersOf(context).insertOne(user, { session });
      await countUser(context, session, user, 1);
      await userAppeared(context, session, user, requestId, call);
    });
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
  return user;
}

function userAppeared(context: IdentityContext, session: ClientSession, user: UserRecord, requestId: string, call: Lookup['call']): Promise<void> {
  const { _id, email, role, registered } = user;
  const id = _id.toHexString();
  return appendEvent(context, session, {
    call, caller: { id, email, role }, requestId, record: { type: 'user', id }, subject: email, action: 'user created', before: null, after: { email, role, registered },
  });
}

/** First and last name of what Google calls a person. */
function namesOf(name = ''): { firstName: string; lastName: string } {
  const [firstName = '', ...rest] = name.trim().slice(0, 200).split(/\s+/);
  return { firstName, lastName: rest.join(' ') };
}
