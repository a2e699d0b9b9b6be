import { endCanary, readCanary, totalCounts, type Canary, type CanaryCounts, type CanaryEnd } from './canary.ts';
import { ReleaseError } from './releases.ts';

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

/** Stops a running canary. @throws ReleaseError if none is running */
export async function stopCanary(folder: string): Promise<string> {
  const canary = await readCanary(folder);
  if (!canary) throw new ReleaseError('No canary is running');
  const counts = await totalCounts(folder, canary);
  if (!(await endCanary(folder, canary, { ...counts, outcome: 'stopped' })))
    throw new ReleaseError('The canary has just ended');
  return `Nobody gets ${canary.version} any more; open pages keep what they have loaded.`;
}
