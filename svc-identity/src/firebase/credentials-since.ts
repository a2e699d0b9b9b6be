import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError, type IdToken, type Logger } from '@clinic/service-kit';
import type { Firebase } from './firebase-app.ts';

/** Milliseconds to wait during a sign-in, which then continues without it. */
const answerWithin = 3_000;

/**
 * When an account's password or address last changed, as recorded by Firebase. Read only if we may manage accounts (the
 * emulator, or a service account).
 *
 * @returns `undefined` if unknown
 */
export async function credentialsSince(
  { auth, mayDelete }: Firebase,
  uid: string,
  log: Logger,
): Promise<Date | undefined> {
  if (!mayDelete) return undefined;
  try {
    const account = await Promise.race([auth.getUser(uid), delay(answerWithin, undefined, { ref: false })]);
    const since = Date.parse(account?.tokensValidAfterTime ?? '');
    return Number.isNaN(since) ? undefined : new Date(since);
  } catch (error) {
    // The sign-in goes on: the browser's own report of a changed password still counts.
    log.warn({ reason: (error as Error).message }, 'reading when credentials changed from Firebase failed');
    return undefined;
  }
}

/** @throws ProblemError unauthenticated if the token was issued before the password or address changed */
export function rejectOlderToken({ issuedAt }: IdToken, since: Date | undefined): void {
  if (since && issuedAt * 1_000 < since.getTime())
    throw new ProblemError('unauthenticated', { detail: 'Log in again.' });
}
