import type { CanaryRules } from './canary-log.ts';
import { ReleaseError } from './releases.ts';

/** The options of `canary` with their defaults; the share has none. */
export const defaults = { share: '', errors: '5%', visits: '50', quiet: '30m' } as const;

/** A larger share isn't a canary; the smallest one is a single group of visitors. */
const maxShare = 0.5;
const minShare = 0.01;

/**
 * Reads the options of `canary`.
 *
 * @throws ReleaseError that says what an option must be
 */
export function readRules(given: Readonly<Partial<Record<keyof typeof defaults, string>>>): CanaryRules {
  const { share, errors, visits, quiet } = { ...defaults, ...given };
  const rules = {
    share: percentOf(share),
    errorRate: percentOf(errors),
    minVisits: /^\d{1,6}$/.test(visits) ? Number(visits) : Number.NaN,
    quietMinutes: Number(/^(\d{1,4}(?:\.\d{1,3})?)m?$/.exec(quiet)?.[1] ?? Number.NaN),
  };
  if (!(rules.share >= minShare && rules.share <= maxShare))
    throw new ReleaseError('--share must be from 1% to 50%, for example --share 5%');
  if (!(rules.errorRate > 0 && rules.errorRate <= 1))
    throw new ReleaseError('--errors must be more than 0% and not more than 100%, for example --errors 5%');
  if (!(rules.minVisits >= 1))
    throw new ReleaseError('--visits must be a whole number from 1, for example --visits 50');
  if (!(rules.quietMinutes > 0)) throw new ReleaseError('--quiet must be minutes, for example --quiet 30m');
  return rules;
}

function percentOf(text: string): number {
  return Number(/^(\d{1,3}(?:\.\d{1,2})?)%$/.exec(text)?.[1] ?? Number.NaN) / 100;
}
