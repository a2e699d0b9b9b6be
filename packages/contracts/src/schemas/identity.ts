import { z } from 'zod';
import { email, id, isoDate, paging, phone, role, text } from './fields.ts';
import { historyEntry } from './history.ts';

/** A user as the API shows them (specification section 3); the password never gets this far. */
export const user = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  dateOfBirth: z.string(),
  role,
});
export type User = z.output<typeof user>;

/** What a session says about its user. */
export const sessionUser = z.object({ email: z.string(), firstName: z.string(), lastName: z.string(), role, emailVerified: z.boolean() });
export type SessionUser = z.output<typeof sessionUser>;

/** `expiresAt`: when the access token ends, ISO instant; refreshing prolongs it. */
export const session = z.object({ user: sessionUser, expiresAt: z.iso.datetime() });
export type Session = z.output<typeof session>;

export const identitySchemas = {
  startSession: { body: z.object({ email }), response: session },
  getSession: { response: session },
  refreshSession: { response: session },
  endSession: { response: z.undefined() },
  getSessionKeys: { response: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }) },
  registerUser: {
    // `password` and `role` are accepted, as specified, and dropped: Firebase keeps the one, the other is always patient.
    body: z.object({
      firstName: text('First name'),
      lastName: text('Last name'),
      email,
      phone,
      dateOfBirth: isoDate('Date of birth'),
      password: z.string().optional(),
      role: z.string().optional(),
    }),
    response: user,
  },
  listUsers: { query: z.object({ ...paging, role: role.optional() }), response: z.array(user) },
  getUser: { params: z.object({ email }), response: user },
  changeRole: { params: z.object({ id }), body: z.object({ newRole: role }), response: user },
  getUserHistory: { params: z.object({ email }), response: z.array(historyEntry) },
} as const;
