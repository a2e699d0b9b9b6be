import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode, ifPresent, readJson, writeWhole } from './atomic-files.ts';
import { keepMaps, removeMaps } from './release-maps.ts';

/** Number of releases kept: open pages still need their files, and admins can go back to one. */
export const keptReleases = 5;

/** Milliseconds for which a release stays after a gateway last asked for it, however many are deployed meanwhile. */
const inUseMs = 24 * 3_600_000;

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
  /** Version that an earlier release of this server served instead, until it was unpinned; svc-identity takes it over. */
  readonly pinned: string | undefined;
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
    // A roll-back, which the next deployment would have ended, has this note too, and ends now.
    pinned: (await note('rolled-back-from')) === undefined ? await note('pinned') : undefined,
  };
}

/** Where a release's files are. */
export function folderOf(folder: string, { version }: Pick<Release, 'version'>): string {
  if (!/^\w[\w.+-]*$/.test(version)) throw new ReleaseError(`${version} is not a version`);
  return path.join(folder, version);
}

/**
 * Stores a build as a release, marks it as deployed, and removes the oldest. Several servers may share a folder.
 *
 * @param directory - the build
 */
export async function keepRelease(folder: string, directory: string, release: Omit<Release, 'at'>): Promise<void> {
  const isNew = await storeRelease(folder, directory, release);
  const { deployed, releases } = await readReleases(folder);
  if (!isNew && deployed === release.version) return;
  await writeWhole(`${folderOf(folder, release)}.json`, describe(release, releases));
  await writeWhole(path.join(folder, 'deployed'), release.version);
  await removeOldest(folder);
}

/**
 * Stores a build as a release that isn't deployed: the last deployed one stays.
 *
 * @param directory - the build
 */
export async function addRelease(folder: string, directory: string, release: Omit<Release, 'at'>): Promise<void> {
  if (!(await storeRelease(folder, directory, release))) return;
  const { releases } = await readReleases(folder);
  await writeWhole(`${folderOf(folder, release)}.json`, describe(release, releases));
  await removeOldest(folder);
}

/** Its time is after those of all others, also if the clock has been put back: the oldest are removed. */
function describe(release: Omit<Release, 'at'>, others: readonly Release[]): string {
  const at = Math.max(Date.now(), ...others.map((other) => Date.parse(other.at) + 1));
  return JSON.stringify({ ...release, at: new Date(at).toISOString() } satisfies Release);
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

const usageFile = (folder: string, version: string): string => path.join(folder, 'in-use', version);

/** Notes that gateways give a release to visitors: it isn't removed for a day. */
export async function noteUse(folder: string, version: string): Promise<void> {
  await mkdir(path.join(folder, 'in-use'), { recursive: true });
  await writeFile(usageFile(folder, version), '');
  // By this server's clock, which {@link isInUse} compares it with: a network volume has its own.
  await utimes(usageFile(folder, version), new Date(), new Date());
}

async function isInUse(folder: string, version: string): Promise<boolean> {
  const noted = await ifPresent(stat(usageFile(folder, version)));
  return noted !== undefined && Date.now() - noted.mtimeMs < inUseMs;
}

async function removeOldest(folder: string): Promise<void> {
  const { releases, pinned, deployed } = await readReleases(folder);
  for (const release of releases.slice(keptReleases)) {
    if ([pinned, deployed].includes(release.version) || (await isInUse(folder, release.version))) continue;
    await rm(`${folderOf(folder, release)}.json`, { force: true });
    await rm(folderOf(folder, release), { recursive: true, force: true });
    await rm(usageFile(folder, release.version), { force: true });
    await removeMaps(folder, release.version);
  }
}
