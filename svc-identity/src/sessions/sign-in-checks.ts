import { ProblemError } from '@clinic/service-kit';
import type { UserRecord } from '../users/user-record.ts';

/** Seconds after signing in during which an ID token opens a session; a stolen older one doesn't. */
const freshSignIn = 300;

/** @throws ProblemError account_disabled */
export function rejectDisabled(user: UserRecord): void {
  if (user.disabled)
    throw new ProblemError('account_disabled', { detail: 'This account is switched off. Contact the clinic.' });
}

/**
 * @param authTime - when the person proved their identity, seconds since 1970
 * @throws ProblemError unauthenticated if the proof is too old, or older than the last log-out everywhere
 */
export function requireFreshSignIn(user: Pick<UserRecord, 'sessionsEndedAt'>, authTime: number): void {
  if (Date.now() / 1_000 - authTime > freshSignIn)
    throw new ProblemError('unauthenticated', { detail: 'Log in again.' });
  requireCurrentSignIn(user, authTime);
}

/** @throws ProblemError unauthenticated if the proof is older than the last log-out everywhere */
export function requireCurrentSignIn(user: Pick<UserRecord, 'sessionsEndedAt'>, authTime: number): void {
  const loggedOut = Math.floor((user.sessionsEndedAt?.getTime() ?? 0) / 1_000);
  if (authTime < loggedOut) throw new ProblemError('unauthenticated', { detail: 'Log in again.' });
}
