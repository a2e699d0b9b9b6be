import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frontEnds, services } from './parts.ts';
import { root } from './settings.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const ours = '@clinic/';

/** Folder of one of our packages, e.g. `packages/ui`. */
function folderOf(name: string): string {
  const folder = name.slice(ours.length);
  const parent = ['packages', 'stand-ins'].find((each) => existsSync(join(root, each, folder)));
  return parent === undefined ? folder : `${parent}/${folder}`;
}

/** The folders whose code a workspace runs, itself included, by the dependencies in its package.json. */
export function codeOf(folder: string, also: readonly string[] = []): Set<string> {
  const found = new Set<string>();
  const queue = [folder, ...also];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, next, 'package.json'), 'utf8')) as Manifest;
    queue.push(
      ...Object.keys(dependencies)
        .filter((name) => name.startsWith(ours))
        .map(folderOf),
    );
  }
  return found;
}

/** The folders that a front-end's build reads. */
export const buildReads: ReadonlySet<string> = new Set(
  frontEnds.flatMap((app) => [...codeOf(app, ['packages/webpack-config'])]),
);

/** The programs of the stack with the folders whose code they run, in the order in which to restart them. */
const programs: readonly (readonly [name: string, code: ReadonlySet<string>])[] = [
  ...services.map((name) => [`svc-${name}`, codeOf(`svc-${name}`)] as const),
  ['gateway', codeOf('gateway')],
  ['mongo', codeOf('stand-ins/mongo-embedded')],
  ['auth-emulator', codeOf('stand-ins/auth-emulator')],
  ...frontEnds.map((app) => [app, codeOf('packages/static-server')] as const),
];

/** All folders with code that runs or is built. */
export const sources: ReadonlySet<string> = new Set([...buildReads, ...programs.flatMap(([, code]) => [...code])]);

/** The programs that must restart when one of these folders changes. */
export function programsRunning(folders: readonly string[]): string[] {
  return programs.filter(([, code]) => folders.some((folder) => code.has(folder))).map(([name]) => name);
}
