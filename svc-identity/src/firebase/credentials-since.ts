import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError, type IdToken, type Logger } from '@clinic/service-kit';
import type { Firebase } from './firebase-app.ts';

/** Milliseconds to wait during a sign-in, which then continues without it. */
const answerWithin = 3_000;

/** What Firebase knows of an account's password and address. */
export interface Credentials {
  /** When they last changed; `undefined` if unknown. */
  readonly since?: Date;
  /** Both are still those the account was made with. */
  readonly original?: boolean;
  /** Firebase could have been asked, but didn't answer. */
  readonly unanswered?: true;
}

/**
 * When an account's password or address last changed, as recorded by Firebase. Read only if we may manage accounts (the
 * emulator, or a service account).
 */
export async function readCredentials({ auth, mayDelete }: Firebase, uid: string, log: Logger): Promise<Credentials> {
  if (!mayDelete) return {};
  try {
    const account = await Promise.race([auth.getUser(uid), delay(answerWithin, undefined, { ref: false })]);
    const since = Date.parse(account?.tokensValidAfterTime ?? '');
    // Firebase's own clock for both, which has no fractions of a second here.
    const made = Date.parse(account?.metadata.creationTime ?? '');
    if (Number.isNaN(since) || Number.isNaN(made)) return { unanswered: true };
    return { since: new Date(since), original: Math.floor(since / 1_000) <= Math.floor(made / 1_000) };
  } catch (error) {
    // The sign-in goes on: the browser's own report of a changed password still counts.
    log.warn({ reason: (error as Error).message }, 'reading when credentials changed from Firebase failed');
    return { unanswered: true };
  }
}

/** @throws ProblemError unauthenticated if the token was issued before the password or address changed */
export function rejectOlderToken({ issuedAt }: IdToken, { since }: Credentials): void {
  if (since && issuedAt * 1_000 < since.getTime())
    throw new ProblemError('unauthenticated', { detail: 'Log in again.' });
}
