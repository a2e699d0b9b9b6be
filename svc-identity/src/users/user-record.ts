import type { Collection, Db, ObjectId } from 'mongodb';
import type { Role, SessionUser, User } from '@clinic/contracts';
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
  readonly role: Role;
  readonly emailVerified: boolean;
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
  /** Name in lower case, for sorting. */
  readonly sortName: string;
  /** What a search finds the user by: beginnings of these words. */
  readonly words: readonly string[];
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
  ],
};

export function usersOf({ db }: { readonly db: Db }): Collection<UserRecord> {
  return db.collection('users');
}

/** The fields that follow from profile and e-mail. */
export function searchFields(profile: Profile, email: string): Pick<UserRecord, 'sortName' | 'words'> {
  const sortName = `${profile.firstName} ${profile.lastName}`.trim().toLowerCase();
  const phone = digitsOf(profile.phone);
  const words = [...sortName.split(/\s+/), email, ...email.split(/[@.]/), phone].filter((word) => word !== '');
  return { sortName: sortName === '' ? email : sortName, words: [...new Set(words)] };
}

/** A phone number as it is searched: digits only. */
export function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}

/** A user as the API shows them. */
export function userOnTheWire({ _id, firstName, lastName, email, phone, dateOfBirth, role, disabled, erasingSince }: UserRecord): User {
  return { _id: _id.toHexString(), firstName, lastName, email, phone, dateOfBirth, role, ...(disabled === true && { disabled }), ...(erasingSince && { erasing: true }) };
}

/** A user as their session tells. */
export function sessionUserOf({ email, firstName, lastName, role, emailVerified }: UserRecord): SessionUser {
  return { email, firstName, lastName, role, emailVerified };
}
