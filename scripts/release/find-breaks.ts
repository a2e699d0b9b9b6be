import { acceptedBreaks, keptReleases, releasesFolder, snapshotOf } from './call-schemas.ts';
import { everyCall } from './every-call.ts';
import { breaksBetween } from './compatibility.ts';

/** Result of the compatibility check. */
export interface Findings {
  /** Names of the compared releases. */
  readonly releases: readonly string[];
  /** Breaks without a declaration, each with its release. */
  readonly broken: readonly string[];
  /** Declared breaks that no longer exist. */
  readonly outdated: readonly string[];
}

/**
 * Compares today's calls with those of every release whose front-ends may still be deployed.
 *
 * @param folder - folder of the releases
 */
export function findBreaks(folder = releasesFolder): Findings {
  const now = snapshotOf(everyCall).calls;
  const accepted = Object.keys(acceptedBreaks(folder));
  const found = [...keptReleases(folder)].map(([name, release]) => ({
    name,
    lines: breaksBetween(release.calls, now),
  }));
  return {
    releases: found.map(({ name }) => name),
    broken: found.flatMap(({ name, lines }) =>
      lines.filter((line) => !accepted.includes(line)).map((line) => `${name} · ${line}`),
    ),
    outdated: accepted.filter((line) => found.every(({ lines }) => !lines.includes(line))),
  };
}
