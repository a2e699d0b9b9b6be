import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stack/settings.ts';

interface RootPackage {
  readonly workspaces: readonly string[];
}

/** Folders of all workspaces that have a file, relative to the root, e.g. those with a `tsconfig.json`. */
export function workspacesWith(file: string): string[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as RootPackage;
  return globSync([...workspaces], { cwd: root })
    .filter((folder) => existsSync(join(root, folder, file)))
    .toSorted();
}
