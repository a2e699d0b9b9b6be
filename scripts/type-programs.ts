import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stack/settings.ts';
import { workspacesWith } from './workspaces.ts';

/** Folders with a configuration that are not workspaces. */
const others = ['scripts', 'system-tests', 'docker/tests', 'deploy/tests'];

/**
 * Checked with nothing beside them: services and the gateway extend types of others, which must reach nobody else, and the types of
 * the bundler bring a browser's globals.
 */
const alone = /^svc-|^gateway$|^packages\/webpack-config$/;

interface Config {
  readonly extends: string;
  readonly include: readonly string[];
  readonly [field: string]: unknown;
}

/** A run of the compiler. */
export interface TypeProgram {
  readonly name: string;
  /** The configuration, relative to the root. */
  readonly config: string;
  readonly folders: readonly string[];
}

/**
 * All folders with a `tsconfig.json`, in as few runs of the compiler as possible: those with the same settings share one,
 * which reads and checks what they have in common once instead of twenty times. Writes the configurations of such runs.
 */
export function typePrograms(): readonly TypeProgram[] {
  const groups = Map.groupBy([...others, ...workspacesWith('tsconfig.json')], groupOf);
  return [...groups].map(([name, folders]) => ({
    name,
    config: folders.length === 1 ? folders.join() : writeConfig(name, folders),
    folders,
  }));
}

const readConfig = (folder: string): Config =>
  JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8')) as Config;

function groupOf(folder: string): string {
  const { extends: base, include: _files, ...own } = readConfig(folder);
  if (alone.test(folder) || Object.keys(own).length > 0) return folder.replaceAll('/', '-');
  if (others.includes(folder)) return 'tests';
  return base.endsWith('tsconfig.web.json') ? 'web' : 'node';
}

function writeConfig(name: string, folders: readonly string[]): string {
  const cache = join('.cache', 'types');
  const config = join(cache, `tsconfig.${name}.json`);
  mkdirSync(join(root, cache), { recursive: true });
  const include = folders.flatMap((folder) => readConfig(folder).include.map((files) => `../../${folder}/${files}`));
  const base = name === 'web' ? 'tsconfig.web.json' : 'tsconfig.base.json';
  writeFileSync(join(root, config), JSON.stringify({ extends: `../../${base}`, include }));
  return config;
}
