import { ObjectId, type ClientSession, type Collection, type Db } from 'mongodb';
import { isStaff, type Right, type Role, type SessionUser, type User } from '@clinic/contracts';
import type { StaffProfile } from '@clinic/contracts/schemas/person';
import { searchKey } from '@clinic/contracts/search-key';
import {
  assertSeenAccount,
  derivedFields,
  internationalPhone,
  ownedBy,
  phoneWords,
  ProblemError,
  searchParts,
  type Country,
  type IndexPlan,
  type SessionCaller,
} from '@clinic/service-kit';

/** A user in the database. Firebase has the password. */
export interface UserRecord {
  readonly _id: ObjectId;
  /** Lower case, unique. */
  readonly email: string;
  /** The Firebase account; absent until the first sign-in. */
  readonly uid?: string;
  readonly firstName: string;
  readonly lastName: string;
  /** As typed. */
  readonly phone: string;
  /** In international form (E.164); empty: not a whole number; absent: written by the previous release. */
  readonly phoneE164?: string;
  /** 'yyyy-mm-dd', or empty until the person registers. */
  readonly dateOfBirth: string;
  /** Postal address; absent until entered. */
  readonly address?: string;
  /** The assigned role. The role in effect is {@link actingRole}. */
  readonly role: Role;
  /** What an admin lets them do beside the role; absent without any. Those in effect are {@link actingRights}. */
  readonly rights?: readonly Right[];
  /** Has, or once had, a staff role or a right: other services get these accounts in the staff list. */
  readonly staff?: true;
  /** When an admin last changed the role or switched the account off: older invitations are void. */
  readonly roleDecidedAt?: Date;
  /** The person has shown that they can read the address's mail. Until then the address proves nothing. */
  readonly emailVerified: boolean;
  /** Name and phone were cleared, because they were entered before the address was confirmed; the person enters them again. */
  readonly profileNeeded?: boolean;
  /**
   * The last sign-in with a password came without the browser's statement that it has the length staff need; see
   * docs/identity.md. Absent: no sign-in with a password since this was introduced.
   */
  readonly passwordUnproven?: boolean;
  /** Providers linked to the Firebase account at the last sign-in, e.g. `google.com`; absent: no sign-in since this was introduced. */
  readonly linkedProviders?: readonly string[];
  /**
   * Devices on which they have signed in, e.g. `Chrome on Android`; absent before the first sign-in that was
   * remembered.
   */
  readonly knownDevices?: readonly string[];
  /** Sign-in requires codes of an authenticator app. */
  readonly secondFactor?: SecondFactor;
  /** A second factor being set up: takes effect once a code has been confirmed. `secret` is encrypted. */
  readonly secondFactorDraft?: { readonly secret: string; readonly since: Date };
  /** The profile from an invitation to this role; other services create theirs from it. */
  readonly staffProfile?: StaffProfile & { readonly role: Role };
  /** Whether POST /users provided the profile; a sign-in alone creates a user without one. */
  readonly registered: boolean;
  /** Switched off by an admin: the person is locked out. */
  readonly disabled?: boolean;
  /** When the person's deletion began; it can't be undone. */
  readonly erasingSince?: Date;
  /** When the person was logged out everywhere: older proofs of identity open no new session. */
  readonly sessionsEndedAt?: Date;
  /** Incremented whenever rights change; session tokens of an older version are rejected. */
  readonly version: number;
  /** When `version` was last incremented; absent if never. */
  readonly versionChangedAt?: Date;
  readonly createdAt: Date;
  readonly lastSignInAt?: Date;
  /** Search key of the name, for sorting. */
  readonly sortName: string;
  /** Search keys that find the user by their beginnings: words, and every part of the words of the name. */
  readonly words: readonly string[];
  /** The first letter of each word, and the first two. Too many users have any of these to be sorted, so an index has them by name. */
  readonly letters: readonly string[];
}

