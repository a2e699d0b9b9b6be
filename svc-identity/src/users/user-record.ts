import type { Collection, Db, ObjectId } from 'mongodb';
import type { Role, SessionUser, StaffProfile, User } from '@clinic/contracts';
import { searchKey } from '@clinic/contracts/search-key';
import type { IndexPlan } from '@clinic/service-kit';

/** A user as the database keeps them. There is no password: Firebase has it. */
export interface UserRecord {
  readonly _id: ObjectId;
  /** Lower case, unique. */
  readonly email: string;
  /** The Firebase account; absent until the person first signs in. */
  readonly uid?: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  /** 'yyyy-mm-dd', or empty until the person registers. */
  readonly dateOfBirth: string;
  /** Postal address; absent until the person gives it. */
  readonly address?: string;
  /** The role that was given. What the person may act as now is {@link actingRole}. */
  readonly role: Role;
  /** Has, or once had, a staff role: other services are told about these accounts. */
  readonly staff?: true;
  /** The person has shown that they read the mail of the address. Until then it proves nothing. */
  readonly emailVerified: boolean;
  /** Name and telephone were emptied, as whoever gave them hadn't shown that the address is theirs; they are asked again. */
  readonly profileNeeded?: boolean;
  /**
   * The last sign-in with a password came without the browser's word that it has as many characters as staff need; see
   * docs/identity.md. Absent: nobody has signed in with a password since this is kept.
   */
  readonly passwordUnproven?: boolean;
  /** Codes of an authenticator app are asked at sign-in. */
  readonly secondFactor?: SecondFactor;
  /** A second factor that is being set up: it counts once a code of it was confirmed. `secret` is sealed. */
  readonly secondFactorDraft?: { readonly secret: string; readonly since: Date };
  /** The profile that an invitation to this role said; other services make theirs of it. */
  readonly staffProfile?: StaffProfile & { readonly role: Role };
  /** Whether POST /users gave the profile; a sign-in alone makes a user without one. */
  readonly registered: boolean;
  /** Switched off by an admin: the person is locked out. */
  readonly disabled?: boolean;
  /** An admin has begun to delete the person then; there is no way back. */
  readonly erasingSince?: Date;
  /** Logged out everywhere then: an older proof of who they are opens no new session. */
  readonly sessionsEndedAt?: Date;
  /** Raised whenever rights change; session tokens of an older version are refused. */
  readonly version: number;
  /** When `version` was raised last; absent when it never was. */
  readonly versionChangedAt?: Date;
  readonly createdAt: Date;
  readonly lastSignInAt?: Date;
  /** The name's search key, for sorting. */
  readonly sortName: string;
  /** Search keys of what a search finds the user by: beginnings of these words. */
  readonly words: readonly string[];
}

/** An authenticator app (TOTP, RFC 6238) that somebody has set up. */
export interface SecondFactor {
  /** Base32, sealed; see second-factor/secret-box.ts. */
  readonly secret: string;
  readonly since: Date;
  /** The last time step whose code was used: a code works once. */
  readonly lastStep: number;
  /** Salted hashes of the recovery codes that are left; see second-factor/recovery-codes.ts. */
  readonly recoverySalt: string;
  readonly recoveryHashes: readonly string[];
}

/** The profile that a person gives of themselves. */
export interface Profile {
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly dateOfBirth: string;
}

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
    { key: { staff: 1 }, name: 'staff', partialFilterExpression: { staff: true } },
  ],
};

export function usersOf({ db }: { readonly db: Db }): Collection<UserRecord> {
  return db.collection('users');
}

/** The fields that follow from profile and e-mail. */
export function searchFields(profile: Pick<Profile, 'firstName' | 'lastName' | 'phone'>, email: string): Pick<UserRecord, 'sortName' | 'words'> {
  const sortName = searchKey(`${profile.firstName} ${profile.lastName}`);
  const phone = digitsOf(profile.phone);
  const words = [...sortName.split(' '), email, ...email.split(/[@.]/), phone].filter((word) => word !== '');
  return { sortName: sortName === '' ? email : sortName, words: [...new Set(words)] };
}

/** A phone number as it is searched: digits only. */
export function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}

/** A user as the API shows them. */
export function userOnTheWire(user: UserRecord): User {
  const { _id, firstName, lastName, email, phone, dateOfBirth, address, role, disabled, erasingSince, emailVerified, secondFactor, createdAt } = user;
  return {
    _id: _id.toHexString(), firstName, lastName, email, phone, dateOfBirth, ...(address !== undefined && { address }), role,
    ...(disabled === true && { disabled }), ...(erasingSince && { erasing: true }),
    emailVerified, secondFactor: secondFactor !== undefined, createdAt: createdAt.toISOString(),
  };
}

/** What staff must have before their role counts. */
export interface StaffRules {
  readonly secondFactor: boolean;
  /** A password that is known to be long enough, if they have one. */
  readonly longPassword: boolean;
}

/** What the person has to do before a staff role counts; `undefined`: nothing. */
export function heldUntil({ role, emailVerified, secondFactor, passwordUnproven }: UserRecord, rules: StaffRules): 'email' | 'password' | 'second_factor' | undefined {
  if (role === 'patient') return undefined;
  if (!emailVerified) return 'email';
  if (rules.longPassword && passwordUnproven) return 'password';
  return rules.secondFactor && !secondFactor ? 'second_factor' : undefined;
}

/** What the person may act as now: a patient until nothing holds their staff role any more. */
export function actingRole(user: UserRecord, rules: StaffRules): Role {
  return heldUntil(user, rules) === undefined ? user.role : 'patient';
}

/** A user as their session tells. */
export function sessionUserOf(user: UserRecord, rules: StaffRules): SessionUser {
  const { email, firstName, lastName, role, emailVerified, profileNeeded, secondFactor, passwordUnproven } = user;
  const until = heldUntil(user, rules);
  return {
    email, firstName, lastName, role: actingRole(user, rules), emailVerified,
    ...(until !== undefined && { held: { role, until } }),
    ...(profileNeeded === true && { profileNeeded }),
    ...(secondFactor && { secondFactor: true }),
    ...(passwordUnproven && { passwordUnproven: true }),
  };
}
