import { accessActions } from '@clinic/contracts/event-actions';
import { z } from 'zod';
import { email, id, optionalText, paging, role } from '@clinic/contracts/schemas/fields';
import { eventList, historyEntry } from '@clinic/contracts/schemas/history';
import { look } from '@clinic/contracts/schemas/looks';
import { accountDetails, staffProfile } from '@clinic/contracts/schemas/person';
import { exportedThing } from '@clinic/contracts/schemas/personal-data';
import { reportPeriod } from '@clinic/contracts/schemas/report-period';
import { secondFactorCode, session, user } from '@clinic/contracts/session/schemas';
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

const staffRole = z.enum(['doctor', 'pharmacist', 'admin'], { error: 'Role must be doctor, pharmacist or admin' });

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

export const identitySchemas = {
  listUsers: { query: z.object({ ...paging, role: role.optional() }), response: z.array(user) },
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
