import { createHash, randomBytes } from 'node:crypto';
import type { Collection, Db, Filter, ObjectId } from 'mongodb';
import type { Invitation, Role, StaffProfile } from '@clinic/contracts';
import type { IndexPlan } from '@clinic/service-kit';

export type StaffRole = Exclude<Role, 'patient'>;

/** Somebody who is to join the staff. */
export interface InvitationRecord {
  readonly _id: ObjectId;
  /** Lower case. */
  readonly email: string;
  readonly role: StaffRole;
  /** What the person's profile begins with. */
  readonly profile?: StaffProfile;
  /** SHA-256 of the token in the link: who reads the database can't use it. */
  readonly tokenHash: string;
  /** `open` also when it has expired since; see {@link stateOf}. */
  readonly state: Invitation['state'];
  readonly invitedAt: Date;
  readonly expiresAt: Date;
  /** The admin. */
  readonly invitedBy: { readonly id: string; readonly email: string };
  /** The account that took the role. */
  readonly acceptedBy?: string;
}

export const invitationIndexes: IndexPlan = {
  invitations: [
    { key: { tokenHash: 1 }, name: 'token', unique: true },
    { key: { email: 1, role: 1 }, name: 'one_open', unique: true, partialFilterExpression: { state: 'open' } },
    { key: { email: 1 }, name: 'email' },
    { key: { invitedAt: -1, _id: -1 }, name: 'newest' },
    { key: { state: 1, invitedAt: -1, _id: -1 }, name: 'by_state' },
    { key: { 'invitedBy.id': 1 }, name: 'by_admin' },
    { key: { expiresAt: 1 }, name: 'expiry' },
    { key: { acceptedBy: 1 }, name: 'by_account' },
  ],
};

export const invitationSorts = { newest: { invitedAt: -1, _id: -1 } } as const;

export function invitationsOf({ db }: { readonly db: Db }): Collection<InvitationRecord> {
  return db.collection('invitations');
}

/** A token that can't be guessed: 256 random bits. */
export function newInvitationToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashInvitationToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function stateOf({ state, expiresAt }: InvitationRecord, now = new Date()): Invitation['state'] {
  return state === 'open' && expiresAt <= now ? 'expired' : state;
}

/** The condition that a state stands for. */
export function invitationFilter(state: Invitation['state'] | undefined, now = new Date()): Filter<InvitationRecord> {
  if (state === undefined) return {};
  if (state === 'open') return { state, expiresAt: { $gt: now } };
  if (state === 'expired') return { state: { $in: ['expired', 'open'] }, expiresAt: { $lte: now } };
  return { state };
}

/** An invitation as the API shows it, without its token. */
export function invitationOnTheWire(invitation: InvitationRecord): Invitation {
  const { _id, email, role, profile, invitedAt, expiresAt, invitedBy } = invitation;
  return {
    _id: _id.toHexString(), email, role, name: profile?.name ?? '', state: stateOf(invitation),
    invitedAt: invitedAt.toISOString(), expiresAt: expiresAt.toISOString(), invitedBy: invitedBy.email,
  };
}
