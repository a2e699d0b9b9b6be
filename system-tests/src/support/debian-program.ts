import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = join(import.meta.dirname, '../../../.cache/programs');

/** With the libraries it needs that aren't installed. Downloads as root, because apt's own user can't write here. */
const unpack = `
[ ! -e "$1" ] || exit 0
folder=$(mktemp -d "$PWD/$1-XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get update -qq
libraries=$(apt-get install -s -qq --no-install-recommends "$1" | sed -n 's/^Inst \\(lib[^ ]*\\).*/\\1/p' | grep -v '^libjs-' || true)
apt-get download -qq -o APT::Sandbox::User=root "$1" $libraries
for package in ./*.deb; do dpkg-deb -x "$package" unpacked; done
mv unpacked "../$1"`;

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
  try {
    // One at a time, and only the first unpacks it: other tests may be doing the same.
    await run('flock', [join(cache, 'lock'), 'sh', '-euc', unpack, 'sh', packageName], { cwd: cache });
    return unpacked;
  } catch (error) {
    console.warn(`${packageName} could not be unpacked from Debian’s package`, error);
    return undefined;
  }
}

/** Names of Debian's folders of libraries. */
const machines: Readonly<Record<string, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** The environment in which such a program finds the libraries that were unpacked with it. */
export const withLibraries = (program: string): NodeJS.ProcessEnv => ({
  ...process.env,
  LD_LIBRARY_PATH: join(dirname(program), '../lib', machines[process.arch] ?? ''),
});