/** An authenticator app (TOTP, RFC 6238) that has been set up. */
interface SecondFactor {
  /** Base32, encrypted; see second-factor/secret-box.ts. */
  readonly secret: string;
  readonly since: Date;
  /** The last time step with a used code: a code works once. */
  readonly lastStep: number;
  /** Salted hashes of the remaining recovery codes; see second-factor/recovery-codes.ts. */
  readonly recoverySalt: string;
  readonly recoveryHashes: readonly string[];
  /**
   * The code spent last: its time step or hash, and the hash of the idempotency key under which it may be sent again, or
   * 'set-up' if it set this up.
   */
  readonly lastSpent?: { readonly what: string; readonly key: string; readonly at: Date };
  /** Hashes of the ids of browsers that have passed it, latest last; see second-factor/known-devices.ts. */
  readonly devices?: readonly string[];
}

/** The profile that a person enters about themselves. */
export type Profile = Pick<UserRecord, 'firstName' | 'lastName' | 'phone' | 'phoneE164' | 'dateOfBirth'>;

export const userIndexes: IndexPlan = {
  users: [
    { key: { email: 1 }, name: 'email', unique: true },
    { key: { uid: 1 }, name: 'firebase_account', unique: true, partialFilterExpression: { uid: { $exists: true } } },
    { key: { versionChangedAt: 1 }, name: 'changed_rights' },
    { key: { sortName: 1, _id: 1 }, name: 'by_name' },
    { key: { email: 1, _id: 1 }, name: 'by_email' },
    { key: { role: 1, sortName: 1, _id: 1 }, name: 'by_role' },
    { key: { createdAt: -1, _id: -1 }, name: 'newest' },
    { key: { words: 1 }, name: 'search' },
    { key: { dateOfBirth: 1, sortName: 1, _id: 1 }, name: 'search_birth' },
    { key: { letters: 1, sortName: 1, _id: 1 }, name: 'search_letter' },
    { key: { staff: 1 }, name: 'staff', partialFilterExpression: { staff: true } },
    {
      key: { 'secondFactor.secret': 1 },
      name: 'second_factor_key',
      partialFilterExpression: { 'secondFactor.secret': { $exists: true } },
    },
    {
      key: { erasingSince: 1 },
      name: 'being_deleted',
      partialFilterExpression: { erasingSince: { $exists: true } },
    },
  ],
};

export function usersOf({ db }: { readonly db: Db }): Collection<UserRecord> {
  return db.collection('users');
}

/** Fields that only searches and sorts read. */
type SearchField = 'sortName' | 'words' | 'letters';

/** The letters or digits that a word begins with: the first, and the first two. */
export function firstLetters(word: string): string[] {
  const [first = '', second] = word;
  return second === undefined ? [first] : [first, first + second];
}

/** Search fields derived from profile and email. */
export function searchFields(
  profile: Pick<Profile, 'firstName' | 'lastName' | 'phone' | 'phoneE164'>,
  email: string,
): Pick<UserRecord, SearchField> {
  const sortName = searchKey(`${profile.firstName} ${profile.lastName}`);
  const ofName = sortName.split(' ');
  const ofEmail = [email, ...email.split(/[@.]/)].map(searchKey);
  const ofPhone = phoneWords(profile.phone, profile.phoneE164);
  const words = [...ofName, ...ofEmail, ...ofPhone, ...searchParts(...ofName)].filter((word) => word !== '');
  return {
    sortName: sortName === '' ? email : sortName,
    words: [...new Set(words)],
    letters: [...new Set(words.flatMap(firstLetters))],
  };
}

/** What searches and sorts read, by the records it is derived from. @param country - of phone numbers without a country's code */
export const userSearchFields = (country: Country) => [
  derivedFields<UserRecord, 'firstName' | 'lastName' | 'phone' | 'email'>({
    recordType: 'user',
    collection: (db) => usersOf({ db }),
    from: ['firstName', 'lastName', 'phone', 'email'],
    derive: (user) => {
      const phoneE164 = internationalPhone(user.phone, country);
      return { phoneE164, ...searchFields({ ...user, phoneE164 }, user.email) };
    },
  }),
];

