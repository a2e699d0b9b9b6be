import { serviceContractVersion } from '@clinic/contracts/publication';
import { contractVersion } from '@clinic/contracts/remotes';
import { pastRemotes } from '@clinic/contracts/window/remotes';
import { pastServices } from '@clinic/contracts/window/services';
import { windowFaults } from '@clinic/contracts/window/window';
import { keptReleases, type ReleaseSnapshot, releasesFolder, snapshotOf } from './call-schemas.ts';
import { everyCall } from './every-call.ts';
import { additionsOf } from './additions.ts';
import { breaksBetween, rejections } from './compatibility.ts';
import { promisedNames, providedNames } from './surface.ts';

/** How the contract has changed since the last release. */
export interface Changes {
  /** Name of that release. */
  readonly since: string;
  /** What remotes and services may use from now on; nobody has to change anything. */
  readonly additive: readonly string[];
  /** What breaks a remote or a service of an accepted contract version, without a declaration. */
  readonly breaking: readonly string[];
}

/** Names that the shell provided to remotes in the last release, and that it provides now, by library. */
export interface Surfaces {
  readonly promised: Readonly<Record<string, readonly string[]>>;
  readonly provided: Readonly<Record<string, readonly string[]>>;
}

/**
 * Compares the contract with the last release's: calls, the shell's names, what remotes and services publish, and the
 * versions. Breaks of calls are left to `findBreaks`, which compares with every release.
 *
 * @param folder - of the releases
 * @param today - 'yyyy-mm-dd'
 */
export async function changesSince(
  folder = releasesFolder,
  today = new Date().toISOString().slice(0, 10),
): Promise<Changes> {
  // The contract version doesn't matter: a raised one must have an adapter.
  const [since, before] = [...keptReleases(folder, 0)].at(-1) ?? [];
  if (since === undefined || !before) throw new Error(`${folder} has no release`);
  const surfaces = { promised: await promisedNames(), provided: await providedNames() };
  const now = snapshotOf(everyCall);
  return {
    since,
    additive: additions(before, now, surfaces),
    breaking: [
      ...removedNames(surfaces),
      ...refusedPublications(before, now),
      ...windowFaults('remotes', {
        newest: contractVersion,
        past: pastRemotes,
        released: before.contractVersion,
        today,
      }),
      ...windowFaults('services', {
        newest: serviceContractVersion,
        past: pastServices,
        released: before.serviceContractVersion ?? 1,
        today,
      }),
    ],
  };
}

/** @returns one line for each addition */
export function additions(before: ReleaseSnapshot, now: ReleaseSnapshot, { promised, provided }: Surfaces): string[] {
  const added = Object.keys(now.calls).filter((id) => !before.calls[id]);
  const broken = new Set(breaksBetween(before.calls, now.calls).map((line) => line.split(':', 1)[0]));
  const extended = Object.entries(now.calls).filter(
    ([id, call]) => before.calls[id] && !broken.has(id) && JSON.stringify(call) !== JSON.stringify(before.calls[id]),
  );
  return [
    ...added.map((id) => `${id}: a new call`),
    ...extended.flatMap(([id, call]) => {
      const named = additionsOf(before.calls[id], call);
      return (named.length > 0 ? named : ['takes or sends more']).map((line) => `${id}: ${line}`);
    }),
    ...Object.entries(provided).flatMap(([library, names]) =>
      names.filter((name) => !promised[library]?.includes(name)).map((name) => `${library}: ${name} is new`),
    ),
  ];
}

/** @returns one line for each name that deployed remotes may use and the shell lacks now */
export function removedNames({ promised, provided }: Surfaces): string[] {
  return Object.entries(promised).flatMap(([library, names]) =>
    names.filter((name) => !provided[library]?.includes(name)).map((name) => `${library}: ${name} was removed`),
  );
}

/** @returns one line for each publication that a gateway accepted, and now rejects without an adapter */
export function refusedPublications(before: ReleaseSnapshot, now: ReleaseSnapshot): string[] {
  if (!before.published || !now.published) return [];
  return [
    ...(before.contractVersion === now.contractVersion
      ? rejections(before.published.remote, now.published.remote, 'remote.json')
      : []),
    ...((before.serviceContractVersion ?? 1) === now.serviceContractVersion
      ? rejections(before.published.service, now.published.service, 'publication of a service')
      : []),
  ];
}
