import { isStaff, type Session } from '@clinic/contracts';
import { appendEvent, ProblemError } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { asCaller, changedRecord, signInRecord } from '../access/access-events.ts';
import { noteDevice } from '../messages/note-device.ts';
import type { PassedFactor } from '../second-factor/require-second-factor.ts';
import { staffRules, type IdentityContext } from '../settings.ts';
import type { AccountProof } from '../users/account-proof.ts';
import { settleAccount, settling } from '../users/settle-account.ts';
import { withNewVersion } from '../users/new-version.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';
import type { CallingBrowser } from './calling-browser.ts';
import { endOlderSessions } from './end-older-sessions.ts';
import { endAllSessions } from './end-sessions.ts';
import { answerSession } from './session-answer.ts';
import { createSession, sessionsOf, withRefreshId, type SessionPlace } from './session-record.ts';
import { rejectDisabled, requireFreshSignIn } from './sign-in-checks.ts';
import type { SigningKey } from './signing-key.ts';

/** A sign-in. */
export interface SignIn extends SessionPlace {
  readonly proof: AccountProof;
  /** The second factor that has been passed, if the user has one. */
  readonly passed: PassedFactor | undefined;
  /** Whether the browser states that the password used or just set has the length staff need. */
  readonly longPassword: boolean;
  readonly requestId: string;
}

/**
 * Opens a session for somebody who has just proved their identity, with all that the proof changes of their account; the
 * browser's previous session ends, whoever's it was.
 *
 * @throws ProblemError account_disabled; unauthenticated if the proof is too old, or older than the last log-out
 *   everywhere; as {@link settleAccount}
 */
export async function openSession(
  context: IdentityContext,
  key: SigningKey,
  signIn: SignIn,
  browser: CallingBrowser,
): Promise<Session> {
  const { proof, passed, requestId, address, userAgent } = signIn;
  const { account, passwordChanged, credentials, refreshId: replaces } = proof;
  const { authTime, provider } = account;
  const opened = await settling(context, async (transaction) => {
    const settled = await settleAccount(context, transaction, { proof, passed, requestId, call: 'startSession' });
    // Written, not only read, so that a concurrent lock or log-out everywhere comes either before or after.
    const found = await usersOf(context).findOneAndUpdate(
      { _id: settled._id },
      { $set: { lastSignInAt: new Date() } },
      { session: transaction, returnDocument: 'after' },
    );
    if (!found) throw new ProblemError('unauthenticated');
    rejectDisabled(found);
    requireFreshSignIn(found, authTime);
    const { _id, email } = found;
    // The person may have set a new password after a sign-in with Google.
    if (provider === 'password' || passwordChanged)
      await notePasswordLength(context, transaction, found, signIn.longPassword);
    const caller = asCaller(found);
    const event = { call: 'startSession', caller, requestId, subject: email, before: null } as const;
    const newProvider = await noteProviders(context, transaction, found, account.linked);
    if (passwordChanged || newProvider !== undefined) {
      await endAllSessions(context, transaction, _id, new Date(authTime * 1_000));
      await appendEvent(context, transaction, {
        ...event,
        record: { type: changedRecord, id: caller.id },
        action: 'logged out everywhere',
        after: { reason: passwordChanged ? 'password changed' : `${nameOf(newProvider)} linked` },
      });
    }
    if (replaces !== undefined) await endReplaced(context, transaction, replaces);
    if (credentials.since) await endOlderSessions(context, transaction, found, credentials.since, requestId);
    await appendEvent(context, transaction, {
      ...event,
      record: { type: signInRecord, id: caller.id },
      action: 'signed in',
      after: { provider, address },
    });
    await noteDevice(context, transaction, found, userAgent);
    const user = (await usersOf(context).findOne({ _id }, { session: transaction })) ?? found;
    return { user, ...(await createSession(context, transaction, _id, { address, userAgent })) };
  });
  return answerSession(context, key, opened, browser);
}

/** Ends the session of the browser's previous refresh id. */
async function endReplaced(context: IdentityContext, transaction: ClientSession, refreshId: string): Promise<void> {
  await sessionsOf(context).updateOne(
    { ...withRefreshId(refreshId), endedAt: { $exists: false } },
    { $set: { endedAt: new Date(), replaced: true } },
    { session: transaction },
  );
}

function nameOf(provider: string | undefined): string | undefined {
  return provider === 'google.com' ? 'Google' : provider;
}

/** Records whether the password is known to be long enough for staff. If that changes what staff may do, their older tokens end. */
async function notePasswordLength(
  context: IdentityContext,
  transaction: ClientSession,
  user: UserRecord,
  longPassword: boolean,
): Promise<void> {
  const { _id, passwordUnproven = false } = user;
  if (passwordUnproven === !longPassword) return;
  const rightsChange = isStaff(user) && staffRules(context.settings).longPassword;
  const noted = { $set: { passwordUnproven: !longPassword } };
  await usersOf(context).updateOne({ _id }, rightsChange ? withNewVersion(noted) : noted, { session: transaction });
}

/**
 * Records the providers linked to the account. A new way to sign in ends all earlier sessions, whichever program linked it.
 *
 * @returns a provider linked since the last sign-in; `undefined` if there is none, or if it isn't known what was linked before
 */
async function noteProviders(
  context: IdentityContext,
  transaction: ClientSession,
  { _id, linkedProviders: known }: UserRecord,
  linked: readonly string[] | undefined,
): Promise<string | undefined> {
  if (linked === undefined) return undefined;
  const added = linked.find((provider) => known?.includes(provider) === false);
  if (known === undefined || added !== undefined || known.length !== linked.length)
    await usersOf(context).updateOne({ _id }, { $set: { linkedProviders: [...linked] } }, { session: transaction });
  return added;
}
