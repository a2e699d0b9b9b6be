import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { ifPresent } from './atomic-files.ts';

// Source maps hold the sources, so they aren't part of what is served.
const folderOf = (releases: string): string => path.join(releases, 'maps');

/**
 * Keeps the source maps of a build's scripts with its release, if the build has any: in the folder `maps` beside it.
 *
 * @param releases - folder of releases
 * @param directory - the build
 */
export async function keepMaps(releases: string, directory: string, version: string): Promise<void> {
  const source = path.join(directory, '..', 'maps');
  const names = (await ifPresent(readdir(source))) ?? [];
  // The folder also has those of earlier builds.
  const scripts = new Set(await readdir(directory));
  const kept = names.filter((name) => name.endsWith('.map') && scripts.has(name.slice(0, -'.map'.length)));
  if (kept.length === 0) return;
  const target = path.join(folderOf(releases), version);
  await mkdir(target, { recursive: true });
  for (const name of kept) await cp(path.join(source, name), path.join(target, name));
}

/** Removes the source maps of a release that is no longer kept. */
export async function removeMaps(releases: string, version: string): Promise<void> {
  await rm(path.join(folderOf(releases), version), { recursive: true, force: true });
}
