import { ObjectId, type ClientSession, type Filter } from 'mongodb';
import { appendEvent } from '@clinic/service-kit';
import { noteAccount } from '../account-feed/account-feed.ts';
import { aboutUser, type By } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { requireAdmin } from '../users/admin-guard.ts';
import { withNewVersion } from '../users/new-version.ts';
import { type NamedAccount, namedUser, usersOf } from '../users/user-record.ts';
import { sessionsOf, type SessionRecord } from './session-record.ts';

/**
 * Ends every session of a user, as part of a transaction, after its other writes to the user. Their access tokens end
 * with the incremented version.
 *
 * @param proofsFrom - proofs of identity from this instant on can open sessions again; older ones can't
 */
export async function endAllSessions(
  context: IdentityContext,
  session: ClientSession,
  userId: ObjectId,
  proofsFrom = new Date(),
): Promise<void> {
  await endMatching(context, session, { userId });
  await usersOf(context).updateOne({ _id: userId }, withNewVersion({ $set: { sessionsEndedAt: proofsFrom } }), {
    session,
  });
  await noteAccount(context, session, userId);
}

/** Ends a user's sessions except the caller's, as part of a transaction. */
export async function endOtherSessions(
  context: IdentityContext,
  session: ClientSession,
  userId: ObjectId,
  current: ObjectId,
): Promise<void> {
  await endMatching(context, session, { userId, _id: { $ne: current } });
}

/** Ends the open sessions that match, as part of a transaction. @returns how many */
export async function endMatching(
  context: IdentityContext,
  session: ClientSession,
  filter: Filter<SessionRecord>,
): Promise<number> {
  const { modifiedCount } = await sessionsOf(context).updateMany(
    { ...filter, endedAt: { $exists: false } },
    { $set: { endedAt: new Date(), endedEverywhere: true } },
    { session },
  );
  return modifiedCount;
}

export interface GlobalLogout extends By, NamedAccount {}

/**
 * Logs a user out on all devices.
 *
 * @throws ProblemError not_found, changed_meanwhile, or session_stale if the caller is neither that user nor any longer an admin
 */
export async function endSessions(context: IdentityContext, { email, userId, ...by }: GlobalLogout): Promise<void> {
  await context.inTransaction(async (session) => {
    const user = await namedUser(context, { email, userId }, session);
    if (!user._id.equals(new ObjectId(by.caller.id))) await requireAdmin(context, session, by.caller);
    await endAllSessions(context, session, user._id);
    await appendEvent(context, session, {
      call: 'endSessions',
      ...by,
      ...aboutUser(user),
      action: 'logged out everywhere',
      before: null,
      after: {},
    });
  });
}
