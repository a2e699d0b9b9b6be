import type { Session } from '@clinic/contracts';
import { ProblemError, type SessionCaller } from '@clinic/service-kit';
import type { Request } from 'express';
import { ObjectId } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';
import { sessionOnTheWire } from './session-answer.ts';
import { refreshIdOf } from './session-cookies.ts';
import { hashRefreshId, isOpen, sessionsOf } from './session-record.ts';
import { rejectDisabled } from './sign-in-checks.ts';

/** The user of the browser's open session, even if its access token has expired. */
export async function userOfBrowser(context: IdentityContext, request: Request): Promise<ObjectId | undefined> {
  const refreshId = refreshIdOf(context, request);
  if (refreshId === undefined) return undefined;
  const hash = hashRefreshId(refreshId);
  const session = await sessionsOf(context).findOne({ $or: [{ refreshHash: hash }, { nextHash: hash }] });
  return session && isOpen(session, new Date()) ? session.userId : undefined;
}

/** The session's current user. @throws ProblemError unauthenticated if the user no longer exists */
export async function readSession(context: IdentityContext, caller: SessionCaller): Promise<Session> {
  const user = await usersOf(context).findOne({ _id: new ObjectId(caller.id) });
  if (!user) throw new ProblemError('unauthenticated');
  rejectDisabled(user);
  return sessionOnTheWire(context, user, new Date(caller.provenAt * 1_000), new Date(caller.expiresAt * 1_000));
}
