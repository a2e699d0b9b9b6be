import { z } from 'zod';
import { email, id, isoDate, paging, phone, role, text } from './fields.ts';
import { eventList, historyEntry } from './history.ts';
import { exportedThing } from './personal-data.ts';
import { reportPeriod, userReport } from './reports.ts';

/** A user as the API shows them (specification section 3); the password never gets this far. */
export const user = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  dateOfBirth: z.string(),
  role,
  /** The account is switched off: nobody gets in with it. Absent when it isn't. */
  disabled: z.boolean().optional(),
  /** The person is being deleted: not all services have forgotten them yet. Absent when not. */
  erasing: z.boolean().optional(),
});
export type User = z.output<typeof user>;

/** What a session says about its user. */
export const sessionUser = z.object({ email: z.string(), firstName: z.string(), lastName: z.string(), role, emailVerified: z.boolean() });
export type SessionUser = z.output<typeof sessionUser>;

/** `expiresAt`: when the access token ends, ISO instant; refreshing prolongs it. */
export const session = z.object({ user: sessionUser, expiresAt: z.iso.datetime() });
export type Session = z.output<typeof session>;

/** What the access events tell of. */
export const accessActions = [
  'signed in', 'sign-in refused', 'logged out', 'logged out everywhere', 'role changed', 'account switched off', 'account switched on', 'user created', 'profile registered', 'deletion started',
  'deleted',
] as const;
export type AccessAction = (typeof accessActions)[number];

/** One thing that touched access; holds no secret. */
export const accessEvent = z.object({
  _id: id,
  /** ISO instant. */
  at: z.string(),
  /** One of `accessActions`. */
  action: z.string(),
  /** Who did it; absent when that is unknown (a refused sign-in) or the system itself did. */
  actor: z.object({ role, email: z.string() }).optional(),
  /** E-mail of the person it concerns; of a refused sign-in the one that was claimed, if any. */
  user: z.string().optional(),
  before: z.record(z.string(), z.unknown()).nullable(),
  /** A sign-in: `provider` and network `address`; a refused one: `reason` (a problem code) and `address`. */
  after: z.record(z.string(), z.unknown()),
  /** To find the request in the logs. */
  requestId: z.string(),
});
export type AccessEvent = z.output<typeof accessEvent>;

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
  changeAccess: { params: z.object({ email }), body: z.object({ disabled: z.boolean({ error: 'Disabled is true or false' }) }), response: user },
  endSessions: { params: z.object({ email }), response: z.undefined() },
  exportUser: { params: z.object({ email }), response: z.array(exportedThing) },
  startErasure: { params: z.object({ email }), response: z.object({ userId: id }) },
  finishErasure: {
    params: z.object({ email }),
    /** `left`: identity has no rights over the accounts of a real Firebase project; somebody deletes it in the console. */
    response: z.object({ userId: id, signInAccount: z.enum(['deleted', 'left']) }),
  },
  listAccessEvents: {
    query: z.object({ limit: paging.limit, cursor: paging.cursor, sort: paging.sort, email: email.optional(), action: z.enum(accessActions).optional() }),
    response: z.array(accessEvent),
  },
  listIdentityEvents: eventList,
  reportUsers: { query: reportPeriod, response: userReport },
} as const;
