import { eventFilters, filters, lookers, periodFilters } from '@clinic/contracts/authority';
import { defineRoutes } from '@clinic/contracts/define-routes';
import { deploymentRoutes } from './deployment-routes.ts';
import { invitationRoutes } from './invitation-routes.ts';
import type { identitySchemas } from './schemas.ts';

const admin = ['admin'] as const;
const account = { what: 'account', whose: 'email' } as const;

/** The calls of svc-identity without those about the session (`sessionRoutes`); docs/identity.md says who may make which. */
export const identityRoutes = defineRoutes('identity', {
  listUsers: {
    method: 'GET',
    path: '/users',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List all users',
    decides: filters('role'),
    shows: { ...account, narrowedBy: ['q'] },
  },
  reportUsers: {
    method: 'GET',
    path: '/users/report',
    access: { kind: 'restricted', roles: admin },
    summary: 'Count users, and new users in a period',
    unnoted: 'numbers only',
    decides: periodFilters,
  },
  changeRole: {
    method: 'PATCH',
    path: '/update-role/:id',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    errors: ['not_found', 'proof_needed', 'own_role', 'last_admin', 'email_unconfirmed'],
    summary: "Change a user's role",
    decides: { 'params.id': 'record', 'body.newRole': 'record' },
    shows: account,
  },
  getUserHistory: {
    method: 'GET',
    path: '/users/:email/history',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: "List a user's history, newest first",
    decides: { 'params.email': 'session' },
    shows: { ...account, whose: 'told' },
  },
  changeAccess: {
    method: 'PATCH',
    path: '/users/:email/access',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    errors: ['not_found', 'proof_needed', 'own_account', 'last_admin'],
    summary: 'Switch an account off or on; switching it off ends all its sessions',
    decides: { 'params.email': 'record', 'body.disabled': 'record' },
    shows: account,
  },
  endSessions: {
    method: 'DELETE',
    path: '/users/:email/sessions',
    status: 204,
    errors: ['not_found', 'proof_needed'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Log a user out everywhere',
    decides: { 'params.email': 'session' },
  },
  changeOwnProfile: {
    method: 'PATCH',
    path: '/users/:email',
    errors: ['not_found', 'rate_limited'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' } },
    summary: 'Change your own name, phone number, date of birth or postal address',
    decides: { 'params.email': 'session', 'body.dateOfBirth': 'content' },
  },
  startSecondFactor: {
    method: 'POST',
    path: '/users/:email/second-factor',
    errors: ['not_found', 'duplicate', 'proof_needed', 'email_unconfirmed'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'Get a new secret for an authenticator app; it takes effect when a code is confirmed',
    decides: { 'params.email': 'session' },
  },
  confirmSecondFactor: {
    method: 'POST',
    path: '/users/:email/second-factor/confirm',
    errors: ['not_found', 'second_factor_wrong', 'rate_limited', 'proof_needed', 'email_unconfirmed'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'Set up the authenticator app with one of its codes; returns the recovery codes, once',
    decides: { 'params.email': 'session', 'body.code': 'proof' },
  },
  renewRecoveryCodes: {
    method: 'POST',
    path: '/users/:email/second-factor/recovery-codes',
    errors: ['not_found', 'proof_needed'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'Replace all recovery codes; returns the new ones, once',
    decides: { 'params.email': 'session' },
  },
  removeSecondFactor: {
    method: 'DELETE',
    path: '/users/:email/second-factor',
    status: 204,
    errors: ['not_found', 'proof_needed', 'transition_refused'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: "Remove your second factor, or as an admin someone else's, which ends their sessions",
    decides: { 'params.email': 'session' },
  },
  listIdentityLooks: {
    method: 'GET',
    path: '/users/:email/looks',
    paged: true,
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: "List which staff viewed a person's account, newest first",
    decides: { 'params.email': 'session' },
    unnoted: lookers,
  },
  ...invitationRoutes,
  listAccessEvents: {
    method: 'GET',
    path: '/access-events',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List logins, rejected logins and access changes, newest first',
    decides: filters('email', 'action'),
    shows: { ...account, whose: 'user', narrowedBy: ['email'] },
  },
  listIdentityEvents: {
    method: 'GET',
    path: '/access-events/all',
    access: { kind: 'restricted', roles: admin },
    paged: true,
    summary: 'List all events on users and their access, newest first',
    decides: eventFilters,
    shows: { ...account, whose: 'people', narrowedBy: ['person', 'record'] },
  },
  exportUser: {
    method: 'GET',
    path: '/users/:email/export',
    errors: ['not_found', 'proof_needed', 'rate_limited'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'forOthers' },
    summary: 'Export everything identity holds about a person',
    decides: { 'params.email': 'session' },
    shows: { ...account, whose: 'told', copy: true },
  },
  startErasure: {
    method: 'POST',
    path: '/users/:email/erasure',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    errors: ['not_found', 'own_account', 'last_admin', 'proof_needed'],
    summary: 'Delete a person: locks the account for good; all services erase their data',
    decides: { 'params.email': 'record' },
  },
  finishErasure: {
    method: 'DELETE',
    path: '/users/:email',
    errors: ['not_found', 'own_account', 'last_admin', 'staff_account', 'proof_needed'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' }, freshProof: 'always' },
    summary: 'Delete a person, or yourself: locks the account for good; all services erase their data',
    decides: { 'params.email': 'session' },
  },
  getDeletion: {
    method: 'GET',
    path: '/users/deletions/:id',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin },
    summary: "Read how far a person's deletion has got",
    decides: { 'params.id': 'record' },
  },
  ...deploymentRoutes,
});

/** Types of the calls for client, hooks and handlers. */
type IdentityCalls = {
  [Id in keyof typeof identityRoutes]: (typeof identityRoutes)[Id] & (typeof identitySchemas)[Id];
};

declare module '@clinic/contracts/domain' {
  interface DomainCalls extends IdentityCalls {}
}
