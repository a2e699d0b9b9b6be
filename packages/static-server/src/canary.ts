import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { ifPresent, readJson, writeWhole } from './atomic-files.ts';
import {
  canaryFolder,
  logEnd,
  logStart,
  readCanary,
  type Canary,
  type CanaryCounts,
  type CanaryEnd,
  type CanaryRules,
} from './canary-log.ts';
import { findRelease, folderOf, promoteRelease, readReleases, ReleaseError, servedRelease } from './releases.ts';

export { endedCanaries, readCanary, type Canary, type CanaryCounts, type CanaryEnd } from './canary-log.ts';

/** One process's counts of a canary. */
interface ProcessCounts extends CanaryCounts {
  /** When the last error was reported, in milliseconds since 1970; 0 if none. */
  readonly lastErrorAt: number;
}

/**
 * Gives a kept release to a share of the visitors.
 *
 * @param requested - its version, as for a pin
 * @throws ReleaseError if there is no such release, everybody has it, it isn't a remote's, or another canary is running
 */
export async function startCanary(releases: string, requested: string, rules: CanaryRules): Promise<Canary> {
  const state = await readReleases(releases);
  const { version } = findRelease(state, requested);
  if (version === servedRelease(state)?.version) throw new ReleaseError(`Everybody has ${version} already`);
  // The shell can't have a canary: all visitors get the same page.
  if ((await readCanaryDescriptor(releases, { version })) === undefined)
    throw new ReleaseError('Only a remote can have a canary: this release has no remote.json');
  const started = await logStart(releases, { ...rules, version });
  if (started) return started;
  const running = await readCanary(releases);
  throw new ReleaseError(`The canary ${running?.version ?? ''} is running; run 'stop' first`);
}

/**
 * Ends a canary: afterwards all visitors get it, or none.
 *
 * @returns whether this call ended it, rather than another process before
 */
export async function endCanary(
  releases: string,
  canary: Canary,
  end: Pick<CanaryEnd, 'outcome'> & CanaryCounts,
): Promise<boolean> {
  if (!(await logEnd(releases, canary, end))) return false;
  if (end.outcome === 'promoted') await promoteRelease(releases, canary.version);
  return true;
}

/** Stores a process's counts of a canary so far. @param counter - name of the process, of letters and digits */
export async function storeCounts(
  releases: string,
  { id }: Canary,
  counter: string,
  counts: ProcessCounts,
): Promise<void> {
  await writeWhole(path.join(canaryFolder(releases), `${id}-counts-${counter}`), JSON.stringify(counts));
}

/** Adds up the counts of a canary from all processes. */
export async function totalCounts(releases: string, { id }: Canary): Promise<ProcessCounts> {
  const folder = canaryFolder(releases);
  const names = (await ifPresent(readdir(folder))) ?? [];
  const counts = names
    .filter((name) => name.startsWith(`${id}-counts-`) && !name.includes('~'))
    .map((name) => readJson<ProcessCounts>(path.join(folder, name)));
  const all = (await Promise.all(counts)).filter((each) => each !== undefined);
  return {
    visits: all.reduce((sum, { visits }) => sum + visits, 0),
    errors: all.reduce((sum, { errors }) => sum + errors, 0),
    lastErrorAt: Math.max(0, ...all.map(({ lastErrorAt }) => lastErrorAt)),
  };
}

/**
 * Decides about a canary.
 *
 * @param now - milliseconds since 1970
 * @returns `undefined` while it stays undecided
 */
export function judge(
  { since, errorRate, minVisits, quietMinutes }: Canary,
  { visits, errors, lastErrorAt }: ProcessCounts,
  now: number,
): 'promoted' | 'rolled back' | undefined {
  // A page that breaks at once may report its error but never its visit.
  const seen = Math.max(visits, errors);
  if (seen < minVisits) return undefined;
  if (errors > 0 && errors >= seen * errorRate) return 'rolled back';
  return now - Math.max(Date.parse(since), lastErrorAt) >= quietMinutes * 60_000 ? 'promoted' : undefined;
}

/** The text of a canary's `remote.json`; `undefined` if the release has been removed. */
export async function readCanaryDescriptor(
  releases: string,
  canary: Pick<Canary, 'version'>,
): Promise<string | undefined> {
  return ifPresent(readFile(path.join(folderOf(releases, canary), 'remote.json'), 'utf8'));
}
