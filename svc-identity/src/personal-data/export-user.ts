import {
  exported,
  exportedEvents,
  exportedLooks,
  exportedPerson,
  type ExportedThing,
  type ListAnswer,
  type SessionCaller,
} from '@clinic/service-kit';
import { invitationsOf, stateOf } from '../invitations/invitation-record.ts';
import { provenAtOf, sessionsOf } from '../sessions/session-record.ts';
import type { IdentityContext } from '../settings.ts';
import { userOnTheWire, userWith, type UserRecord } from '../users/user-record.ts';

/**
 * This service's data about a person: the user, their sessions, and their access events. Secrets (hashes of refresh ids, the
 * Firebase uid) aren't included.
 *
 * @param email - lower case
 * @throws ProblemError not_found
 */
export async function exportUser(
  context: IdentityContext,
  email: string,
  caller: SessionCaller,
): Promise<ListAnswer<ExportedThing>> {
  const user = await userWith(context, email);
  return exported(() => things(context, user, caller));
}

async function* things(
  context: IdentityContext,
  user: UserRecord,
  caller: SessionCaller,
): AsyncGenerator<ExportedThing> {
  const { _id, email } = user;
  yield { kind: 'user', data: userData(user) };
  yield* sessions(context, _id);
  const person = exportedPerson(email, caller);
  // Somebody who only typed the address isn't the person who was invited.
  if (person.byEmail) yield* invitations(context, email);
  yield* exportedEvents(context, person, ({ subject }) => subject === email);
  yield* exportedLooks(context, { ...person, id: _id.toHexString() });
}

/** As JSON, which leaves out what is undefined. */
function userData(user: UserRecord): ExportedThing['data'] {
  const { registered, profileNeeded, passwordUnproven, linkedProviders, knownDevices, staffProfile } = user;
  return {
    ...userOnTheWire(user),
    registered,
    profileNeeded,
    passwordUnproven,
    linkedProviders,
    knownDevices,
    sessionsEndedAt: user.sessionsEndedAt?.toISOString(),
    lastSignInAt: user.lastSignInAt?.toISOString(),
    staffProfile,
  };
}

async function* sessions(context: IdentityContext, userId: UserRecord['_id']): AsyncGenerator<ExportedThing> {
  for await (const session of sessionsOf(context).find({ userId }).sort({ createdAt: 1 })) {
    const { createdAt, lastUsedAt, expiresAt, endedAt, userAgent, address, replaced, endedEverywhere } = session;
    const times = { since: createdAt, lastUsedAt, expiresAt, provenAt: provenAtOf(session), endedAt };
    yield { kind: 'session', data: { ...times, replaced, endedEverywhere, userAgent, address } };
  }
}

async function* invitations(context: IdentityContext, email: string): AsyncGenerator<ExportedThing> {
  for await (const invitation of invitationsOf(context).find({ email }).sort({ invitedAt: 1 })) {
    const { role, profile, invitedAt, expiresAt } = invitation;
    yield { kind: 'invitation', data: { role, state: stateOf(invitation), invitedAt, expiresAt, profile } };
  }
}
