import { ObjectId } from 'mongodb';
import type { OpenSession } from '@clinic/contracts';
import { appendEvent, ProblemError, type SessionCaller } from '@clinic/service-kit';
import { changedRecord, type By } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { deviceName } from './device-name.ts';
import { isOpen, sessionsOf, type SessionRecord } from './session-record.ts';

/** Maximum number of sessions returned; somebody with more can end all of them at once. */
const mostReturned = 200;

/** Where the caller is logged in, most recently used first. */
export async function listSessions(context: IdentityContext, caller: SessionCaller): Promise<OpenSession[]> {
  const now = new Date();
  // A user has few open sessions, and ended ones are purged within minutes.
  const found = await sessionsOf(context)
    .find({ userId: new ObjectId(caller.id), endedAt: { $exists: false } })
    .sort({ lastUsedAt: -1, _id: -1 })
    .limit(mostReturned)
    .toArray();
  return found.filter((session) => isOpen(session, now)).map((session) => onTheWire(session, caller));
}

function onTheWire(
  { _id, createdAt, lastUsedAt, userAgent, address }: SessionRecord,
  { sessionId }: SessionCaller,
): OpenSession {
  const id = _id.toHexString();
  return {
    _id: id,
    current: id === sessionId,
    since: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    device: deviceName(userAgent),
    address: address ?? '',
  };
}

/**
 * Logs the caller out on one device; its access token ends everywhere within a second.
 *
 * @param id - of a session
 * @throws ProblemError not_found if it isn't an open session of theirs
 */
export async function endOneSession(context: IdentityContext, id: string, by: By): Promise<void> {
  const now = new Date();
  await context.inTransaction(async (transaction) => {
    const ended = await sessionsOf(context).findOneAndUpdate(
      {
        _id: new ObjectId(id),
        userId: new ObjectId(by.caller.id),
        endedAt: { $exists: false },
        expiresAt: { $gt: now },
        idleUntil: { $gt: now },
      },
      { $set: { endedAt: now } },
      { session: transaction },
    );
    if (!ended) throw new ProblemError('not_found', { detail: 'This session has already ended.' });
    await appendEvent(context, transaction, {
      call: 'endOneSession',
      ...by,
      record: { type: changedRecord, id: by.caller.id },
      subject: by.caller.email,
      action: 'session ended',
      before: null,
      after: { session: id.toLowerCase(), device: deviceName(ended.userAgent) },
    });
  });
}
