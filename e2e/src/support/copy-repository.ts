import { existsSync } from 'node:fs';
import { copyFile, cp, glob, lstat, mkdir, mkdtemp, readdir, readlink, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** Not copied: installed, downloaded or generated files, and data. */
const leftOut = /(?:^|\/)(?:node_modules|\.git|\.data|test-results|\.cache\/(?:compiled|webpack))$/;

/** Copies the repository with its builds into a temporary folder. Links the installed libraries, so that it takes only a second. */
export async function copyRepository(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'clinic-copy-'));
  await cp(root, copy, { recursive: true, filter: (source) => !leftOut.test(relative(root, source)) });
  await linkLibraries(copy);
  for await (const folder of glob(['*', '{packages,stand-ins}/*'], { cwd: root })) {
    const own = join(root, folder, 'node_modules');
    if (folder !== 'node_modules' && (await lstat(own).catch(() => undefined)))
      await symlink(own, join(copy, folder, 'node_modules'));
  }
  return copy;
}

/** Libraries are linked to the original; workspaces to the copy. */
export async function linkLibraries(copy: string): Promise<void> {
  const from = join(root, 'node_modules');
  const to = join(copy, 'node_modules');
  await mkdir(join(to, '@clinic'), { recursive: true });
  for (const name of await readdir(from)) {
    if (name === '.installed-for') await copyFile(join(from, name), join(to, name));
    else if (name !== '@clinic') await symlink(join(from, name), join(to, name));
  }
  for (const name of await readdir(join(from, '@clinic'))) {
    const target = relative(root, resolve(from, '@clinic', await readlink(join(from, '@clinic', name))));
    // Releases before 2026-11-26 have the stand-ins among the packages.
    const former = join(copy, 'packages', name);
    await symlink(existsSync(former) ? former : join(copy, target), join(to, '@clinic', name));
  }
}
