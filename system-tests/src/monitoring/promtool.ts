import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = join(import.meta.dirname, '../../../.cache/promtool');

/**
 * Path of promtool, Prometheus' checker. If it isn't installed, it is unpacked from Debian's package; installing that would
 * start a Prometheus.
 *
 * @returns `undefined` if Debian's packages can't be reached
 */
export async function findPromtool(): Promise<string | undefined> {
  const unpacked = join(cache, 'usr/bin/promtool');
  for (const path of ['/usr/bin/promtool', '/usr/local/bin/promtool', unpacked]) if (existsSync(path)) return path;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  await mkdir(join(cache, '..'), { recursive: true });
  const folder = await mkdtemp(`${cache}-`);
  try {
    await run('apt-get', ['update', '-qq']);
    // As root, because apt's own user can't write here.
    await run('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', 'prometheus'], { cwd: folder });
    await run('sh', ['-c', 'dpkg-deb -x prometheus_*.deb .'], { cwd: folder });
    await rm(cache, { recursive: true, force: true });
    await rename(folder, cache);
    return unpacked;
  } catch (error) {
    console.warn('promtool could not be unpacked from Debian’s package', error);
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
