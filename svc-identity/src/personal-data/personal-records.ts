import {
  dateWithin,
  internal,
  provenAddresses,
  type CopyRules,
  type DeletionRules,
  type PersonalRecords,
} from '@clinic/service-kit';
import { ObjectId, type Collection } from 'mongodb';
import type { AccountFeedRecord } from '../account-feed/account-feed-record.ts';
import type { InvitationRecord } from '../invitations/invitation-record.ts';
import type { SessionRecord } from '../sessions/session-record.ts';
import type { UserRecord } from '../users/user-record.ts';

/**
 * The collections with data about people. Those with hashes and counts alone: `counts`, `erased`, `gateways`, `guards`,
 * `releaseFigures`, `userTallies`; and `deployments`, which has the id of the admin who decided last.
 */
interface IdentityCollections {
  readonly users: Collection<UserRecord>;
  readonly sessions: Collection<SessionRecord>;
  readonly invitations: Collection<InvitationRecord>;
  readonly accountFeed: Collection<AccountFeedRecord>;
}

const secret = internal('a secret, or a hash of one');
const forSearch = internal('derived from other fields, for searching and sorting');

/** The user itself is deleted; these rules are for its history. */
export const userDeleted: DeletionRules<UserRecord> = {
  _id: 'kept',
  email: 'emptied',
  uid: 'removed',
  firstName: 'emptied',
  lastName: 'emptied',
  phone: 'emptied',
  phoneE164: 'removed',
  dateOfBirth: 'emptied',
  address: 'removed',
  role: 'kept',
  rights: 'kept',
  staff: 'kept',
  roleDecidedAt: 'kept',
  emailVerified: 'kept',
  profileNeeded: 'kept',
  passwordUnproven: 'kept',
  linkedProviders: 'kept',
  knownDevices: 'removed',
  secondFactor: 'removed',
  secondFactorDraft: 'removed',
  staffProfile: 'removed',
  registered: 'kept',
  disabled: 'kept',
  erasingSince: 'kept',
  sessionsEndedAt: 'kept',
  version: 'kept',
  versionChangedAt: 'kept',
  createdAt: 'kept',
  lastSignInAt: 'kept',
  sortName: 'emptied',
  words: 'emptied',
  letters: 'emptied',
};

export const userInCopy: CopyRules<UserRecord> = {
  _id: '_id',
  email: 'email',
  uid: internal('the id of the account at Firebase; proves who somebody is'),
  firstName: 'firstName',
  lastName: 'lastName',
  phone: 'phone',
  phoneE164: 'phoneE164',
  dateOfBirth: 'dateOfBirth',
  address: 'address',
  role: 'role',
  rights: 'rights',
  staff: internal('included in role and staffProfile'),
  roleDecidedAt: internal('in the history, as a change of the role or of access'),
  emailVerified: 'emailVerified',
  profileNeeded: 'profileNeeded',
  passwordUnproven: 'passwordUnproven',
  linkedProviders: 'linkedProviders',
  knownDevices: 'knownDevices',
  // Only whether there is one, not its secret.
  secondFactor: 'secondFactor',
  secondFactorDraft: secret,
  staffProfile: 'staffProfile',
  registered: 'registered',
  disabled: 'disabled',
  erasingSince: 'erasing',
  sessionsEndedAt: 'sessionsEndedAt',
  version: internal('a counter that ends outdated sessions'),
  versionChangedAt: internal('a counter that ends outdated sessions'),
  createdAt: 'createdAt',
  lastSignInAt: 'lastSignInAt',
  sortName: forSearch,
  words: forSearch,
  letters: forSearch,
};

/** Ended sessions are deleted after ENDED_SESSIONS_KEPT_DAYS; until then they don't identify the person. */
export const sessionOwnerDeleted: DeletionRules<SessionRecord> = {
  _id: 'kept',
  userId: 'kept',
  refreshHash: 'kept',
  nextHash: 'kept',
  nextIssuedAt: 'kept',
  spentHashes: 'kept',
  rotatedAt: 'kept',
  createdAt: 'kept',
  lastUsedAt: 'kept',
  expiresAt: 'kept',
  idleUntil: 'kept',
  provenAt: 'kept',
  userAgent: 'removed',
  address: 'removed',
  endedAt: 'kept',
  replaced: 'kept',
  endedEverywhere: 'kept',
};

