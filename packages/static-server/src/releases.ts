import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { readCanary } from './canary-log.ts';
import { hasCode, ifPresent, readJson, writeWhole } from './atomic-files.ts';
import { keepMaps, removeMaps } from './release-maps.ts';

/** Number of releases kept: open pages still need their files, and operators can roll back to one. */
export const keptReleases = 5;

/** A deployed build that is kept. */
export interface Release {
  /** From its `remote.json`, e.g. `1.2.0+5fd4af00`; a digest if there is none. */
  readonly version: string;
  /** When it was deployed, as an ISO instant. */
  readonly at: string;
  /** Digest of all its files. */
  readonly digest: string;
}

/** State of a folder of releases. */
export interface ReleaseState {
  /** Newest first. */
  readonly releases: readonly Release[];
  /** Version of the last deployment. */
  readonly deployed: string | undefined;
  /** Version served instead of it. */
  readonly pinned: string | undefined;
  /** Version that an operator rolled back from: the pin ends when another one is deployed. */
  readonly rolledBackFrom: string | undefined;
}

/** A command failed; the message is for the operator. */
export class ReleaseError extends Error {}

/** Reads a folder of releases. A missing folder counts as empty. */
export async function readReleases(folder: string): Promise<ReleaseState> {
  const names = (await ifPresent(readdir(folder))) ?? [];
  const read = names.filter((name) => name.endsWith('.json')).map((name) => readJson<Release>(path.join(folder, name)));
  const releases = (await Promise.all(read)).filter((release) => release !== undefined);
  const note = async (name: string): Promise<string | undefined> =>
    (await ifPresent(readFile(path.join(folder, name), 'utf8')))?.trim();
  return {
    releases: releases.toSorted((a, b) => (a.at < b.at ? 1 : -1)),
    deployed: await note('deployed'),
    pinned: await note('pinned'),
    rolledBackFrom: await note('rolled-back-from'),
  };
}

/** The release to serve: the pinned one if it is still kept, otherwise the deployed one. */
export function servedRelease({ releases, deployed, pinned }: ReleaseState): Release | undefined {
  const find = (version: string | undefined): Release | undefined =>
    releases.find((release) => release.version === version);
  return find(pinned) ?? find(deployed);
}

/** Note to operators about a pin; `undefined` if the last deployment is served. */
export function pinNote(state: ReleaseState): string | undefined {
  const served = servedRelease(state);
  if (!served || served.version !== state.pinned) return undefined;
  const until =
    state.rolledBackFrom === undefined
      ? "pinned until 'unpin'"
      : isPromoted(state)
        ? `promoted over ${state.rolledBackFrom} until the next deployment`
        : `pinned by a rollback from ${state.rolledBackFrom} until the next deployment`;
  return `${until}: ${served.version} is served, ${served.version === state.deployed ? 'which' : state.deployed} was deployed last`;
}

/** Whether the served release was promoted over the deployed one: it is the newer of the two. */
export function isPromoted(state: ReleaseState): boolean {
  const served = servedRelease(state);
  const deployed = state.releases.find(({ version }) => version === state.deployed);
  return served !== undefined && deployed !== undefined && deployed.at < served.at;
}

/** Where a release's files are. */
export function folderOf(folder: string, { version }: Pick<Release, 'version'>): string {
  if (!/^\w[\w.+-]*$/.test(version)) throw new ReleaseError(`${version} is not a version`);
  return path.join(folder, version);
}

/**
 * Stores a build as a release, marks it as deployed, and removes the oldest. Several servers may share a folder. A
 * roll-back ends when a release other than the one rolled back from is deployed; a server that restarts with that one
 * changes nothing.
 *
 * @param directory - the build
 */
export async function keepRelease(folder: string, directory: string, release: Omit<Release, 'at'>): Promise<void> {
  const isNew = await storeRelease(folder, directory, release);
  const { deployed, rolledBackFrom } = await readReleases(folder);
  if (!isNew && deployed === release.version) return;
  await writeWhole(`${folderOf(folder, release)}.json`, describe(release));
  await writeWhole(path.join(folder, 'deployed'), release.version);
  if (rolledBackFrom !== undefined && rolledBackFrom !== release.version) await unpinRelease(folder);
  await removeOldest(folder);
}

/**
 * Stores a build as a release that isn't served: the last deployed one stays.
 *
 * @param directory - the build
 */
export async function addRelease(folder: string, directory: string, release: Omit<Release, 'at'>): Promise<void> {
  if (!(await storeRelease(folder, directory, release))) return;
  await writeWhole(`${folderOf(folder, release)}.json`, describe(release));
  await removeOldest(folder);
}

