import type { Request, Response } from 'express';
import { ObjectId } from 'mongodb';
import type { Session } from '@clinic/contracts';
import { ProblemError, type SessionCaller } from '@clinic/service-kit';
import type { RightsWatch } from '../rights/rights-watch.ts';
import type { IdentityContext } from '../settings.ts';
import { sessionUserOf, usersOf, type UserRecord } from '../users/user-record.ts';
import { makeAccessToken } from './access-token.ts';
import { clearSessionCookies, refreshIdOf, setSessionCookies } from './session-cookies.ts';
import { createSession, hashRefreshId, idleEnd, sessionsOf } from './session-record.ts';
import type { SigningKey } from './signing-key.ts';

/** Milliseconds within which using a session again is not written down. */
const useNotedEvery = 60_000;

/** @throws ProblemError forbidden when an operator locked the user out */
export function refuseDisabled(user: UserRecord): void {
  if (user.disabled) throw new ProblemError('forbidden', { detail: 'This account is locked. Please ask the clinic.' });
}

/** Opens a session for a user who has just proved who they are. */
export async function openSession(context: IdentityContext, key: SigningKey, user: UserRecord, response: Response): Promise<Session> {
  refuseDisabled(user);
  const { session, refreshId } = await createSession(context, user._id);
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
 * @throws ProblemError unauthenticated when the session is over; its cookies are cleared then
 */
export async function refreshSession(context: IdentityContext, key: SigningKey, request: Request, response: Response): Promise<Session> {
  const refreshId = refreshIdOf(context, request);
  const sessions = sessionsOf(context);
  const session = refreshId === undefined ? null : await sessions.findOne({ refreshHash: hashRefreshId(refreshId) });
  const now = new Date();
  const user = session && !session.endedAt && session.expiresAt > now && session.idleUntil > now ? await usersOf(context).findOne({ _id: session.userId }) : null;
  if (!session || !user) {
    clearSessionCookies(context, response);
    throw new ProblemError('unauthenticated');
  }
  refuseDisabled(user);
  if (now.getTime() - session.lastUsedAt.getTime() > useNotedEvery) {
    await sessions.updateOne({ _id: session._id }, { $set: { lastUsedAt: now, idleUntil: idleEnd(context, now, session.expiresAt) } });
  }
  const access = await makeAccessToken(key, user, session._id.toHexString(), context.settings.ACCESS_TOKEN_SECONDS);
  setSessionCookies(context, response, { accessToken: access.token, accessEnds: access.ends, sessionEnds: session.expiresAt });
  return { user: sessionUserOf(user), expiresAt: access.ends.toISOString() };
}

/** Logs out: the session ends everywhere, also for a copy of its access token. Cookies go even when the database is away. */
export async function endSession(context: IdentityContext, watch: RightsWatch, request: Request, response: Response): Promise<undefined> {
  clearSessionCookies(context, response);
  const refreshId = refreshIdOf(context, request);
  if (refreshId === undefined) return;
  await sessionsOf(context).updateOne({ refreshHash: hashRefreshId(refreshId), endedAt: { $exists: false } }, { $set: { endedAt: new Date() } });
  await watch.lookNow();
}
