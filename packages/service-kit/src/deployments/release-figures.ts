/** Days, by UTC, for which figures are kept; today is the last one. */
export const figureDays = 7;

/** Upper limits of the buckets in which web vitals are counted: LCP and INP in milliseconds, CLS without a unit. */
export const vitalLimits = {
  LCP: [250, 500, 750, 1000, 1250, 1500, 1750, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 12_000, 20_000],
  INP: [16, 32, 50, 75, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 2000, 5000],
  CLS: [0.001, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 0.75, 1, 2],
} as const;
export type Vital = keyof typeof vitalLimits;
const vitals = Object.keys(vitalLimits) as readonly Vital[];

/** Reports of visitors' pages about one release. */
export interface ReleaseFigures {
  visits: number;
  /** Visits with an error of the remote. */
  errors: number;
  /** Reports by bucket; one bucket more than there are limits. */
  readonly vitals: { readonly [Name in Vital]: number[] };
}

/** Figures before anything is counted. */
export function noFigures(): ReleaseFigures {
  const empty = (name: Vital): number[] => Array.from({ length: vitalLimits[name].length + 1 }, () => 0);
  return { visits: 0, errors: 0, vitals: { LCP: empty('LCP'), INP: empty('INP'), CLS: empty('CLS') } };
}

/** Counts a reported value. @param value - milliseconds, or CLS */
export function countVital(figures: ReleaseFigures, name: Vital, value: number): void {
  const above = vitalLimits[name].findIndex((limit) => value <= limit);
  const counts = figures.vitals[name];
  const bucket = above === -1 ? counts.length - 1 : above;
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

/**
 * The value that three quarters of the reports don't exceed, as web vitals are judged
 * (https://web.dev/articles/vitals); within a bucket, reports are assumed to be evenly spread.
 *
 * @returns milliseconds, or CLS; `undefined` without reports
 */
export function p75(figures: ReleaseFigures, name: Vital): number | undefined {
  const counts = figures.vitals[name];
  const limits = vitalLimits[name];
  let missing = counts.reduce((sum, count) => sum + count, 0) * 0.75;
  if (missing === 0) return undefined;
  for (const [bucket, count] of counts.entries()) {
    const below = limits[bucket - 1] ?? 0;
    // The last bucket has no upper limit to interpolate to.
    if (count >= missing) return below + ((limits[bucket] ?? below) - below) * (missing / count);
    missing -= count;
  }
  return limits.at(-1);
}

/** Adds a process's figures to a sum. */
export function addFigures(sum: ReleaseFigures, part: ReleaseFigures): void {
  sum.visits += part.visits;
  sum.errors += part.errors;
  for (const name of vitals)
    for (const [bucket, count] of part.vitals[name].entries())
      sum.vitals[name][bucket] = (sum.vitals[name][bucket] ?? 0) + count;
}

/** The first day, by UTC, that figures cover now. @param now - milliseconds since 1970 */
export function firstDay(now: number): string {
  return new Date(now - (figureDays - 1) * 86_400_000).toISOString().slice(0, 10);
}