export const sessionInCopy: CopyRules<SessionRecord> = {
  _id: internal('part of the session’s tokens'),
  userId: internal('the user’s _id'),
  refreshHash: secret,
  nextHash: secret,
  nextIssuedAt: internal('when a secret was replaced'),
  spentHashes: secret,
  rotatedAt: internal('when a secret was replaced'),
  createdAt: 'since',
  lastUsedAt: 'lastUsedAt',
  expiresAt: 'expiresAt',
  idleUntil: internal('lastUsedAt and the limit for idle sessions'),
  provenAt: 'provenAt',
  userAgent: 'userAgent',
  address: 'address',
  endedAt: 'endedAt',
  replaced: 'replaced',
  endedEverywhere: 'endedEverywhere',
};

/** Deleting the admin who invited somebody. Invitations to a deleted person are deleted. */
export const inviterDeleted: DeletionRules<InvitationRecord> = {
  _id: 'kept',
  email: 'kept',
  role: 'kept',
  profile: {
    name: 'kept',
    qualification: 'kept',
    specialization: 'kept',
    experience: 'kept',
    location: 'kept',
    availableTimes: 'kept',
  },
  tokenHash: 'kept',
  state: 'kept',
  invitedAt: 'kept',
  expiresAt: 'kept',
  invitedBy: { id: 'kept', email: 'emptied' },
  acceptedBy: 'kept',
};

export const invitationInCopy: CopyRules<InvitationRecord> = {
  _id: internal('nobody refers to it'),
  email: internal('the user’s email'),
  role: 'role',
  profile: 'profile',
  tokenHash: secret,
  state: 'state',
  invitedAt: 'invitedAt',
  expiresAt: 'expiresAt',
  invitedBy: internal('about another person'),
  acceptedBy: internal('the user’s _id'),
};

/** A deleted account stays in the feed, without addresses, so that every service learns of its deletion. */
const feedEntryDeleted: DeletionRules<AccountFeedRecord> = {
  _id: 'kept',
  seq: 'kept',
  version: 'kept',
  email: 'removed',
  former: 'emptied',
  held: 'emptied',
  active: 'kept',
  role: 'kept',
  staff: 'removed',
  sessionsEndedAt: 'removed',
  erasing: 'kept',
};

const feedEntryInCopy: CopyRules<AccountFeedRecord> = {
  _id: internal('the user’s _id'),
  seq: internal('a position'),
  version: internal('a count of changes'),
  email: internal('the user’s email'),
  former: 'formerEmails',
  held: internal('formerEmails; the history has the times'),
  active: internal('the user’s disabled'),
  role: internal('the user’s role'),
  staff: internal('the history has the roles they had'),
  sessionsEndedAt: internal('the user’s sessionsEndedAt'),
  erasing: internal('the user’s erasing'),
};

/** What a deletion and a copy of one's data do with each collection about people of this service. */
export const identityRecords = {
  users: {
    whose: { person: ({ id }) => (id === undefined ? [] : [{ _id: new ObjectId(id) }]) },
    whenDeleted: { person: userDeleted },
    inCopy: userInCopy,
  },
  sessions: {
    whose: { owner: ({ id }) => (id === undefined ? [] : [{ userId: new ObjectId(id) }]) },
    whenDeleted: { owner: sessionOwnerDeleted },
    inCopy: sessionInCopy,
  },
  invitations: {
    whose: {
      // Somebody who only typed the address isn't the person who was invited.
      invited: (person) => [
        ...(person.id === undefined ? [] : [{ acceptedBy: person.id }]),
        ...provenAddresses(person).map((address) => ({ email: address.email, ...dateWithin('invitedAt', address) })),
      ],
      inviter: ({ id }) => (id === undefined ? [] : [{ 'invitedBy.id': id }]),
    },
    whenDeleted: { inviter: inviterDeleted },
    inCopy: invitationInCopy,
  },
  accountFeed: {
    whose: { person: ({ id }) => (id === undefined ? [] : [{ _id: id }]) },
    whenDeleted: { person: feedEntryDeleted },
    inCopy: feedEntryInCopy,
  },
} satisfies PersonalRecords<IdentityCollections>;
