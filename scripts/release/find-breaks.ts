import { calls, type CallTable } from '@clinic/contracts/calls';
import { acceptedBreaks, keptReleases, releasesFolder, snapshotOf } from './call-schemas.ts';
import { breaksBetween } from './compatibility.ts';

/** What the check of today's calls came to. */
export interface Findings {
  /** Names of the releases compared with. */
  readonly releases: readonly string[];
  /** What would break, each with the release it would break, but for what was accepted. */
  readonly broken: readonly string[];
  /** What was accepted and is no break any more. */
  readonly outdated: readonly string[];
}

/** Compares today's calls with those of every release whose front-ends may still be deployed. @param folder - where these are kept */
export function findBreaks(folder = releasesFolder): Findings {
  const now = snapshotOf(calls as CallTable).calls;
  const accepted = Object.keys(acceptedBreaks(folder));
  const found = [...keptReleases(folder)].map(([name, release]) => ({ name, lines: breaksBetween(release.calls, now) }));
  return {
    releases: found.map(({ name }) => name),
    broken: found.flatMap(({ name, lines }) => lines.filter((line) => !accepted.includes(line)).map((line) => `${name} · ${line}`)),
    outdated: accepted.filter((line) => found.every(({ lines }) => !lines.includes(line))),
  };
}
