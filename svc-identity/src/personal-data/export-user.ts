import { exported, exportedEvents, exportedPerson, ProblemError, type ExportedThing, type ListAnswer, type SessionCaller } from '@clinic/service-kit';
import { sessionsOf } from '../sessions/session-record.ts';
import type { IdentityContext } from '../settings.ts';
import { userOnTheWire, usersOf, type UserRecord } from '../users/user-record.ts';

/**
 * What this service keeps about a person: the user, where they are signed in, and what happened to their access. Secrets
 * (hashes of refresh ids, the Firebase uid) are no part of it.
 *
 * @param email - lower case
 * @throws ProblemError not_found
 */
export async function exportUser(context: IdentityContext, email: string, caller: SessionCaller): Promise<ListAnswer<ExportedThing>> {
  const user = await usersOf(context).findOne({ email });
  if (!user) throw new ProblemError('not_found', { detail: 'There is no user with this e-mail.' });
  return exported(() => things(context, user, caller));
}

async function* things(context: IdentityContext, user: UserRecord, caller: SessionCaller): AsyncGenerator<ExportedThing> {
  const { _id, emailVerified, createdAt, lastSignInAt, email } = user;
  yield {
    kind: 'user',
    data: { ...userOnTheWire(user), emailVerified, createdAt: createdAt.toISOString(), ...(lastSignInAt && { lastSignInAt: lastSignInAt.toISOString() }) },
  };
  for await (const session of sessionsOf(context).find({ userId: _id }).sort({ createdAt: 1 })) {
    const { createdAt: since, lastUsedAt, expiresAt, endedAt } = session;
    yield { kind: 'session', data: { since: since.toISOString(), lastUsedAt: lastUsedAt.toISOString(), expiresAt: expiresAt.toISOString(), ...(endedAt && { endedAt: endedAt.toISOString() }) } };
  }
  yield* exportedEvents(context, exportedPerson(email, caller), ({ subject }) => subject === email);
}
