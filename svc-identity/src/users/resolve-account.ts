import { ProblemError, unavailable } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { sessionOfBrowser } from '../sessions/read-session.ts';
import { rejectDisabled, requireFreshSignIn } from '../sessions/sign-in-checks.ts';
import type { IdentityContext } from '../settings.ts';
import type { AccountProof } from './account-proof.ts';
import { usersOf, type UserRecord } from './user-record.ts';

/**
 * What a proof does to the clinic's accounts:
 *
 * - `known`: signs in to an account, which stays as it is;
 * - `proved`: its owner has proved the address, a new address, or another Firebase account;
 * - `new`: gets a new account.
 *
 * `givesUp` are accounts that hold the address or the Firebase account, but whose owner never proved the address.
 */
export type Resolution =
  | { readonly kind: 'known'; readonly user: UserRecord }
  | { readonly kind: 'proved'; readonly user: UserRecord; readonly givesUp: readonly UserRecord[] }
  | { readonly kind: 'new'; readonly givesUp: readonly UserRecord[] };

/**
 * Decides what a proof does, and changes nothing: the second factor comes before any change. `settleAccount` decides
 * again in its transaction.
 *
 * An account is found by its Firebase account, else by its verified address. Anybody can register with somebody else's
 * address, so whoever proves an address gets an account of their own, unless they are the person who registered: see
 * {@link isSamePerson}.
 *
 * @throws ProblemError forbidden if the address belongs to another account; account_disabled; unauthenticated if the
 *   proof is too old; unavailable if Firebase must be asked and doesn't answer
 */
export async function resolveAccount(
  context: IdentityContext,
  proof: AccountProof,
  session?: ClientSession,
): Promise<Resolution> {
  const { account } = proof;
  const users = usersOf(context);
  const byUid = (await users.findOne({ uid: account.uid }, { session })) ?? undefined;
  const byEmail = (await users.findOne({ email: account.email }, { session })) ?? undefined;
  if (byUid?.email === account.email && (byUid.emailVerified || !account.emailVerified)) {
    // Whether the account is switched off or logged out everywhere is nobody's business before the second factor.
    requireFreshSignIn({}, account.authTime);
    return { kind: 'known', user: byUid };
  }
  // Firebase requires proof of a changed address. An unverified one changes nothing here.
  if (byUid && !account.emailVerified)
    throw new ProblemError('forbidden', { detail: 'Confirm your new email address first, then log in again.' });
  const resolved = account.emailVerified
    ? await ofVerified(context, proof, byUid, byEmail, session)
    : await ofUnverified(proof, byEmail);
  const { givesUp } = resolved;
  // Being switched off doesn't end by proving the address.
  for (const left of givesUp) rejectDisabled(left);
  if (resolved.kind === 'proved' || givesUp.length > 0)
    requireFreshSignIn(resolved.kind === 'proved' ? resolved.user : {}, account.authTime);
  return resolved;
}

type Change = Exclude<Resolution, { kind: 'known' }>;

async function ofVerified(
  context: IdentityContext,
  proof: AccountProof,
  byUid: UserRecord | undefined,
  byEmail: UserRecord | undefined,
  session: ClientSession | undefined,
): Promise<Change> {
  const browserUser = (await sessionOfBrowser(context, proof.refreshId, session))?.userId;
  const isTheirs = (user: UserRecord): boolean => isSamePerson(user, proof, browserUser?.equals(user._id) === true);
  const holder = byEmail && !byUid?._id.equals(byEmail._id) ? byEmail : undefined;
  if (byUid && isTheirs(byUid)) {
    if (holder?.emailVerified) throw takenAddress();
    return { kind: 'proved', user: byUid, givesUp: holder ? [holder] : [] };
  }
  const givesUp = byUid ? [byUid] : [];
  if (!holder) return { kind: 'new', givesUp };
  return isTheirs(holder) ? { kind: 'proved', user: holder, givesUp } : { kind: 'new', givesUp: [...givesUp, holder] };
}

/** The account never verified its address and no longer exists: a new registration has as good a claim to the address. */
async function ofUnverified({ accountIsGone }: AccountProof, byEmail: UserRecord | undefined): Promise<Change> {
  if (!byEmail) return { kind: 'new', givesUp: [] };
  const { uid, role, emailVerified } = byEmail;
  if (uid === undefined || role !== 'patient' || emailVerified || !(await accountIsGone(uid)))
    throw new ProblemError('forbidden', {
      detail: 'There’s already an account with this email address. Confirm your email address, then log in again.',
    });
  return { kind: 'new', givesUp: [byEmail] };
}

/**
 * Whether somebody who proves an address is the one who registered the account: it is theirs already, the browser is
 * logged in to it, or they know the password that the Firebase account was made with. A new password doesn't tell: its
 * link is how the owner of an address gets an account that a stranger made.
 *
 * @throws ProblemError unavailable if only Firebase knows, and doesn't answer
 */
function isSamePerson(user: UserRecord, proof: AccountProof, inBrowser: boolean): boolean {
  if (user.emailVerified || inBrowser) return true;
  const { account, credentials, passwordChanged } = proof;
  if (user.uid !== account.uid || account.provider !== 'password' || passwordChanged) return false;
  if (credentials.unanswered) throw unavailable('We can’t check logins right now. Try again in a moment.');
  return credentials.original === true;
}

const takenAddress = (): ProblemError =>
  new ProblemError('forbidden', { detail: 'Another account uses this email address. Contact the clinic.' });
