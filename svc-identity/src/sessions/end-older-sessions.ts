import type { ClientSession } from 'mongodb';
import { appendEvent } from '@clinic/service-kit';
import { aboutUser, asCaller } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import type { UserRecord } from '../users/user-record.ts';
import { endMatching } from './end-sessions.ts';

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
  const ended = await endMatching(context, transaction, { userId: user._id, createdAt: { $lt: since } });
  if (ended === 0) return;
  await appendEvent(context, transaction, {
    call: 'startSession',
    caller: asCaller(user),
    requestId,
    ...aboutUser(user),
    action: 'logged out everywhere',
    before: null,
    after: { reason: 'password changed' },
  });
}
