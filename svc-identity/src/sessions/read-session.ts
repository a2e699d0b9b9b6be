import type { Session } from '@clinic/contracts';
import type { SessionCaller } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { userOf } from '../users/user-record.ts';
import { sessionOnTheWire } from './session-answer.ts';
import { isOpen, sessionsOf, withRefreshId, type SessionRecord } from './session-record.ts';
import { rejectDisabled } from './sign-in-checks.ts';

/** The open session that a browser's refresh id belongs to, even if its access token has expired. */
export async function sessionOfBrowser(
  context: Pick<IdentityContext, 'db'>,
  refreshId: string | undefined,
  transaction?: ClientSession,
): Promise<SessionRecord | undefined> {
  if (refreshId === undefined) return undefined;
  const session = await sessionsOf(context).findOne(withRefreshId(refreshId), { session: transaction });
  return session && isOpen(session, new Date()) ? session : undefined;
}

/** The session's current user. @throws ProblemError unauthenticated if the user no longer exists */
export async function readSession(context: IdentityContext, caller: SessionCaller): Promise<Session> {
  const user = await userOf(context, caller);
  rejectDisabled(user);
  return sessionOnTheWire(context, user, new Date(caller.provenAt * 1_000), new Date(caller.expiresAt * 1_000));
}
