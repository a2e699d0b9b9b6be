import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** So many releases are kept: pages that are open hold on to their files, and operators go back to one of them. */
export const keptReleases = 5;

/** A build that was deployed once and is kept. */
export interface Release {
  /** As its `remote.json` says, e.g. `1.2.0+5fd4af00`; a digest where there is none. */
  readonly version: string;
  /** When it was deployed, ISO. */
  readonly at: string;
  /** Of all its files. */
  readonly digest: string;
}

/** What a folder of releases says. */
export interface ReleaseState {
  /** The latest first. */
  readonly releases: readonly Release[];
  /** What the last deployment brought. */
  readonly deployed: string | undefined;
  /** What is served instead of it. */
  readonly pinned: string | undefined;
  /** The release that an operator rolled back from: the pin ends with the next deployment of another one. */
  readonly rolledBackFrom: string | undefined;
}

/** A wish that can't be fulfilled, in words for the operator. */
export class ReleaseError extends Error {}

/** Reads a folder of releases; an empty one where there is no such folder. */
export async function readReleases(folder: string): Promise<ReleaseState> {
  const names = (await orNothing(readdir(folder))) ?? [];
  const read = names.filter((name) => name.endsWith('.json')).map((name) => orNothing(readFile(path.join(folder, name), 'utf8')));
  const releases = (await Promise.all(read)).filter((text) => text !== undefined).map((text) => JSON.parse(text) as Release);
  const note = async (name: string): Promise<string | undefined> => (await orNothing(readFile(path.join(folder, name), 'utf8')))?.trim();
  return { releases: releases.toSorted((a, b) => (a.at < b.at ? 1 : -1)), deployed: await note('deployed'), pinned: await note('pinned'), rolledBackFrom: await note('rolled-back-from') };
}

/** Which release is served: the pinned one while it is kept, else the deployed one. */
export function servedRelease({ releases, deployed, pinned }: ReleaseState): Release | undefined {
  const find = (version: string | undefined): Release | undefined => releases.find((release) => release.version === version);
  return find(pinned) ?? find(deployed);
}

/** What operators should know of what is served; nothing when that follows each deployment. */
export function pinNote(state: ReleaseState): string | undefined {
  const served = servedRelease(state);
  if (!served || served.version !== state.pinned) return undefined;
  const until = state.rolledBackFrom === undefined ? "pinned until 'unpin'" : `pinned by a rollback from ${state.rolledBackFrom} until the next deployment`;
  return `${until}: ${served.version} is served, ${served.version === state.deployed ? 'which' : state.deployed} was deployed last`;
}

/** Where a release's files are. */
export function folderOf(folder: string, { version }: Pick<Release, 'version'>): string {
  if (!/^\w[\w.+-]*$/.test(version)) throw new ReleaseError(`${version} is no version`);
  return path.join(folder, version);
}

/**
 * Keeps a build as a release and as the deployed one, and lets the oldest go. Several servers may share a folder. What an
 * operator rolled back from is replaced so: the roll-back ends. A server that starts with it once more changes nothing.
 *
 * @param directory - the build
 */
export async function keepRelease(folder: string, directory: string, release: Omit<Release, 'at'>): Promise<void> {
  const target = folderOf(folder, release);
  await mkdir(folder, { recursive: true });
  const { releases, deployed, rolledBackFrom } = await readReleases(folder);
  const known = releases.find(({ version }) => version === release.version);
  if (known?.digest !== release.digest) {
    const fresh = `${target}~${randomBytes(4).toString('hex')}`;
    await cp(directory, fresh, { recursive: true });
    await rm(target, { recursive: true, force: true });
    try {
      await rename(fresh, target);
    } catch (error) {
      // Another server of this folder was faster: the same build is there.
      await rm(fresh, { recursive: true, force: true });
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    }
  }
  if (known?.digest === release.digest && deployed === release.version) return;
  await write(`${target}.json`, JSON.stringify({ ...release, at: new Date().toISOString() } satisfies Release));
  await write(path.join(folder, 'deployed'), release.version);
  if (rolledBackFrom !== undefined && rolledBackFrom !== release.version) await unpinRelease(folder);
  await forgetOldest(folder);
}

/**
 * Serves a release instead of the deployed one, until it is unpinned.
 *
 * @param wanted - a version: whole, without its digest, or the beginning of it; the latest that fits is taken
 * @throws ReleaseError when none fits
 */
export async function pinRelease(folder: string, wanted: string): Promise<Release> {
  const { releases } = await readReleases(folder);
  const found = releases.find(({ version }) => version === wanted) ?? releases.find(({ version }) => version.split('+')[0] === wanted) ?? releases.find(({ version }) => wanted !== '' && version.startsWith(wanted));
  if (!found) throw new ReleaseError(`There is no release ${wanted} here; there are ${releases.map(({ version }) => version).join(', ') || 'none'}`);
  // In this order a deployment that comes between ends nothing but a roll-back.
  await rm(path.join(folder, 'rolled-back-from'), { force: true });
  await write(path.join(folder, 'pinned'), found.version);
  return found;
}

/**
 * Pins the release that was deployed before the one that is served, until another one is deployed. From a release that was
 * pinned on purpose it leads to another such pin.
 *
 * @throws ReleaseError when there is none
 */
export async function rollBack(folder: string): Promise<Release> {
  const state = await readReleases(folder);
  const served = servedRelease(state);
  const before = served && state.releases.find(({ at }) => at < served.at);
  if (!before) throw new ReleaseError(served ? `There is no release before ${served.version}` : 'There is no release yet');
  const onPurpose = served.version === state.pinned && state.rolledBackFrom === undefined;
  const pinned = await pinRelease(folder, before.version);
  if (state.deployed !== undefined && !onPurpose) await write(path.join(folder, 'rolled-back-from'), state.deployed);
  return pinned;
}

/** Serves what was deployed last again. */
export async function unpinRelease(folder: string): Promise<Release | undefined> {
  for (const note of ['pinned', 'rolled-back-from']) await rm(path.join(folder, note), { force: true });
  return servedRelease(await readReleases(folder));
}

async function forgetOldest(folder: string): Promise<void> {
  const { releases, pinned, deployed } = await readReleases(folder);
  for (const release of releases.slice(keptReleases)) {
    if (release.version === pinned || release.version === deployed) continue;
    await rm(`${folderOf(folder, release)}.json`, { force: true });
    await rm(folderOf(folder, release), { recursive: true, force: true });
  }
}

/** Whole or not at all: others read it at any time. */
async function write(file: string, text: string): Promise<void> {
  const fresh = `${file}~${randomBytes(4).toString('hex')}`;
  await writeFile(fresh, text);
  await rename(fresh, file);
}

async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    // Not there yet, or forgotten just now.
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
