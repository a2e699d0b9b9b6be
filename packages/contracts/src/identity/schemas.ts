import { accessActions } from '../event-actions.ts';
import { z } from 'zod';
import { email, id, optionalText, paging, role } from '../schemas/fields.ts';
import { changedLists, eventList, historyEntry } from '../schemas/history.ts';
import { look } from '../schemas/looks.ts';
import { accountDetails, listedTimes, professionalDetails, workplace } from '../schemas/person.ts';
import { exportedThing } from '../schemas/personal-data.ts';
import { reportPeriod } from '../schemas/report-period.ts';
import { deploymentSchemas } from './deployment-schemas.ts';
import { userReport } from './reports.ts';

/** How far the deletion of a person has got. */
const deletion = z.object({
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

/** One event that concerns access; contains no secrets. */
export const accessEvent = z.object({
  _id: id,
  /** ISO instant. */
  at: z.string(),
  /** One of `accessActions`. */
  action: z.string(),
  /** Who did it; absent if unknown (a rejected sign-in) or if the system did. */
  actor: z.object({ role, email: z.string() }).optional(),
  /** Email of the person it concerns; for a rejected sign-in the claimed one, if any. */
  user: z.string().optional(),
  before: z.record(z.string(), z.unknown()).nullable(),
  /** A sign-in: `provider` and network `address`. A rejected one: `reason` (a problem code) and `address`. */
  after: z.record(z.string(), z.unknown()),
  /** Request id, for finding the request in the logs. */
  requestId: z.string(),
});
export type AccessEvent = z.output<typeof accessEvent>;

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

const staffRole = z.enum(['doctor', 'pharmacist', 'admin'], { error: 'Role must be doctor, pharmacist or admin' });

/** The profile an invited person starts with: the body of POST /doc-pharma, plus a doctor's times. */
export const staffProfile = z.object({
  ...professionalDetails,
  location: workplace,
  availableTimes: listedTimes.optional(),
});
export type StaffProfile = z.output<typeof staffProfile>;

const invitationState = z.enum(['open', 'accepted', 'revoked', 'expired'], {
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

const invitationToken = z
  .string({ error: 'The link is incomplete' })
  .regex(/^[\w-]{20,100}$/, 'The link is incomplete');

/** Six digits from an authenticator app, or a recovery code. */
const secondFactorCode = z
  .string({ error: 'Enter the code' })
  .trim()
  .min(6, 'Code must be at least 6 characters')
  .max(40, 'Code must be 40 characters or fewer');

export const identitySchemas = {
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
  listUsers: { query: z.object({ ...paging, role: role.optional() }), response: z.array(user) },
  getUser: { params: z.object({ email }), response: user },
  changeRole: { params: z.object({ id }), body: z.object({ newRole: role }), response: user },
  changeOwnProfile: {
    params: z.object({ email }),
    body: z
      .object({
        ...z.object(accountDetails).partial().shape,
        /** An empty text deletes it. */
        address: optionalText('Address').optional(),
      })
      .refine(
        (body) => Object.values(body).some((value) => value !== undefined),
        'Include at least one field to change: firstName, lastName, phone, dateOfBirth or address',
      ),
    response: user,
  },
  listSessions: { params: z.object({ email }), response: z.array(openSession) },
  endOneSession: { params: z.object({ email, id }), response: z.undefined() },
  startSecondFactor: { params: z.object({ email }), response: z.object({ secret: z.string(), uri: z.string() }) },
  confirmSecondFactor: {
    params: z.object({ email }),
    body: z.object({ code: secondFactorCode }),
    response: z.object({ recoveryCodes: z.array(z.string()) }),
  },
  renewRecoveryCodes: { params: z.object({ email }), response: z.object({ recoveryCodes: z.array(z.string()) }) },
  removeSecondFactor: { params: z.object({ email }), response: z.undefined() },
  listIdentityLooks: {
    params: z.object({ email }),
    query: z.object({ limit: paging.limit, cursor: paging.cursor, sort: paging.sort }),
    response: z.array(look),
  },
  inviteStaff: {
    body: z
      .object({ email, role: staffRole, profile: staffProfile.optional() })
      .refine(({ role: invited, profile }) => invited === 'admin' || profile !== undefined, {
        path: ['profile'],
        message: 'Doctors and pharmacists need a profile',
      }),
    response: z.object({
      invitation,
      /** For the link `/register?invitation={token}`; only this response contains it. */ token: z.string(),
    }),
  },
  listInvitations: {
    query: z.object({
      limit: paging.limit,
      cursor: paging.cursor,
      sort: paging.sort,
      state: invitationState.optional(),
    }),
    response: z.array(invitation),
  },
  revokeInvitation: { params: z.object({ id }), response: z.undefined() },
  readInvitation: {
    body: z.object({ token: invitationToken }),
    response: z.object({ email: z.string(), role: staffRole, name: z.string(), expiresAt: z.string() }),
  },
  acceptInvitation: { body: z.object({ token: invitationToken }), response: session },
  getUserHistory: { params: z.object({ email }), response: z.array(historyEntry) },
  changeAccess: {
    params: z.object({ email }),
    body: z.object({ disabled: z.boolean({ error: 'Disabled must be true or false' }) }),
    response: user,
  },
  endSessions: { params: z.object({ email }), response: z.undefined() },
  exportUser: { params: z.object({ email }), response: z.array(exportedThing) },
  startErasure: { params: z.object({ email }), response: z.object({ userId: id, emailConfirmed: z.boolean() }) },
  finishErasure: {
    params: z.object({ email }),
    response: z.object({
      userId: id,
      /**
       * What becomes of it. `left`: identity may not delete accounts of a real Firebase project; somebody has to do it in
       * the console.
       */
      signInAccount: z.enum(['deleted', 'left']),
      /** Whether nothing of the person is left; otherwise the services go on by themselves. */
      finished: z.boolean().optional(),
    }),
  },
  getDeletion: { params: z.object({ id }), response: deletion },
  listAccessEvents: {
    query: z.object({
      limit: paging.limit,
      cursor: paging.cursor,
      sort: paging.sort,
      email: email.optional(),
      action: z.enum(accessActions).optional(),
    }),
    response: z.array(accessEvent),
  },
  listIdentityEvents: eventList,
  reportUsers: { query: reportPeriod, response: userReport },
  ...deploymentSchemas,
} as const;
