import { appendEvent, countToday, isDuplicateKey, ProblemError, unavailable, type DailyAct } from '@clinic/service-kit';
import { ObjectId, type ClientSession, type UpdateFilter } from 'mongodb';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser, asCaller } from '../access/access-events.ts';
import { revokeInvitationsTo } from '../invitations/revoke-invitations.ts';
import { rejectErased } from '../personal-data/erased-accounts.ts';
import { factorOf, requirePassed, type PassedFactor } from '../second-factor/require-second-factor.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import type { IdentityContext } from '../settings.ts';
import { namesOf, type AccountProof } from './account-proof.ts';
import { enterAdminGuard } from './admin-guard.ts';
import { giveUpAccount } from './give-up-account.ts';
import { hadLongBefore } from './held-addresses.ts';
import { resolveAccount, type Resolution } from './resolve-account.ts';
import { searchFields, usersOf, type Profile, type UserRecord } from './user-record.ts';
import { countUser } from './user-rollups.ts';

interface Settlement {
  readonly proof: AccountProof;
  /** The second factor that this sign-in has passed. */
  readonly passed: PassedFactor | undefined;
  /** From POST /users; a plain sign-in has at most a name. */
  readonly profile?: Profile;
  readonly requestId: string;
  readonly call: 'startSession' | 'registerUser';
}

/** A move ends sessions and links, and takes the person's records in every service with it. */
const moves: DailyAct = {
  act: 'address-changes',
  most: 5,
  done: 'changed your email address',
  instead: 'call the clinic',
};

/** Attempts if others take the same address or Firebase account concurrently. */
const tries = 6;

/**
 * Runs a transaction that settles an account, again if a concurrent request took the address or the Firebase account:
 * unique indexes ensure a single user.
 */
export async function settling<Result>(
  context: IdentityContext,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await context.inTransaction(work);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if (attempt === tries) throw unavailable('Other people are changing this too. Try again.', error);
    }
  }
}

/**
 * Applies what a proof does to the clinic's accounts, in the transaction that opens the session or stores the profile.
 * Everything is decided again in it, and the second factor that has been passed must be the user's.
 *
 * @returns the user
 * @throws ProblemError as {@link resolveAccount}; second_factor_needed if the user has set one up meanwhile
 */
export async function settleAccount(
  context: IdentityContext,
  session: ClientSession,
  settlement: Settlement,
): Promise<UserRecord> {
  const resolution = await resolveAccount(context, settlement.proof, session);
  requirePassed(factorOf(resolution), settlement.passed);
  if (resolution.kind === 'known') return resolution.user;
  const { givesUp } = resolution;
  // A staff role goes from one account to the other. Others needn't wait for each other here.
  if (givesUp.some(({ role }) => role !== 'patient')) await enterAdminGuard(context, session);
  const { call, requestId } = settlement;
  for (const user of givesUp) await giveUpAccount(context, session, user, { call, caller: undefined, requestId });
  return resolution.kind === 'proved'
    ? strengthen(context, session, resolution.user, settlement)
    : create(context, session, resolution, settlement);
}

/**
 * Updates a user from their proof: address, that it is confirmed, and the Firebase account. Ends all earlier sessions
 * and invalidates older proofs. A second factor from before the address was confirmed is void: its owner may have been
 * somebody who merely typed the address.
 *
 * @throws ProblemError rate_limited after too many new addresses on one day
 */
async function strengthen(
  context: IdentityContext,
  session: ClientSession,
  user: UserRecord,
  { proof: { account }, call, requestId }: Settlement,
): Promise<UserRecord> {
  const { email, uid } = account;
  const moved = user.email !== email;
  // Whoever stole an account mustn't keep its owner from undoing that.
  if (moved && !(await hadLongBefore(context, user, email)))
    await countToday(context, session, user._id.toHexString(), moves);
  const voided = !user.emailVerified && user.secondFactor !== undefined;
  const update: UpdateFilter<UserRecord> = {
    $set: { uid, email, emailVerified: true, ...searchFields(user, email) },
    ...(!user.emailVerified && { $unset: { secondFactor: 1, secondFactorDraft: 1 } }),
  };
  await usersOf(context).updateOne({ _id: user._id }, update, { session });
  await endAllSessions(context, session, user._id, new Date(account.authTime * 1_000));
  const now = { ...user, email };
  const by = { caller: asCaller(now), requestId };
  // Invitations to an address that was never theirs are its owner's.
  if (moved && user.emailVerified) await revokeInvitationsTo(context, session, user.email, by);
  await appendEvent(context, session, {
    call,
    ...by,
    ...aboutUser(now),
    ...(moved && { concerns: [user.email] }),
    action: moved ? 'e-mail changed' : 'e-mail confirmed',
    before: moved
      ? { email: user.email }
      : { emailVerified: user.emailVerified, ...(voided && { secondFactor: true }) },
    after: moved
      ? { email }
      : { emailVerified: true, by: account.provider, profile: 'kept', ...(voided && { secondFactor: false }) },
  });
  return written(context, session, user._id);
}

/** Creates a patient, who gets the staff role that was given to their address. */
async function create(
  context: IdentityContext,
  session: ClientSession,
  { givesUp }: Extract<Resolution, { kind: 'new' }>,
  { proof: { account }, profile, requestId, call }: Settlement,
): Promise<UserRecord> {
  const { email, uid, emailVerified } = account;
  await rejectErased(context, uid);
  const known = profile ?? { ...namesOf(account), phone: '', dateOfBirth: '' };
  const before = givesUp.find((left) => left.email === email && left.role !== 'patient');
  const replaces = givesUp.length > 0;
  const user: UserRecord = {
    _id: new ObjectId(),
    email,
    uid,
    ...known,
    role: before?.role ?? 'patient',
    ...(before && { staff: true }),
    ...(before?.staffProfile && { staffProfile: before.staffProfile }),
    emailVerified,
    registered: profile !== undefined,
    ...(replaces && !profile && { profileNeeded: true }),
    // Proofs from before may be those of the person who merely typed the address.
    ...(replaces && { sessionsEndedAt: new Date(account.authTime * 1_000) }),
    version: 1,
    createdAt: new Date(),
    ...searchFields(known, email),
  };
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
  return user;
}

async function written(context: IdentityContext, session: ClientSession, _id: ObjectId): Promise<UserRecord> {
  const user = await usersOf(context).findOne({ _id }, { session });
  if (!user) throw new ProblemError('unauthenticated');
  return user;
}
