import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError, unavailable, type IdToken } from '@clinic/service-kit';
import { firebaseCode, type Firebase } from './firebase-app.ts';

/** Time limit of a verification in milliseconds, including fetching Google's certificates. */
const checkWithin = 5_000;

/** Error codes of invalid tokens. */
const tokenFaults = new Set([
  'auth/id-token-expired',
  'auth/id-token-revoked',
  'auth/user-not-found',
  'auth/user-disabled',
  'auth/invalid-id-token',
]);

/**
 * firebase-admin uses the code of a forged token, too, if it can't fetch certificates; this distinguishes them by
 * message.
 */
const outOfReach = /fetching|while making request|public key callback|network|timed? ?out|ECONN|ENOTFOUND|EAI_AGAIN/i;

/**
 * Verifies a Firebase ID token.
 *
 * @throws ProblemError unauthenticated; unavailable if Google's certificates or the emulator can't be reached
 */
export async function verifyIdToken({ auth }: Firebase, token: string): Promise<IdToken> {
  try {
    const decoded = await Promise.race([auth.verifyIdToken(token), timeLimit()]);
    const name: unknown = decoded['name'];
    return {
      uid: decoded.uid,
      email: emailOf(decoded.email),
      emailVerified: decoded.email_verified === true,
      name: typeof name === 'string' ? name : undefined,
      provider: decoded.firebase?.sign_in_provider,
      linked: Object.keys(decoded.firebase?.identities ?? {}).filter((provider) => provider !== 'email'),
      authTime: decoded.auth_time,
      issuedAt: decoded.iat,
    };
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw isTokenFault(error)
      ? new ProblemError('unauthenticated', { cause: error })
      : unavailable('We can’t check logins right now. Try again in a moment.', error);
  }
}

/**
 * Addresses are compared in lower case, where another letter can become an ASCII one: the Kelvin sign is no `k`, and whoever
 * proves a mailbox with it has proved nothing about the one with a `k`. The clinic's own forms take ASCII only.
 */
function emailOf(email: string | undefined): string | undefined {
  return email !== undefined && /^[!-~]+$/.test(email) ? email.toLowerCase() : undefined;
}

async function timeLimit(): Promise<never> {
  await delay(checkWithin, undefined, { ref: false });
  throw unavailable('We can’t check logins right now. Try again in a moment.');
}

function isTokenFault(error: unknown): boolean {
  const code = firebaseCode(error);
  if (code === 'auth/argument-error') return !outOfReach.test((error as Error).message);
  return code !== undefined && tokenFaults.has(code);
}

/**
 * Whether the emulator, which may lose its data, no longer has an account. Never asks a real project: that needs
 * credentials.
 */
export async function accountIsGone({ auth, emulated }: Firebase, uid: string): Promise<boolean> {
  if (!emulated) return false;
  try {
    await auth.getUser(uid);
    return false;
  } catch (error) {
    if (firebaseCode(error) === 'auth/user-not-found') return true;
    throw unavailable('We can’t check logins right now. Try again in a moment.', error);
  }
}
