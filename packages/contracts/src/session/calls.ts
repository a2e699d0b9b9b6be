import { z } from 'zod';
import { defineCalls } from '../define-calls.ts';
import { email, id } from '../schemas/fields.ts';
import { changedLists } from '../schemas/history.ts';
import { accountDetails } from '../schemas/person.ts';
import { openSession, secondFactorCode, session, user } from './schemas.ts';

const admin = ['admin'] as const;
const account = { what: 'account', whose: 'email' } as const;

/**
 * The calls of svc-identity that every page needs: about the session and the person's own account. The shell makes them;
 * the rest is in `svc-identity/src/contract`.
 */
export const sessionCalls = defineCalls('identity', {
  startSession: {
    method: 'POST',
    path: '/jwt',
    access: { kind: 'idToken' },
    errors: ['rate_limited', 'forbidden', 'account_disabled', 'second_factor_needed', 'second_factor_wrong'],
    // Of the code: sent again after a lost response, it would have been used.
    idempotent: true,
    summary: 'Log in: exchange a Firebase ID token, and a code if a second factor is set up, for a session',
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
    idempotent: true,
    summary:
      'Confirm your identity again before a sensitive action: with a code if a second factor is set up, else a new ID token',
    body: z.object({ idToken: z.string().max(8_192).optional(), code: secondFactorCode.optional() }),
    response: session,
    decides: { 'body.idToken': 'proof', 'body.code': 'proof' },
  },
  getSession: {
    method: 'GET',
    path: '/jwt/session',
    access: { kind: 'session' },
    summary: 'Get the current session',
    response: session,
  },
  watchSession: {
    method: 'GET',
    path: '/jwt/changes',
    access: { kind: 'session' },
    media: 'text/event-stream',
    summary: "Stream when the caller's session or account changes (for admins: any account)",
    response: changedLists,
  },
  refreshSession: {
    method: 'POST',
    path: '/jwt/refresh',
    access: { kind: 'refresh' },
    errors: ['session_ended', 'account_disabled'],
    summary: 'Exchange the refresh cookie for a new access token',
    response: session,
  },
  endSession: {
    method: 'DELETE',
    path: '/jwt',
    access: { kind: 'everyone' },
    status: 204,
    summary: 'Log out',
    response: z.undefined(),
  },
  getSessionKeys: {
    method: 'GET',
    path: '/jwt/keys',
    access: { kind: 'everyone' },
    summary: 'Get the public keys of the session tokens (JWKS)',
    response: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
    unnoted: 'public keys',
    forPrograms: true,
  },
  registerUser: {
    method: 'POST',
    path: '/users',
    access: { kind: 'idToken', orSession: true },
    errors: ['forbidden', 'second_factor_needed'],
    summary: "Register a new user's profile; the role is always patient",
    // `password` and `role` are accepted because front-ends send them, and dropped: Firebase keeps the password, and
    // the role is always patient.
    body: z.object({
      ...accountDetails,
      email,
      password: z.string().optional(),
      role: z.string().optional(),
    }),
    response: user,
    decides: { 'body.email': 'proof', 'body.dateOfBirth': 'content', 'body.role': 'ignored' },
  },
  getUser: {
    method: 'GET',
    path: '/users/:email',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: admin, rights: ['reception'], self: { in: 'params', field: 'email' } },
    summary: 'Get one user with their role',
    params: z.object({ email }),
    response: user,
    decides: { 'params.email': 'session' },
    shows: account,
  },
  listSessions: {
    method: 'GET',
    path: '/users/:email/sessions',
    errors: ['not_found'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' } },
    summary: 'List your sessions, last used first',
    params: z.object({ email }),
    response: z.array(openSession),
    decides: { 'params.email': 'session' },
  },
  endOneSession: {
    method: 'DELETE',
    path: '/users/:email/sessions/:id',
    status: 204,
    errors: ['not_found'],
    access: { kind: 'restricted', roles: [], self: { in: 'params', field: 'email' } },
    summary: 'Log out on one device',
    params: z.object({ email, id }),
    response: z.undefined(),
    decides: { 'params.email': 'session', 'params.id': 'record' },
  },
});
