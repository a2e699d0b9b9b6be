import type { ClientSession } from 'mongodb';
import { appendEvent } from '@clinic/service-kit';
import { changedRecord } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import type { UserRecord } from '../users/user-record.ts';
import { sessionsOf } from './session-record.ts';

/**
 * Ends sessions opened before the password or address was changed at Firebase, as part of a sign-in: the browser that changed
 * it may not report it. Their access tokens end too.
 *
 * @param since - when it was changed
 */
export async function endOlderSessions(
  context: IdentityContext,
  transaction: ClientSession,
  user: UserRecord,
  since: Date,
  requestId: string,
): Promise<void> {
  const { _id, email, role } = user;
  const { modifiedCount } = await sessionsOf(context).updateMany(
    { userId: _id, createdAt: { $lt: since }, endedAt: { $exists: false } },
    { $set: { endedAt: new Date(), endedEverywhere: true } },
    { session: transaction },
  );
  if (modifiedCount === 0) return;
  const id = _id.toHexString();
  await appendEvent(context, transaction, {
    call: 'startSession',
    caller: { id, email, role },
    requestId,
    record: { type: changedRecord, id },
    subject: email,
    action: 'logged out everywhere',
    before: null,
    after: { reason: 'password changed' },
  });
}
