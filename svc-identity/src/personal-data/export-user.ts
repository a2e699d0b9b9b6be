import { exported, exportedEvents, exportedLooks, type AccountHolder, type ExportedThing } from '@clinic/service-kit';
import { accountFeedOf } from '../account-feed/account-feed-record.ts';
import { invitationsOf, stateOf } from '../invitations/invitation-record.ts';
import { identityRecords } from './personal-records.ts';
import { provenAtOf, sessionsOf } from '../sessions/session-record.ts';
import type { IdentityContext } from '../settings.ts';
import { personOf } from '../users/held-addresses.ts';
import { userOnTheWire, type UserRecord } from '../users/user-record.ts';

/**
 * This service's data about a person: the user, their sessions, and their access events. Secrets (hashes of refresh ids, the
 * Firebase uid) aren't included.
 */
export const exportUser = (context: IdentityContext, user: UserRecord) => exported(() => things(context, user));

async function* things(context: IdentityContext, user: UserRecord): AsyncGenerator<ExportedThing> {
  const { _id } = user;
  const entry = await accountFeedOf(context).findOne({ _id: _id.toHexString() });
  yield { kind: 'user', data: { ...userData(user), formerEmails: entry?.former.length ? entry.former : undefined } };
  yield* sessions(context, _id);
  const person = await personOf(context, user);
  yield* invitations(context, person);
  const own = new Set(person.addresses.map(({ email }) => email));
  yield* exportedEvents(
    context,
    person,
    ({ record, subject }) => record.id === person.id || (subject !== undefined && own.has(subject)),
  );
  yield* exportedLooks(context, person);
}

/** As JSON, which leaves out what is undefined. */
function userData(user: UserRecord): ExportedThing['data'] {
  const { registered, profileNeeded, passwordUnproven, linkedProviders, knownDevices, staffProfile } = user;
  return {
    ...userOnTheWire(user),
    phoneE164: user.phoneE164 || undefined,
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

async function* invitations(context: IdentityContext, person: AccountHolder): AsyncGenerator<ExportedThing> {
  const to = { $or: identityRecords.invitations.whose.invited(person) };
  for await (const invitation of invitationsOf(context).find(to).sort({ invitedAt: 1 })) {
    const { role, profile, invitedAt, expiresAt } = invitation;
    yield { kind: 'invitation', data: { role, state: stateOf(invitation), invitedAt, expiresAt, profile } };
  }
}
