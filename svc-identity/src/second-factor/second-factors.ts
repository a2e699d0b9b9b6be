import { ProblemError, SharedCount, type SecretBox } from '@clinic/service-kit';
import type { SigningKey } from '../sessions/signing-key.ts';
import type { IdentityContext } from '../settings.ts';
import { secretBoxOf } from './secret-box.ts';

/** Resources for checking and setting up second factors. */
export interface SecondFactors {
  readonly box: SecretBox;
  readonly tries: CodeTries;
}

export function openSecondFactors(context: IdentityContext, key: SigningKey, previousKey?: SigningKey): SecondFactors {
  return { box: secretBoxOf(key, previousKey), tries: new CodeTries(context) };
}

/** Wrong codes allowed per account and window; guessing a code has a chance of 3 in 1,000,000. */
export const wrongCodes = 5;
const windowMs = 15 * 60_000;

/** Counts an account's wrong codes, over all replicas together. */
export class CodeTries {
  readonly #count: SharedCount;

  constructor(context: IdentityContext) {
    this.#count = new SharedCount(context, 'second factor', wrongCodes, windowMs);
  }

  /**
   * Counts an attempt before checking the code, so that concurrent attempts can't exceed the limit.
   *
   * @param userId - whose code
   * @param check - throws if the code is wrong
   * @throws ProblemError rate_limited
   */
  async count(userId: string, check: () => Promise<void>): Promise<void> {
    const { totalHits, resetTime } = await this.#count.increment(userId);
    if (totalHits > wrongCodes) {
      const seconds = Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1_000));
      throw new ProblemError('rate_limited', {
        detail: `Too many wrong codes. Try again in ${Math.ceil(seconds / 60)} minutes.`,
        retryAfter: seconds,
      });
    }
    await check();
    await this.#count.decrement(userId);
  }
}
