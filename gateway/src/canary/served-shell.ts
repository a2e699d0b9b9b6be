import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ifPresent } from '@clinic/static-server/atomic-files';
import { folderOf, readReleases, servedRelease } from '@clinic/static-server/releases';
import { mainScriptOf } from '../pages/shell-page.ts';

/** The release of the shell that visitors get. */
export interface ServedShell {
  /** As its releases are listed. */
  readonly version: string;
  /** File name of its main script, which is all that a page knows about its own release. */
  readonly script: string;
}

/**
 * Reads which release of the shell is served.
 *
 * @param releases - folder of its releases
 * @returns `undefined` if none is kept there
 */
export async function readServedShell(releases: string): Promise<ServedShell | undefined> {
  const served = servedRelease(await readReleases(releases));
  if (!served) return undefined;
  const page = await ifPresent(readFile(path.join(folderOf(releases, served), 'index.html'), 'utf8'));
  const script = mainScriptOf(page ?? '');
  return script === undefined ? undefined : { version: served.version, script };
}
