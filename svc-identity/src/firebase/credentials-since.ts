import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError, type IdToken, type Logger } from '@clinic/service-kit';
import type { Firebase } from './firebase-app.ts';

/** Milliseconds that a sign-in waits for this; it goes on without an answer. */
const answerWithin = 3_000;

/**
 * Since when an account's password and address are what they are: Firebase notes when either changes. Read only where we
 * have rights over accounts (the emulator, or a service account).
 *
 * @returns `undefined` where it can't be told
 */
export async function credentialsSince({ auth, mayDelete }: Firebase, uid: string, log: Logger): Promise<Date | undefined> {
  if (!mayDelete) return undefined;
  const timer = new AbortController();
  try {
    const account = await Promise.race([auth.getUser(uid), delay(answerWithin, undefined, { signal: timer.signal })]);
    const since = Date.parse(account?.tokensValidAfterTime ?? '');
    return Number.isNaN(since) ? undefined : new Date(since);
  } catch (error) {
    // What the browser says of a changed password is still followed.
    log.warn({ reason: (error as Error).message }, 'Firebase did not say when the credentials changed');
    return undefined;
  } finally {
    timer.abort();
  }
}

/** @throws ProblemError unauthenticated when the token was issued before the password or address was changed */
export function refuseOlderToken({ issuedAt }: IdToken, since: Date | undefined): void {
  if (since && issuedAt * 1_000 < since.getTime()) throw new ProblemError('unauthenticated', { detail: 'Please log in again.' });
}
