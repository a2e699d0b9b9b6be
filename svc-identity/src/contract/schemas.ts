import { asSeen, id, rightsHeld, role } from '@clinic/contracts/schemas/fields';
import { z } from 'zod';

/**
 * Whom the caller saw at the address in the path. If the address is somebody else's by now, the call is rejected. Optional:
 * earlier front-ends send the address only.
 */
export const seenAccount = z.object({ userId: asSeen(id) });

/** How far the deletion of a person has got. */
export const deletion = z.object({
  userId: id,
  /** ISO instants. */
  startedAt: z.string(),
  finishedAt: z.string().optional(),
  /** Every service that keeps personal data. */
  services: z.array(
    z.object({
      /** Name of the service, e.g. `billing`. */
      service: z.string(),
      state: z.enum(['waiting', 'working', 'done']),
      /** Records that it has erased, and how many of them it has cancelled. */
      records: z.number(),
      cancelled: z.number(),
      /** When it last asked for deletions, ISO instant: a service that is down doesn't. */
      lastSeenAt: z.string().optional(),
    }),
  ),
  /** The sign-in account and the user, which come last. */
  account: z.object({
    state: z.enum(['waiting', 'working', 'done']),
    signInAccount: z.enum(['deleted', 'left']).optional(),
    /** Why it couldn't be deleted yet. */
    problem: z.string().optional(),
  }),
});
export type Deletion = z.output<typeof deletion>;

/** One event that concerns access; contains no secrets. */
export const accessEvent = z.object({
  _id: id,
  /** ISO instant. */
  at: z.string(),
  /** One of `accessActions`. */
  action: z.string(),
  /** Who did it; absent if unknown (a rejected sign-in) or if the system did. */
  actor: z.object({ role, email: z.string(), rights: rightsHeld }).optional(),
  /** Email of the person it concerns; for a rejected sign-in the claimed one, if any. */
  user: z.string().optional(),
  before: z.record(z.string(), z.unknown()).nullable(),
  /** A sign-in: `provider` and network `address`. A rejected one: `reason` (a problem code) and `address`. */
  after: z.record(z.string(), z.unknown()),
  /** Request id, for finding the request in the logs. */
  requestId: z.string(),
});
export type AccessEvent = z.output<typeof accessEvent>;

export const staffRole = z.enum(['doctor', 'pharmacist', 'admin'], {
  error: 'Role must be doctor, pharmacist or admin',
});

export const invitationState = z.enum(['open', 'accepted', 'revoked', 'expired'], {
  error: 'State must be open, accepted, revoked or expired',
});

export const invitation = z.object({
  _id: id,
  email: z.string(),
  role: staffRole,
  name: z.string(),
  state: invitationState,
  /** ISO instants. */
  invitedAt: z.string(),
  expiresAt: z.string(),
  /** Email of the admin. */
  invitedBy: z.string(),
});
export type Invitation = z.output<typeof invitation>;