/** A user in the wire shape. */
export function userOnTheWire(user: Omit<UserRecord, 'words' | 'letters'>): User {
  const { firstName, lastName, email, phone, dateOfBirth, address, role, rights, disabled, emailVerified } = user;
  return ownedBy(
    { email, id: user._id.toHexString() },
    {
      _id: user._id.toHexString(),
      firstName,
      lastName,
      email,
      phone,
      dateOfBirth,
      ...(address !== undefined && { address }),
      role,
      ...(rights && { rights: [...rights] }),
      ...(disabled === true && { disabled }),
      ...(user.erasingSince && { erasing: true }),
      emailVerified,
      secondFactor: user.secondFactor !== undefined,
      createdAt: user.createdAt.toISOString(),
    },
  );
}

/** Requirements for a staff role to take effect. */
export interface StaffRules {
  readonly secondFactor: boolean;
  /** A password known to be long enough, if they have one. */
  readonly longPassword: boolean;
}

/** What the person must do before a staff role, or a right, takes effect; `undefined` if nothing. */
export function heldUntil(user: UserRecord, rules: StaffRules): 'email' | 'password' | 'second_factor' | undefined {
  const { emailVerified, secondFactor, passwordUnproven } = user;
  if (!isStaff(user)) return undefined;
  if (!emailVerified) return 'email';
  if (rules.longPassword && passwordUnproven) return 'password';
  return rules.secondFactor && !secondFactor ? 'second_factor' : undefined;
}

/** The role in effect: patient until all requirements of a staff role are met. */
export function actingRole(user: UserRecord, rules: StaffRules): Role {
  return heldUntil(user, rules) === undefined ? user.role : 'patient';
}

/** The rights in effect: none until all requirements of staff are met. */
export function actingRights(user: UserRecord, rules: StaffRules): readonly Right[] {
  return heldUntil(user, rules) === undefined ? (user.rights ?? []) : [];
}

/** A user as shown in their session. */
export function sessionUserOf(user: UserRecord, rules: StaffRules): SessionUser {
  const { email, firstName, lastName, role, emailVerified, profileNeeded, secondFactor, passwordUnproven } = user;
  const until = heldUntil(user, rules);
  const rights = actingRights(user, rules);
  return {
    email,
    firstName,
    lastName,
    role: actingRole(user, rules),
    ...(rights.length > 0 && { rights: [...rights] }),
    emailVerified,
    ...(until !== undefined && { held: { role, until } }),
    ...(profileNeeded === true && { profileNeeded }),
    ...(secondFactor && { secondFactor: true }),
    ...(passwordUnproven && { passwordUnproven: true }),
  };
}

export const noSuchUser = (): ProblemError =>
  new ProblemError('not_found', { detail: 'There’s no user with this email address.' });

/** @param email - lower case. @throws ProblemError not_found */
export async function userWith(
  context: { readonly db: Db },
  email: string,
  session?: ClientSession,
): Promise<UserRecord> {
  const user = await usersOf(context).findOne({ email }, { session });
  if (!user) throw noSuchUser();
  return user;
}

/** Whom an action names: whoever has the address, lower case, if that is still the account that the caller saw. */
export interface NamedAccount {
  readonly email: string;
  readonly userId?: string | undefined;
}

/**
 * The user whom an action names, in its transaction if it has one.
 *
 * @throws ProblemError not_found; changed_meanwhile if the address is another account's than the caller saw
 */
export async function namedUser(
  context: { readonly db: Db },
  { email, userId }: NamedAccount,
  session?: ClientSession,
): Promise<UserRecord> {
  const user = await userWith(context, email, session);
  assertSeenAccount(email, user._id.toHexString(), userId);
  return user;
}

/** The user of a session. @throws ProblemError unauthenticated if they no longer exist */
export async function userOf(context: { readonly db: Db }, { id }: Pick<SessionCaller, 'id'>): Promise<UserRecord> {
  const user = await usersOf(context).findOne({ _id: new ObjectId(id) });
  if (!user) throw new ProblemError('unauthenticated');
  return user;
}

/** Id of the user with that email address, lower case; `undefined` if there is none. */
export async function userIdOf(context: { readonly db: Db }, email: string): Promise<string | undefined> {
  const user = await usersOf(context).findOne({ email }, { projection: { _id: 1 } });
  return user?._id.toHexString();
}
