import type { Session } from '@clinic/contracts';
import type { SessionCaller } from '@clinic/service-kit';
import type { Request } from 'express';
import type { ObjectId } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { userOf } from '../users/user-record.ts';
import { sessionOnTheWire } from './session-answer.ts';
import { refreshIdOf } from './session-cookies.ts';
import { isOpen, sessionsOf, withRefreshId } from './session-record.ts';
import { rejectDisabled } from './sign-in-checks.ts';

/** The user of the browser's open session, even if its access token has expired. */
export async function userOfBrowser(context: IdentityContext, request: Request): Promise<ObjectId | undefined> {
  const refreshId = refreshIdOf(context, request);
  if (refreshId === undefined) return undefined;
  const session = await sessionsOf(context).findOne(withRefreshId(refreshId));
  return session && isOpen(session, new Date()) ? session.userId : undefined;
}

/** The session's current user. @throws ProblemError unauthenticated if the user no longer exists */
export async function readSession(context: IdentityContext, caller: SessionCaller): Promise<Session> {
  const user = await userOf(context, caller);
  rejectDisabled(user);
  return sessionOnTheWire(context, user, new Date(caller.provenAt * 1_000), new Date(caller.expiresAt * 1_000));
}
