import { z } from 'zod';
import { id, rightsHeld, role } from '../schemas/fields.ts';

/** A user as the API shows them, without the password. */
export const user = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  dateOfBirth: z.string(),
  role,
  /** What an admin lets them do beside the role. */
  rights: rightsHeld,
  /** The account is switched off: nobody can sign in with it. Absent otherwise. */
  disabled: z.boolean().optional(),
  /** The person is being deleted, and not all services have finished yet. Absent otherwise. */
  erasing: z.boolean().optional(),
  /** Postal address, if the person has given one. */
  address: z.string().optional(),
  /** The person has shown that they can read mail to this address. */
  emailVerified: z.boolean().optional(),
  /** A second factor is set up. */
  secondFactor: z.boolean().optional(),
  /** When the account was created, ISO instant. */
  createdAt: z.string().optional(),
});
export type User = z.output<typeof user>;

/** The user of a session. */
export const sessionUser = z.object({
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** The role that counts now; see `held`. */
  role,
  /** Rights beside the role that count now; see `held`. */
  rights: rightsHeld,
  emailVerified: z.boolean(),
  /** A role, or rights beside it, that don't count yet, and what the person must do first. Absent if there is none. */
  held: z.object({ role, until: z.enum(['email', 'password', 'second_factor']) }).optional(),
  /**
   * Name or phone number is missing, or was cleared because whoever entered it hadn't proved that they own the address.
   */
  profileNeeded: z.boolean().optional(),
  /** A second factor is set up. */
  secondFactor: z.boolean().optional(),
  /** The last password sign-in didn't show that the password is long enough for staff. */
  passwordUnproven: z.boolean().optional(),
});
export type SessionUser = z.output<typeof sessionUser>;

/** `expiresAt`: when the access token expires, ISO instant; refreshing extends it. */
export const session = z.object({
  user: sessionUser,
  expiresAt: z.iso.datetime(),
  /** ISO instant until which the last proof of identity allows sensitive actions. */
  provenUntil: z.iso.datetime().optional(),
});
export type Session = z.output<typeof session>;

/** A signed-in browser. */
export const openSession = z.object({
  _id: id,
  /** The session of this request. */
  current: z.boolean(),
  /** ISO instants. */
  since: z.string(),
  lastUsedAt: z.string(),
  /** Device and browser in words, e.g. `Chrome on Android`. */
  device: z.string(),
  /** Network address it was started from; empty if unknown. */
  address: z.string(),
});
export type OpenSession = z.output<typeof openSession>;

/** Six digits from an authenticator app, or a recovery code. */
export const secondFactorCode = z
  .string({ error: 'Enter the code' })
  .trim()
  .min(6, 'Code must be at least 6 characters')
  .max(40, 'Code must be 40 characters or fewer');
