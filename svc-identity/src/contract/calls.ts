import { eventFilters, filters, lookers, periodFilters } from '@clinic/contracts/authority';
import { defineCalls } from '@clinic/contracts/define-calls';
import { asSeen, email, id, optionalText, paging, role } from '@clinic/contracts/schemas/fields';
import { eventList, historyEntry } from '@clinic/contracts/schemas/history';
import { look } from '@clinic/contracts/schemas/looks';
import { accountDetails } from '@clinic/contracts/schemas/person';
import { exportedThing } from '@clinic/contracts/schemas/personal-data';
import { rights } from '@clinic/contracts/roles';
import { reportPeriod } from '@clinic/contracts/schemas/report-period';
import { sessionCalls } from '@clinic/contracts/session/calls';
import { secondFactorCode, user } from '@clinic/contracts/session/schemas';
import { z } from 'zod';
import { accessActions } from './actions.ts';
import { deploymentCalls } from './deployment-calls.ts';
import { invitationCalls } from './invitation-calls.ts';
import { userReport } from './reports.ts';
import { accessEvent, deletion, seenAccount } from './schemas.ts';
import './problems.ts';

const admin = ['admin'] as const;
const right = z.enum(rights, { error: `Right must be one of ${rights.join(', ')}` });
const account = { what: 'account', whose: 'email' } as const;

