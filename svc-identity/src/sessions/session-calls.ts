import type { Request, Response } from 'express';
import { ObjectId } from 'mongodb';
import type { Session } from '@clinic/contracts';
import { appendEvent, ProblemError, type SessionCaller } from '@clinic/service-kit';
import { signInRecord } from '../access/access-events.ts';
import type { RightsWatch } from '../rights/rights-watch.ts';
import type { IdentityContext } from '../settings.ts';
import { sessionUserOf, usersOf, type UserRecord } from '../users/user-record.ts';
import { makeAccessToken } from './access-token.ts';
import { clearSessionCookies, refreshIdOf, setSessionCookies } from './session-cookies.ts';
import { createSession, hashRefreshId, idleEnd, sessionsOf } from './session-record.ts';
import type { SigningKey } from './signing-key.ts';

/** Milliseconds within which using a session again is not written down. */
const useNotedEvery = 60_000;

/** Seconds since signing in within which an ID token opens a session: a stolen older one doesn't. */
const freshSignIn = 300;

/** @throws ProblemError account_disabled */
export function refuseDisabled(user: UserRecord): void {
  if (user.disabled) throw new ProblemError('account_disabled', { detail: 'This account is switched off. Please ask the clinic.' });
}

/** What a sign-in is. */
export interface SignIn {
  readonly user: UserRecord;
  /** When the person proved who they are, seconds since 1970. */
  readonly authTime: number;
  /** How, e.g. `password` or `google.com`. */
  readonly provider: string | undefined;
  readonly requestId: string;
  /** Network address. */
  readonly address: string | undefined;
}

/**
 * Opens a session for a user who has just proved who they are.
 *
 * @throws ProblemError account_disabled; unauthenticated when the proof is old, or older than the last log-out everywhere
 */
export async function openSession(context: IdentityContext, key: SigningKey, signIn: SignIn, response: Response): Promise<Session> {
  const { authTime, provider, requestId, address } = signIn;
  const { user, session, refreshId } = await context.inTransaction(async (transaction) => {
    // Written, not only read, so that a lock or a log-out everywhere at the same moment comes either before or after.
    const found = await usersOf(context).findOneAndUpdate({ _id: signIn.user._id }, { $set: { lastSignInAt: new Date() } }, { session: transaction, returnDocument: 'after' });
    if (!found) throw new ProblemError('unauthenticated');
    refuseDisabled(found);
    const loggedOut = Math.floor((found.sessionsEndedAt?.getTime() ?? 0) / 1_000);
    if (Date.now() / 1_000 - authTime > freshSignIn || authTime < loggedOut) throw new ProblemError('unauthenticated', { detail: 'Please log in again.' });
    const { email, role, _id } = found;
    await appendEvent(context, transaction, {
      call: 'startSession', caller: { id: _id.toHexString(), email, role }, requestId, record: { type: signInRecord, id: _id.toHexString() }, subject: email,
      action: 'signed in', before: null, after: { provider, address },
    });
    return { user: found, ...(await createSession(context, transaction, _id)) };
  });
  const access = await makeAccessToken(key, user, session._id.toHexString(), context.settings.ACCESS_TOKEN_SECONDS);
  setSessionCookies(context, response, { accessToken: access.token, accessEnds: access.ends, refreshId, sessionEnds: session.expiresAt });
  return { user: sessionUserOf(user), expiresAt: access.ends.toISOString() };
}

/** Who the session's user is now. @throws ProblemError unauthenticated when the user is gone */
export async function readSession(context: IdentityContext, caller: SessionCaller): Promise<Session> {
  const user = await usersOf(context).findOne({ _id: new ObjectId(caller.id) });
  if (!user) throw new ProblemError('unauthenticated');
  refuseDisabled(user);
  return { user: sessionUserOf(user), expiresAt: new Date(caller.expiresAt * 1_000).toISOString() };
}

/**
 * A new access token for the refresh cookie. The refresh id stays the same: several tabs may refresh at once.
 *
 * @throws ProblemError when the session is over, which clears its cookies: account_disabled, session_ended after a log-out
 *   everywhere, else unauthenticated
 */
export async function refreshSession(context: IdentityContext, key: SigningKey, request: Request, response: Response): Promise<Session> {
  const refreshId = refreshIdOf(context, request);
  const sessions = sessionsOf(context);
  const session = refreshId === undefined ? null : await sessions.findOne({ refreshHash: hashRefreshId(refreshId) });
  const now = new Date();
  const user = session && (await usersOf(context).findOne({ _id: session.userId }));
  const over = !session || session.endedAt !== undefined || session.expiresAt <= now || session.idleUntil <= now;
  if (over || !user || user.disabled) {
    clearSessionCookies(context, response);
    if (user) refuseDisabled(user);
    throw new ProblemError(session?.endedEverywhere ? 'session_ended' : 'unauthenticated');
  }
  if (now.getTime() - session.lastUsedAt.getTime() > useNotedEvery) {
    await sessions.updateOne({ _id: session._id }, { $set: { lastUsedAt: now, idleUntil: idleEnd(context, now, session.expiresAt) } });
  }
  const access = await makeAccessToken(key, user, session._id.toHexString(), context.settings.ACCESS_TOKEN_SECONDS);
  setSessionCookies(context, response, { accessToken: access.token, accessEnds: access.ends, sessionEnds: session.expiresAt });
  return { user: sessionUserOf(user), expiresAt: access.ends.toISOString() };
}

/** Logs out: the session ends everywhere, also for a copy of its access token. Cookies go even when the database is away. */
export async function endSession(context: IdentityContext, watch: RightsWatch, request: Request, response: Response, requestId: string): Promise<undefined> {
  clearSessionCookies(context, response);
  const refreshId = refreshIdOf(context, request);
  if (refreshId === undefined) return;
  await context.inTransaction(async (transaction) => {
    const ended = await sessionsOf(context).findOneAndUpdate(
      { refreshHash: hashRefreshId(refreshId), endedAt: { $exists: false } }, { $set: { endedAt: new Date() } }, { session: transaction },
    );
    const user = ended && (await usersOf(context).findOne({ _id: ended.userId }, { session: transaction }));
    if (!user) return;
    const { email, role } = user;
    const id = user._id.toHexString();
    await appendEvent(context, transaction, {
      call: 'endSession', caller: { id, email, role }, requestId, record: { type: signInRecord, id }, subject: email, action: 'logged out', before: null, after: {},
    });
  });
  await watch.lookNow();
}