function describe(release: Omit<Release, 'at'>): string {
  return JSON.stringify({ ...release, at: new Date().toISOString() } satisfies Release);
}

/** Copies a build's files into the folder of releases. @returns whether they were new */
async function storeRelease(folder: string, directory: string, release: Omit<Release, 'at'>): Promise<boolean> {
  const target = folderOf(folder, release);
  await mkdir(folder, { recursive: true });
  const { releases } = await readReleases(folder);
  if (releases.find(({ version }) => version === release.version)?.digest === release.digest) return false;
  await keepMaps(folder, directory, release.version);
  const fresh = `${target}~${randomBytes(4).toString('hex')}`;
  await cp(directory, fresh, { recursive: true });
  await rm(target, { recursive: true, force: true });
  try {
    await rename(fresh, target);
  } catch (error) {
    // Another server that shares this folder was faster and stored the same build.
    await rm(fresh, { recursive: true, force: true });
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  }
  return true;
}

/**
 * Finds a kept release.
 *
 * @param requested - a version: in full, without its digest, or a prefix; the latest match wins
 * @throws ReleaseError if none matches
 */
export function findRelease({ releases }: Pick<ReleaseState, 'releases'>, requested: string): Release {
  const found =
    releases.find(({ version }) => version === requested) ??
    releases.find(({ version }) => version.split('+')[0] === requested) ??
    releases.find(({ version }) => requested !== '' && version.startsWith(requested));
  if (!found)
    throw new ReleaseError(
      `There is no release ${requested} here; there are ${releases.map(({ version }) => version).join(', ') || 'none'}`,
    );
  return found;
}

/**
 * Serves a release instead of the deployed one, until it is unpinned.
 *
 * @param requested - a version: in full, without its digest, or a prefix; the latest match wins
 * @throws ReleaseError if none matches
 */
export async function pinRelease(folder: string, requested: string): Promise<Release> {
  const found = findRelease(await readReleases(folder), requested);
  // In this order, a concurrent deployment can only end a roll-back.
  await rm(path.join(folder, 'rolled-back-from'), { force: true });
  await writeWhole(path.join(folder, 'pinned'), found.version);
  return found;
}

/** Whether there is a release before the served one. */
export function hasPrevious(state: ReleaseState): boolean {
  const served = servedRelease(state);
  return served !== undefined && state.releases.some(({ at }) => at < served.at);
}

/** The release before the served one. @throws ReleaseError if there is none */
export function releaseBefore(state: ReleaseState): Release {
  const served = servedRelease(state);
  const before = served && state.releases.find(({ at }) => at < served.at);
  if (!before)
    throw new ReleaseError(served ? `There is no release before ${served.version}` : 'There is no release yet');
  return before;
}

/**
 * Pins the release deployed before the current one, until another one is deployed. If the current one was pinned
 * explicitly, the new pin is explicit too.
 *
 * @throws ReleaseError if there is none
 */
export async function rollBack(folder: string): Promise<Release> {
  const state = await readReleases(folder);
  const before = releaseBefore(state);
  const pinnedExplicitly = servedRelease(state)?.version === state.pinned && state.rolledBackFrom === undefined;
  const pinned = await pinRelease(folder, before.version);
  if (state.deployed !== undefined && !pinnedExplicitly)
    await writeWhole(path.join(folder, 'rolled-back-from'), state.deployed);
  return pinned;
}

/** Serves a kept release to all visitors, until another one is deployed. Does nothing if it is no longer kept. */
export async function promoteRelease(folder: string, version: string): Promise<void> {
  const { releases, deployed } = await readReleases(folder);
  if (deployed === version) return void (await unpinRelease(folder));
  if (!releases.some((release) => release.version === version)) return;
  // Like after a roll-back, so that the next deployment ends it.
  if (deployed !== undefined) await writeWhole(path.join(folder, 'rolled-back-from'), deployed);
  await writeWhole(path.join(folder, 'pinned'), version);
}

/** Goes back to the last deployed release. */
export async function unpinRelease(folder: string): Promise<Release | undefined> {
  for (const note of ['pinned', 'rolled-back-from']) await rm(path.join(folder, note), { force: true });
  return servedRelease(await readReleases(folder));
}

async function removeOldest(folder: string): Promise<void> {
  const { releases, pinned, deployed } = await readReleases(folder);
  const canary = await readCanary(folder);
  for (const release of releases.slice(keptReleases)) {
    if ([pinned, deployed, canary?.version].includes(release.version)) continue;
    await rm(`${folderOf(folder, release)}.json`, { force: true });
    await rm(folderOf(folder, release), { recursive: true, force: true });
    await removeMaps(folder, release.version);
  }
}
