import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Auth } from 'firebase-admin/auth';
import { verifyIdToken } from './id-tokens.ts';

/** Responses of firebase-admin that no test can provoke with the real Google. */
const failing = (code: string, message: string) => ({
  auth: { verifyIdToken: () => Promise.reject(Object.assign(new Error(message), { code })) } as unknown as Auth,
  emulated: false,
  mayDelete: false,
});
const codeFor = async (code: string, message: string): Promise<unknown> =>
  verifyIdToken(failing(code, message), 'token').then(
    () => 'accepted',
    (error: { code: unknown }) => error.code,
  );

test('an invalid token is unauthenticated', async () => {
  for (const [code, message] of [
    [
      'auth/argument-error',
      'Decoding Firebase ID token failed. Make sure you passed the entire string JWT which represents an ID token.',
    ],
    ['auth/argument-error', 'Firebase ID token has no "kid" claim.'],
    ['auth/argument-error', 'Firebase ID token has incorrect algorithm. Expected "RS256" but got "HS256".'],
    ['auth/argument-error', 'Firebase ID token has invalid signature.'],
    [
      'auth/argument-error',
      'Firebase ID token has "kid" claim which does not correspond to a known public key. Most likely the ID token is expired, so get a fresh token from your client app and try again.',
    ],
    ['auth/id-token-expired', 'Firebase ID token has expired.'],
    ['auth/user-not-found', 'There is no user record corresponding to the provided identifier.'],
    ['auth/user-disabled', 'The user record is disabled.'],
  ] as const) {
    assert.equal(await codeFor(code, message), 'unauthenticated', message);
  }
});

test('unreachable certificates are unavailable, though they have the code of an invalid token', async () => {
  for (const [code, message] of [
    [
      'auth/argument-error',
      'Error while making request: getaddrinfo ENOTFOUND www.googleapis.com. Error code: ENOTFOUND',
    ],
    ['auth/argument-error', 'Error while making request: timeout of 25000ms.'],
    ['auth/argument-error', 'Error fetching public keys for Google certs: backend error'],
    ['app/network-error', 'Error while making request: connect ECONNREFUSED 127.0.0.1:9099'],
    ['auth/internal-error', 'An internal error has occurred.'],
  ] as const) {
    assert.equal(await codeFor(code, message), 'unavailable', message);
  }
});

test('an address that only looks like somebody’s is nobody’s', async () => {
  const emailOf = async (email: string) => {
    const decoded = { uid: 'stranger', email, email_verified: true, auth_time: 1, iat: 1 };
    const auth = { verifyIdToken: () => Promise.resolve(decoded) } as unknown as Auth;
    return (await verifyIdToken({ auth, emulated: false, mayDelete: false }, 'token')).email;
  };
  assert.equal(await emailOf('Kate@Mail.example'), 'kate@mail.example');
  for (const alike of [
    '\u{212A}ate@mail.example',
    'kate@mail\u{3002}example',
    'k\u{430}te@mail.example',
    'kate @mail.example',
  ])
    assert.equal(await emailOf(alike), undefined, alike);
});
