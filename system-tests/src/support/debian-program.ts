import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = join(import.meta.dirname, '../../../.cache/debian');

/**
 * Path of a program, installed or else unpacked from Debian's package: installing a server's package would start it.
 *
 * @param program - its path in the package, such as `usr/bin/caddy`
 * @returns `undefined` if it isn't installed and Debian's packages can't be reached
 */
export async function findDebianProgram(packageName: string, program: string): Promise<string | undefined> {
  const unpacked = join(cache, packageName, program);
  const found = [join('/', program), unpacked].find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, `${packageName}-`));
  try {
    // Another test may be reading the lists of packages, too.
    await run('flock', [join(cache, 'lock'), 'apt-get', 'update', '-qq']);
    // As root, because apt's own user can't write here.
    await run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', packageName], { cwd: folder });
    await run('sh', ['-c', 'dpkg-deb -x ./*.deb .'], { cwd: folder });
    await rm(join(cache, packageName), { recursive: true, force: true });
    await rename(folder, join(cache, packageName));
    return unpacked;
  } catch (error) {
    console.warn(`${packageName} could not be unpacked from Debian’s package`, error);
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
