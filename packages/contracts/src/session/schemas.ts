import { z } from 'zod';
import { email, id, role } from '../schemas/fields.ts';
import { changedLists } from '../schemas/history.ts';
import { accountDetails } from '../schemas/person.ts';

/** A user as the API shows them, without the password. */
export const user = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  dateOfBirth: z.string(),
  role,
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
  emailVerified: z.boolean(),
  /** A role that doesn't count yet, and what the person must do first. Absent if there is none. */
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
const openSession = z.object({
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

/** Request and response schemas of `sessionRoutes`. */
export const sessionSchemas = {
  startSession: {
    body: z.object({
      email,
      code: secondFactorCode.optional(),
      /** The person has just changed or reset their password: all their other sessions end. */
      passwordChanged: z.boolean().optional(),
      /**
       * The password of this sign-in, or the new one, has at least `minStaffPasswordLength` characters. Only the
       * browser sees passwords.
       */
      longPassword: z.boolean().optional(),
    }),
    response: session,
  },
  proveIdentity: {
    body: z.object({ idToken: z.string().max(8_192).optional(), code: secondFactorCode.optional() }),
    response: session,
  },
  getSession: { response: session },
  watchSession: { response: changedLists },
  refreshSession: { response: session },
  endSession: { response: z.undefined() },
  getSessionKeys: { response: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }) },
  registerUser: {
    // `password` and `role` are accepted because front-ends send them, and dropped: Firebase keeps the password, and
    // the role is always patient.
    body: z.object({
      ...accountDetails,
      email,
      password: z.string().optional(),
      role: z.string().optional(),
    }),
    response: user,
  },
  getUser: { params: z.object({ email }), response: user },
  listSessions: { params: z.object({ email }), response: z.array(openSession) },
  endOneSession: { params: z.object({ email, id }), response: z.undefined() },
};
