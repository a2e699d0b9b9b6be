import { ProblemError, SharedCount, type SecretBox } from '@clinic/service-kit';
import type { SigningKey } from '../sessions/signing-key.ts';
import type { IdentityContext } from '../settings.ts';
import { secretBoxOf } from './secret-box.ts';

/** Resources for checking and setting up second factors. */
export interface SecondFactors {
  readonly box: SecretBox;
  /**
   * Counts an attempt before checking the code, so that concurrent attempts can't exceed the limit; over all replicas
   * together.
   *
   * @param userId - whose code
   * @param check - throws if the code is wrong
   * @throws ProblemError rate_limited
   */
  readonly countTry: (userId: string, check: () => Promise<void>) => Promise<void>;
}

/** Wrong codes allowed per account and window; guessing a code has a chance of 3 in 1,000,000. */
const wrongCodes = 5;
const windowMs = 15 * 60_000;

export function openSecondFactors(context: IdentityContext, key: SigningKey, previousKey?: SigningKey): SecondFactors {
  const count = new SharedCount(context, 'second factor', wrongCodes, windowMs);
  const countTry: SecondFactors['countTry'] = async (userId, check) => {
    const { totalHits, resetTime } = await count.increment(userId);
    if (totalHits > wrongCodes) {
      const seconds = Math.max(1, Math.ceil(((resetTime?.getTime() ?? 0) - Date.now()) / 1_000));
      throw new ProblemError('rate_limited', {
        detail: `Too many wrong codes. Try again in ${Math.ceil(seconds / 60)} minutes.`,
        retryAfter: seconds,
      });
    }
    await check();
    await count.decrement(userId);
  };
  return { box: secretBoxOf(key, previousKey), countTry };
}
