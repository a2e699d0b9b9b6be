import { ObjectId, type ClientSession } from 'mongodb';
import { appendEvent, ProblemError, type SessionCaller } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { requireAdmin } from '../users/admin-guard.ts';
import { usersOf } from '../users/user-record.ts';
import { sessionsOf } from './session-record.ts';

/**
 * Ends every session of a user, as part of a transaction. Their access tokens end with the incremented version.
 *
 * @param proofsFrom - proofs of identity from this instant on can open sessions again; older ones can't
 */
export async function endAllSessions(
  context: IdentityContext,
  session: ClientSession,
  userId: ObjectId,
  proofsFrom = new Date(),
): Promise<void> {
  const now = new Date();
  await sessionsOf(context).updateMany(
    { userId, endedAt: { $exists: false } },
    { $set: { endedAt: now, endedEverywhere: true } },
    { session },
  );
  await usersOf(context).updateOne(
    { _id: userId },
    { $set: { versionChangedAt: now, sessionsEndedAt: proofsFrom }, $inc: { version: 1 } },
    { session },
  );
}

/** Ends a user's sessions except the caller's, as part of a transaction. */
export async function endOtherSessions(
  context: IdentityContext,
  session: ClientSession,
  userId: ObjectId,
  current: ObjectId,
): Promise<void> {
  await sessionsOf(context).updateMany(
    { userId, _id: { $ne: current }, endedAt: { $exists: false } },
    { $set: { endedAt: new Date(), endedEverywhere: true } },
    { session },
  );
}

export interface GlobalLogout {
  /** Whose sessions to end; lower case. */
  readonly email: string;
  readonly caller: SessionCaller;
  readonly requestId: string;
}

/**
 * Logs a user out on all devices.
 *
 * @throws ProblemError not_found, or session_stale if the caller is neither that user nor any longer an admin
 */
export async function endSessions(context: IdentityContext, { email, caller, requestId }: GlobalLogout): Promise<void> {
  await context.inTransaction(async (session) => {
    const user = await usersOf(context).findOne({ email }, { session });
    if (!user) throw new ProblemError('not_found', { detail: 'There’s no user with this email address.' });
    if (!user._id.equals(new ObjectId(caller.id))) await requireAdmin(context, session, caller);
    await endAllSessions(context, session, user._id);
    await appendEvent(context, session, {
      call: 'endSessions',
      caller,
      requestId,
      record: { type: 'user', id: user._id.toHexString() },
      subject: email,
      action: 'logged out everywhere',
      before: null,
      after: {},
    });
  });
}
