import type { Canary, CanaryCounts, CanaryEnd } from './canary-log.ts';
import type { ReleaseDecision } from './release-decisions.ts';
import { p75, type ReleaseFigures } from './release-figures.ts';

const percent = (part: number): string => `${Number((part * 100).toFixed(2))}%`;

const figures = ({ visits, errors }: CanaryCounts): string => `${visits} visits, ${errors} with an error`;

/** A running canary in one line. @param counts - none right after its start */
export function describeCanary(
  { version, share, errorRate, minVisits, quietMinutes }: Canary,
  counts?: CanaryCounts,
): string {
  const so = counts ? `: ${figures(counts)} so far` : '';
  return `${percent(share)} of visitors get ${version}${so}. After ${minVisits} visits it is rolled back at ${percent(errorRate)} with an error, and promoted after ${quietMinutes} minutes without one.`;
}

/** The last canary in one line. */
export function describeEnded({ version, outcome, at, ...counts }: Canary & CanaryEnd): string {
  return `The last canary, ${version}, was ${outcome} on ${at.slice(0, 16).replace('T', ' ')}: ${figures(counts)}.`;
}

const outcomes = {
  pin: 'pinned',
  unpin: 'unpinned',
  rollback: 'rolled back to',
  canary: 'started as a canary',
  stop: 'stopped as a canary',
} as const satisfies Record<ReleaseDecision['kind'], string>;

/** The last decision of an operator in one line. */
export function describeDecision({ kind, version, account, at }: ReleaseDecision): string {
  const who = account === undefined ? 'here' : `by the admin with the account ${account}`;
  return `Last decided ${who} on ${at.slice(0, 16).replace('T', ' ')}: ${version ?? 'the next deployment'} ${outcomes[kind]}.`;
}

/** What visitors' pages have reported about a release, in a few words. */
export function describeFigures(of: ReleaseFigures): string {
  const [lcp, inp, cls] = (['LCP', 'INP', 'CLS'] as const).map((name) => p75(of, name));
  return [
    figures(of),
    lcp !== undefined && `LCP ${(lcp / 1000).toFixed(1)} s`,
    inp !== undefined && `INP ${Math.round(inp)} ms`,
    cls !== undefined && `CLS ${cls.toFixed(2)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
