import { defineRoutes } from '../define-routes.ts';

const admin = ['admin'] as const;
const account = { what: 'account', whose: 'email' } as const;

/**
 * The calls of svc-identity that every page needs: about the session and the person's own account. The shell makes them;
 * the rest is in `svc-identity/src/contract`.
 */
export const sessionRoutes = defineRoutes('identity', {
  startSession: {
    method: 'POST',
    path: '/jwt',
    access: { kind: 'idToken' },
    errors: ['rate_limited', 'forbidden', 'account_disabled', 'second_factor_needed', 'second_factor_wrong'],
    summary: 'Log in: exchange a Firebase ID token, and a code if a second factor is set up, for a session',
    decides: {
      'body.email': 'proof',
      'body.code': 'proof',
      'body.passwordChanged': 'content',
      'body.longPassword': 'content',
    },
  },
  proveIdentity: {
    method: 'POST',
    path: '/jwt/proof',
    access: { kind: 'session' },
    errors: ['rate_limited', 'forbidden', 'second_factor_wrong'],
    summary:
      'Confirm your identity again before a sensitive action: with a code if a second factor is set up, else a new ID token',
    decides: { 'body.idToken': 'proof', 'body.code': 'proof' },
  },
  getSession: {
    method: 'GET',
    path: '/jwt/session',
    access: { kind: 'session' },
    summary: 'Get the current session',
  },
  watchSession: {
    method: 'GET',
    path: '/jwt/changes',
    access: { kind: 'session' },
    media: 'text/event-stream',
    summary: "Stream when the caller's session or account changes (for admins: any account)",
  },
  refreshSession: {
    method: 'POST',
    path: '/jwt/refresh',
    access: { kind: 'refresh' },
    errors: ['session_ended', 'account_disabled'],
    summary: 'Exchange the refresh cookie for a new access token',
  },
  endSession: {
    method: 'DELETE',
    path: '/jwt',
    access: { kind: 'everyone' },
    status: 204,
    summary: 'Log out',
  },
  getSessionKeys: {
    method: 'GET',
    path: '/jwt/keys',
    access: { kind: 'everyone' },
    summary: 'Get the public keys of the session tokens (JWKS)',
    unnoted: 'public keys',
    forPrograms: true,
  },
  registerUser: {
    method: 'POST',
    path: '/users',
    access: { kind: 'idToken', orSession: true },
    errors: ['forbidden', 'second_factor_needed'],
    summary: "Register a new user's profile; the role is always patient",
    decides: { 'body.email': 'proof', 'body.dateOfBirth': 'content', 'body.role': 'ignored' },
  },
  getUser: {
    method: 'GET',
    path: '/users/:email',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, self: { in: 'params', field: 'email' } },
    summary: 'Get one user with their role',
    decides: { 'params.email': 'session' },
    shows: account,
  },
  listSessions: {
    method: 'GET',
    path: '/users/:email/sessions',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' } },
    summary: 'List your sessions, last used first',
    decides: { 'params.email': 'session' },
  },
  endOneSession: {
    method: 'DELETE',
    path: '/users/:email/sessions/:id',
    status: 204,
    errors: ['not_found'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' } },
    summary: 'Log out on one device',
    decides: { 'params.email': 'session', 'params.id': 'record' },
  },
});
