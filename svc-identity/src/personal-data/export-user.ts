import {
  exported,
  exportedEvents,
  exportedLooks,
  exportedPerson,
  ProblemError,
  type ExportedThing,
  type ListAnswer,
  type SessionCaller,
} from '@clinic/service-kit';
import { invitationsOf, stateOf } from '../invitations/invitation-record.ts';
import { provenAtOf, sessionsOf } from '../sessions/session-record.ts';
import type { IdentityContext } from '../settings.ts';
import { userOnTheWire, usersOf, type UserRecord } from '../users/user-record.ts';

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
  const user = await usersOf(context).findOne({ email });
  if (!user) throw new ProblemError('not_found', { detail: 'There’s no user with this email address.' });
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

function userData(user: UserRecord): ExportedThing['data'] {
  const {
    emailVerified,
    profileNeeded,
    passwordUnproven,
    linkedProviders,
    knownDevices,
    registered,
    sessionsEndedAt,
    createdAt,
    lastSignInAt,
    staffProfile,
  } = user;
  return {
    ...userOnTheWire(user),
    emailVerified,
    registered,
    ...(profileNeeded !== undefined && { profileNeeded }),
    ...(passwordUnproven !== undefined && { passwordUnproven }),
    ...(linkedProviders && { linkedProviders }),
    ...(knownDevices && { knownDevices }),
    createdAt: createdAt.toISOString(),
    ...(sessionsEndedAt && { sessionsEndedAt: sessionsEndedAt.toISOString() }),
    ...(lastSignInAt && { lastSignInAt: lastSignInAt.toISOString() }),
    ...(staffProfile && { staffProfile }),
  };
}

async function* sessions(context: IdentityContext, userId: UserRecord['_id']): AsyncGenerator<ExportedThing> {
  for await (const session of sessionsOf(context).find({ userId }).sort({ createdAt: 1 })) {
    const { createdAt: since, lastUsedAt, expiresAt, endedAt, userAgent, address, replaced, endedEverywhere } = session;
    yield {
      kind: 'session',
      data: {
        since: since.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        provenAt: provenAtOf(session).toISOString(),
        ...(endedAt && { endedAt: endedAt.toISOString() }),
        ...(replaced !== undefined && { replaced }),
        ...(endedEverywhere !== undefined && { endedEverywhere }),
        ...(userAgent !== undefined && { userAgent }),
        ...(address !== undefined && { address }),
      },
    };
  }
}

async function* invitations(context: IdentityContext, email: string): AsyncGenerator<ExportedThing> {
  for await (const invitation of invitationsOf(context).find({ email }).sort({ invitedAt: 1 })) {
    const { role, profile, invitedAt, expiresAt } = invitation;
    yield {
      kind: 'invitation',
      data: {
        role,
        state: stateOf(invitation),
        invitedAt: invitedAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
        ...(profile && { profile }),
      },
    };
  }
}
