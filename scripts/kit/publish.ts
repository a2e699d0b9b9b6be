// Publishes the kit to the npm registry that npm is configured for.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { log, UserError } from '../log.ts';
import { root } from '../stack/settings.ts';
import type { BuiltPackage } from './build.ts';

/** A package's version in a registry. */
interface Packed {
  readonly filename: string;
  /** Digest of the content. */
  readonly integrity: string;
}

/**
 * Publishes the packages whose version the registry doesn't have yet. It may be repeated after a failure.
 *
 * @returns names and versions of what was published now
 * @throws UserError if a version is there with another content: nothing is published then, or if npm fails
 */
export function publishKit(packages: readonly BuiltPackage[]): string[] {
  const known = packages.map((built) => ({ ...built, ...pack(built), there: integrityThere(built) }));
  const changed = known.filter(({ there, integrity }) => there !== undefined && there !== integrity);
  if (changed.length > 0)
    throw new UserError(
      `The registry has these versions with another content: ${changed.map(idOf).join(', ')}.\n` +
        'A version is published once. Describe the change with `npx changeset` and raise the version: docs/releasing.md says how.',
    );
  const missing = known.filter(({ there }) => there === undefined);
  for (const built of missing) {
    npm(['publish', join(built.folder, built.filename)]);
    log(`  ${idOf(built)} is published`);
  }
  return missing.map(idOf);
}

const idOf = ({ name, version }: BuiltPackage): string => `${name}@${version}`;

function pack({ folder }: BuiltPackage): Packed {
  const packed = JSON.parse(npm(['pack', '--json', '--pack-destination', folder, folder])) as readonly Packed[];
  const [only] = packed;
  if (!only) throw new Error(`npm packed nothing of ${folder}`);
  return only;
}

/** @returns the digest of this version in the registry; `undefined` if it isn't there */
function integrityThere(built: BuiltPackage): string | undefined {
  const { status, stdout, stderr } = run(['view', idOf(built), 'dist.integrity', '--json']);
  if (status === 0) return stdout.trim() === '' ? undefined : (JSON.parse(stdout) as string);
  if (/\bE404\b/.test(stdout + stderr)) return undefined;
  throw new UserError(`The registry can't be asked for ${idOf(built)}:\n${stderr.trim()}`);
}

function npm(args: readonly string[]): string {
  const { status, stdout, stderr } = run(args);
  if (status !== 0) throw new UserError(`npm ${args[0]} failed:\n${stderr.trim()}`);
  return stdout;
}

function run(args: readonly string[]) {
  return spawnSync('npm', [...args, '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
}
