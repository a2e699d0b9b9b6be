import { erasedEmail } from '@clinic/contracts/erased-person';
import { appendEvent } from '@clinic/service-kit';
import type { ClientSession } from 'mongodb';
import { aboutUser, type Actor } from '../access/access-events.ts';
import { revokeInvitationsOf } from '../invitations/revoke-invitations.ts';
import { deletionsOf } from '../personal-data/deletion-record.ts';
import { endAllSessions } from '../sessions/end-sessions.ts';
import type { IdentityContext } from '../settings.ts';
import { searchFields, usersOf, type UserRecord } from './user-record.ts';

/**
 * Takes address and Firebase account away from an account whose owner never proved the address, locks it for good, and
 * marks it for deletion, in the transaction that gives the address to somebody else. The incremented version notifies
 * all services.
 */
export async function giveUpAccount(
  context: IdentityContext,
  session: ClientSession,
  user: UserRecord,
  by: Actor & { readonly call: 'startSession' | 'registerUser' },
): Promise<void> {
  const email = erasedEmail(user._id.toHexString());
  const now = new Date();
  await usersOf(context).updateOne(
    { _id: user._id },
    {
      $set: {
        email,
        role: 'patient',
        disabled: true,
        erasingSince: now,
        ...searchFields(user, email),
      },
      $unset: { uid: 1, rights: 1, secondFactor: 1, secondFactorDraft: 1, staffProfile: 1 },
    },
    { session },
  );
  await endAllSessions(context, session, user._id);
  await revokeInvitationsOf(context, session, user._id, by);
  await deletionsOf(context).updateOne(
    { _id: user._id },
    { $setOnInsert: { startedAt: now, requestId: by.requestId, services: {} } },
    { upsert: true, session },
  );
  const about = aboutUser({ _id: user._id, email });
  // The deletion takes the address out of everything about this account up to now, and out of this event.
  await appendEvent(context, session, {
    ...by,
    ...about,
    at: now,
    concerns: [user.email],
    action: 'e-mail changed',
    before: { email: user.email },
    after: { email },
  });
  // Without the address: it belongs to somebody else.
  await appendEvent(context, session, {
    ...by,
    ...about,
    at: now,
    action: 'deletion started',
    before: { disabled: user.disabled === true },
    after: { disabled: true, reason: 'address proved by somebody else' },
  });
}
