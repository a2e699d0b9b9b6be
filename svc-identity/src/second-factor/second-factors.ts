import { networkOf } from '@clinic/contracts/network';
import { ProblemError, SharedCount, type SecretBox } from '@clinic/service-kit';
import type { SigningKey } from '../sessions/signing-key.ts';
import type { IdentityContext } from '../settings.ts';
import { secretBoxOf } from './secret-box.ts';

/**
 * Where a code comes from: a session of the account or a browser that has passed its second factor before, or else a
 * network address.
 */
export type CodeSource = `session ${string}` | `device ${string}` | { readonly network: string };

/** Resources for checking and setting up second factors. */
export interface SecondFactors {
  readonly box: SecretBox;
  /**
   * Counts an attempt before checking the code, so that concurrent attempts can't exceed the limits; over all replicas
   * together. Wrong codes cost the one who types them: they count for their source. The limit for all unknown sources
   * together stops a guesser with many networks, and never applies to a device that is known.
   *
   * @param userId - whose code
   * @param check - throws `second_factor_wrong` if the code is; anything else, such as an outage, doesn't count
   * @throws ProblemError rate_limited
   */
  readonly countTry: (userId: string, source: CodeSource, check: () => Promise<void>) => Promise<void>;
}

/** Wrong codes allowed per account, source and window; guessing a code has a chance of 3 in 1,000,000. */
const wrongCodes = 5;
/** Wrong codes allowed per account and window from all unknown devices together. */
const wrongCodesOfUnknown = 20;
const windowMs = 15 * 60_000;

export function openSecondFactors(context: IdentityContext, key: SigningKey, previousKey?: SigningKey): SecondFactors {
  const bySource = new SharedCount(context, 'second factor by source', wrongCodes, windowMs);
  const byAccount = new SharedCount(context, 'second factor', wrongCodesOfUnknown, windowMs);
  const countTry: SecondFactors['countTry'] = async (userId, source, check) => {
    const counts: [SharedCount, string, number][] =
      typeof source === 'string'
        ? [[bySource, `${userId} ${source}`, wrongCodes]]
        : [
            [bySource, `${userId} network ${networkOf(source.network)}`, wrongCodes],
            [byAccount, userId, wrongCodesOfUnknown],
          ];
    // In this order, so that attempts beyond a source's own limit don't use up everybody's.
    for (const [count, name, limit] of counts) {
      const { totalHits, resetTime } = await count.increment(name);
      if (totalHits > limit) throw tooMany(resetTime);
    }
    let isWrong = false;
    try {
      await check();
    } catch (error) {
      isWrong = error instanceof ProblemError && error.code === 'second_factor_wrong';
      throw error;
    } finally {
      if (!isWrong) for (const [count, name] of counts) await count.decrement(name);
    }
  };
  return { box: secretBoxOf(key, previousKey), countTry };
}

function tooMany(until: Date): ProblemError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1_000));
  return new ProblemError('rate_limited', {
    detail: `Too many wrong codes. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    retryAfter: seconds,
  });
}
