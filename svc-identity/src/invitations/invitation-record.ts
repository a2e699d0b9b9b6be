import { createHash, randomBytes } from 'node:crypto';
import type { Collection, Db, Filter, ObjectId } from 'mongodb';
import type { Role } from '@clinic/contracts';
import type { StaffProfile } from '@clinic/contracts/schemas/person';
import type { Invitation } from '../contract/schemas.ts';
import type { IndexPlan } from '@clinic/service-kit';

export type StaffRole = Exclude<Role, 'patient'>;

/** An invitation to join the staff. */
export interface InvitationRecord {
  readonly _id: ObjectId;
  /** Lower case. */
  readonly email: string;
  readonly role: StaffRole;
  /** Initial profile of the person. */
  readonly profile?: StaffProfile;
  /** SHA-256 of the token in the link, so that it can't be taken from the database. */
  readonly tokenHash: string;
  /** Still `open` after it has expired; see {@link stateOf}. */
  readonly state: Invitation['state'];
  readonly invitedAt: Date;
  readonly expiresAt: Date;
  /** The admin. */
  readonly invitedBy: { readonly id: string; readonly email: string };
  /** The account that accepted the role. */
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

/** An unguessable token: 256 random bits. */
export function newInvitationToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashInvitationToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export function stateOf({ state, expiresAt }: InvitationRecord, now = new Date()): Invitation['state'] {
  return state === 'open' && expiresAt <= now ? 'expired' : state;
}

/** The filter of a state. */
export function invitationFilter(state: Invitation['state'] | undefined, now = new Date()): Filter<InvitationRecord> {
  if (state === undefined) return {};
  if (state === 'open') return { state, expiresAt: { $gt: now } };
  if (state === 'expired') return { state: { $in: ['expired', 'open'] }, expiresAt: { $lte: now } };
  return { state };
}

/** An invitation in its wire shape, without its token. */
export function invitationOnTheWire(invitation: InvitationRecord): Invitation {
  const { _id, email, role, profile, invitedAt, expiresAt, invitedBy } = invitation;
  return {
    _id: _id.toHexString(),
    email,
    role,
    name: profile?.name ?? '',
    state: stateOf(invitation),
    invitedAt: invitedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    invitedBy: invitedBy.email,
  };
}
