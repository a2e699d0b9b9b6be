import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';

/**
 * Raises the version of the kit as a whole, and those of parts that use it, as `.changeset/` asks. Changes nothing if
 * that is empty.
 *
 * @returns the kit's version
 * @throws UserError with its output, if a command fails
 */
export function raiseKit(): string {
  // Without a described change the command fails.
  if (globSync('.changeset/*.md', { cwd: root }).length === 0) return kitVersion();
  run(join(root, 'node_modules/.bin/changeset'), ['version']);
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund']);
  return kitVersion();
}

/** The version of all packages of the kit. */
export function kitVersion(): string {
  const manifest = readFileSync(join(root, 'packages/contracts/package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function run(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new UserError(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
