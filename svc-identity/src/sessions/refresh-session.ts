import type { Session } from '@clinic/contracts';
import { isErasedEmail } from '@clinic/contracts/erased-person';
import { appendEvent, ProblemError } from '@clinic/service-kit';
import { aboutUser } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';
import type { CallingBrowser } from './calling-browser.ts';
import { rotateRefreshId, type Rotation } from './rotate-refresh-id.ts';
import { answerSession } from './session-answer.ts';
import { idleEnd, isOpen, sessionsOf, type SessionRecord } from './session-record.ts';
import { rejectDisabled } from './sign-in-checks.ts';
import type { SigningKey } from './signing-key.ts';

/** Milliseconds after the end of a session within which a sign-in of the same browser may have replaced it. */
const maybeReplacedFor = 30_000;

/** Milliseconds during which repeated use of a session isn't recorded. */
const useNotedEvery = 60_000;

/**
 * Issues a new access token and a new refresh id for the refresh cookie.
 *
 * @throws ProblemError if the session has ended, which clears its cookies unless they may be those of a newer one:
 *   account_disabled, session_ended after a log-out everywhere or if its refresh id was reused, otherwise
 *   unauthenticated
 */
export async function refreshSession(
  context: IdentityContext,
  key: SigningKey,
  browser: CallingBrowser,
  requestId: string,
): Promise<Session> {
  const { refreshId } = browser;
  const rotation: Rotation = refreshId === undefined ? { kind: 'unknown' } : await rotateRefreshId(context, refreshId);
  if (rotation.kind === 'reused') await endReusedSession(context, rotation.session, requestId);
  const session = rotation.kind === 'unknown' ? undefined : rotation.session;
  const user = session && (await usersOf(context).findOne({ _id: session.userId }));
  const now = new Date();
  if (rotation.kind !== 'current' || !session || !isOpen(session, now) || !user || user.disabled) {
    if (!session || !mayBeReplaced(session, user?.disabled === true, now)) browser.forgetSession();
    // Whose account was given up is logged out: there is nothing that the clinic could switch on again.
    if (user && !isErasedEmail(user.email)) rejectDisabled(user);
    throw new ProblemError(
      session?.endedEverywhere || rotation.kind === 'reused' ? 'session_ended' : 'unauthenticated',
    );
  }
  if (now.getTime() - session.lastUsedAt.getTime() > useNotedEvery) {
    await sessionsOf(context).updateOne(
      { _id: session._id },
      { $set: { lastUsedAt: now, idleUntil: idleEnd(context, now, session.expiresAt) } },
    );
  }
  return answerSession(context, key, { user, session, refreshId: rotation.refreshId }, browser);
}

/**
 * Whether the browser may have signed in again, so that its cookies are the new session's. A password change or
 * confirmation ends the old session before the new one is opened, and open pages learn of that at once: in between, the
 * two can't be distinguished. A switched-off account opens no new session.
 */
function mayBeReplaced({ replaced, endedAt }: SessionRecord, disabled: boolean, now: Date): boolean {
  if (replaced === true) return true;
  return !disabled && endedAt !== undefined && now.getTime() - endedAt.getTime() < maybeReplacedFor;
}

/** Two browsers use one session, and we can't tell which is the owner's, so it ends for both. */
async function endReusedSession(
  context: IdentityContext,
  { _id, userId }: SessionRecord,
  requestId: string,
): Promise<void> {
  await context.inTransaction(async (transaction) => {
    const ended = await sessionsOf(context).findOneAndUpdate(
      { _id, endedAt: { $exists: false } },
      { $set: { endedAt: new Date(), endedEverywhere: true } },
      { session: transaction },
    );
    const user = ended && (await usersOf(context).findOne({ _id: userId }, { session: transaction }));
    if (!user) return;
    await appendEvent(context, transaction, {
      call: 'refreshSession',
      caller: undefined,
      requestId,
      ...aboutUser(user),
      action: 'refresh id reused',
      before: null,
      after: { session: _id.toHexString() },
    });
  });
}