/** The calls of svc-identity, with those about the session. */
export const identityCalls = defineCalls('identity', {
  listUsers: {
    method: 'GET',
    path: '/users',
    // The desk finds patients who haven't been here yet.
    access: { kind: 'restricted', roles: admin, rights: ['reception'] },
    paged: true,
    summary: 'List all users',
    query: z.object({ ...paging, role: role.optional() }),
    response: z.array(user),
    decides: filters('role'),
    shows: { ...account, narrowedBy: ['q'] },
  },
  reportUsers: {
    method: 'GET',
    path: '/users/report',
    access: { kind: 'restricted', roles: admin },
    summary: 'Count users, and new users in a period',
    query: reportPeriod,
    response: userReport,
    unnoted: 'numbers only',
    decides: periodFilters,
  },
  changeRole: {
    method: 'PATCH',
    path: '/update-role/:id',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    errors: [
      'not_found',
      'changed_meanwhile',
      'proof_needed',
      'own_role',
      'last_admin',
      'transition_refused',
      'email_unconfirmed',
    ],
    summary: "Change a user's role",
    params: z.object({ id }),
    body: z.object({
      newRole: role,
      /** The rights beside it, for Undo: a new role ends those there were. */
      rights: z.array(right).max(rights.length).optional(),
      seen: asSeen(user.pick({ role: true, rights: true })),
    }),
    response: user,
    decides: { 'params.id': 'record', 'body.newRole': 'record', 'body.rights': 'record', 'body.seen': 'record' },
    shows: account,
  },
  changeRights: {
    method: 'PATCH',
    path: '/users/:email/rights',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    errors: ['not_found', 'changed_meanwhile', 'proof_needed', 'own_role', 'transition_refused', 'email_unconfirmed'],
    summary: 'Give a member of staff a right beside their role, or take it away',
    params: z.object({ email }),
    query: seenAccount,
    body: z.object({
      right,
      given: z.boolean({ error: 'Given must be true or false' }),
    }),
    response: user,
    decides: { 'params.email': 'record', 'query.userId': 'record', 'body.right': 'record', 'body.given': 'record' },
    shows: account,
  },
  getUserHistory: {
    method: 'GET',
    path: '/users/:email/history',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: "List a user's history, newest first",
    params: z.object({ email }),
    response: z.array(historyEntry),
    decides: { 'params.email': 'session' },
    shows: { ...account, whose: 'told' },
  },
  changeAccess: {
    method: 'PATCH',
    path: '/users/:email/access',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    errors: ['not_found', 'changed_meanwhile', 'proof_needed', 'own_account', 'last_admin', 'transition_refused'],
    summary: 'Switch an account off or on; switching it off ends all its sessions',
    params: z.object({ email }),
    query: seenAccount,
    body: z.object({ disabled: z.boolean({ error: 'Disabled must be true or false' }) }),
    response: user,
    decides: { 'params.email': 'record', 'query.userId': 'record', 'body.disabled': 'record' },
    shows: account,
  },
  endSessions: {
    method: 'DELETE',
    path: '/users/:email/sessions',
    status: 204,
    errors: ['not_found', 'changed_meanwhile', 'proof_needed'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Log a user out everywhere',
    params: z.object({ email }),
    query: seenAccount,
    response: z.undefined(),
    decides: { 'params.email': 'session', 'query.userId': 'record' },
  },
  changeOwnProfile: {
    method: 'PATCH',
    path: '/users/:email',
    errors: ['not_found', 'rate_limited'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' } },
    summary: 'Change your own name, phone number, date of birth or postal address',
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
    decides: { 'params.email': 'session', 'body.dateOfBirth': 'content' },
  },
  startSecondFactor: {
    method: 'POST',
    path: '/users/:email/second-factor',
    errors: ['not_found', 'duplicate', 'proof_needed', 'email_unconfirmed'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'Get a new secret for an authenticator app; it takes effect when a code is confirmed',
    params: z.object({ email }),
    response: z.object({ secret: z.string(), uri: z.string() }),
    decides: { 'params.email': 'session' },
  },
  confirmSecondFactor: {
    method: 'POST',
    path: '/users/:email/second-factor/confirm',
    errors: ['not_found', 'second_factor_wrong', 'rate_limited', 'proof_needed', 'email_unconfirmed'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary:
      'Set up the authenticator app with one of its codes; returns the recovery codes, again if it is repeated within ten minutes',
    params: z.object({ email }),
    body: z.object({ code: secondFactorCode }),
    response: z.object({ recoveryCodes: z.array(z.string()) }),
    decides: { 'params.email': 'session', 'body.code': 'proof' },
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/users/:email/second-factor/recovery-codes',
    errors: ['not_found', 'proof_needed'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'Replace all recovery codes; returns the new ones, once',
    params: z.object({ email }),
    response: z.object({ recoveryCodes: z.array(z.string()) }),
    decides: { 'params.email': 'session' },
  },
  removeSecondFactor: {
    method: 'DELETE',
    path: '/users/:email/second-factor',
    status: 204,
    errors: ['not_found', 'changed_meanwhile', 'proof_needed', 'transition_refused'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: "Remove your second factor, or as an admin someone else's, which ends their sessions",
    params: z.object({ email }),
    query: seenAccount,
    response: z.undefined(),
    decides: { 'params.email': 'session', 'query.userId': 'record' },
  },
  listIdentityLooks: {
    method: 'GET',
    path: '/users/:email/looks',
    paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: "List which staff viewed a person's account, newest first",
    params: z.object({ email }),
    query: z.object({ limit: paging.limit, cursor: paging.cursor, sort: paging.sort }),
    response: z.array(look),
    decides: { 'params.email': 'session' },
    unnoted: lookers,
  },
  ...invitationCalls,
  listAccessEvents: {
    method: 'GET',
    path: '/access-events',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List logins, rejected logins and access changes, newest first',
    query: z.object({
      limit: paging.limit,
      cursor: paging.cursor,
      sort: paging.sort,
      email: email.optional(),
      action: z.enum(accessActions).optional(),
    }),
    response: z.array(accessEvent),
    decides: filters('email', 'action'),
    shows: { ...account, whose: 'user', narrowedBy: ['email'] },
  },
  listIdentityEvents: {
    method: 'GET',
    path: '/access-events/all',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List all events on users and their access, newest first',
    ...eventList,
    decides: eventFilters,
    shows: { ...account, whose: 'people', narrowedBy: ['person', 'record'] },
  },
  exportUser: {
    method: 'GET',
    path: '/users/:email/export',
    errors: ['not_found', 'changed_meanwhile', 'proof_needed', 'rate_limited'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything identity holds about a person',
    params: z.object({ email }),
    query: seenAccount,
    response: z.array(exportedThing),
    decides: { 'params.email': 'session', 'query.userId': 'record' },
    shows: { ...account, whose: 'told', copy: true },
  },
  startErasure: {
    method: 'POST',
    path: '/users/:email/erasure',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    errors: ['not_found', 'changed_meanwhile', 'own_account', 'last_admin', 'proof_needed', 'transition_refused'],
    summary: 'Delete a person: locks the account for good; all services erase their data',
    params: z.object({ email }),
    /** `withoutAccount`: what was made for an address that has no account; 409 if it has one by now. */
    query: seenAccount.extend({ withoutAccount: z.literal('true').optional() }),
    response: z.object({ userId: id, emailConfirmed: z.boolean() }),
    decides: { 'params.email': 'record', 'query.userId': 'record', 'query.withoutAccount': 'database' },
  },
  finishErasure: {
    method: 'DELETE',
    path: '/users/:email',
    errors: ['not_found', 'changed_meanwhile', 'own_account', 'last_admin', 'staff_account', 'proof_needed'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'Delete a person, or yourself: locks the account for good; all services erase their data',
    params: z.object({ email }),
    query: seenAccount,
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
    decides: { 'params.email': 'session', 'query.userId': 'record' },
  },
  getDeletion: {
    method: 'GET',
    path: '/users/deletions/:id',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin },
    summary: "Read how far a person's deletion has got",
    params: z.object({ id }),
    response: deletion,
    decides: { 'params.id': 'record' },
  },
  ...deploymentCalls,
  // Last: `/users/report` comes before `/users/:email`.
  ...sessionCalls,
});

/** Types of the calls for client, hooks and handlers. */
type IdentityCalls = typeof identityCalls;

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends IdentityCalls {}
}
