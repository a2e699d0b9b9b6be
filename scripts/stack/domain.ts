import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { log, UserError } from '../log.ts';
import { buildChanged } from './build.ts';
import { frontEnds } from './parts.ts';
import { root } from './settings.ts';

/** The command that builds and serves front-ends. */
export const bundler = join(root, 'packages/webpack-config/src/cli.ts');

/** Where the shell for a served remote is built, apart from the last build. */
export const developedShell = join(root, '.cache', 'develop', 'shell');

/** Domains whose service has another name. */
const otherNames: Readonly<Record<string, string>> = { 'mf-admin': 'svc-identity' };

/** The service of a remote's domain; `undefined` if it has none. */
export function serviceOf(remote: string): string | undefined {
  const service = otherNames[remote] ?? remote.replace('mf-', 'svc-');
  return existsSync(join(root, service, 'src/main.ts')) ? service : undefined;
}

/**
 * Builds the front-ends that have never been built: the other front-ends run as built last.
 *
 * @param remote - of the domain, e.g. `mf-clinic`
 * @throws UserError if there is no such remote, or with its output, if a build fails
 */
export async function buildMissing(remote: string): Promise<void> {
  const remotes = frontEnds.filter((name) => name !== 'shell');
  if (!remotes.includes(remote))
    throw new UserError(`There is no domain '${remote}'; name one of ${remotes.join(', ')}: npm run dev -- mf-clinic`);
  await buildChanged(frontEnds.filter((name) => !existsSync(join(root, name, 'dist'))));
}

/**
 * Builds the shell with React's development build and React Refresh, for a remote that is served while it changes.
 *
 * @param address - of the served remote
 * @throws UserError with its output, if the build fails
 */
export async function buildShellFor(remote: string, address: string): Promise<void> {
  log('Building the shell for development …');
  const child = spawn(process.execPath, [bundler, 'develop', developedShell, `${remote}=${address}`], {
    cwd: join(root, 'shell'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  if (code !== 0) throw new UserError(`${output}\nThe shell couldn't be built (see above). Fix it, then start again.`);
}
