import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exec } from './exec.ts';

/** Whether this user may install Debian's packages. */
export const mayInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

const options = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } };
/** The lists of packages are read once; then one installs after the other, as apt-get refuses a second of itself. */
let last: Promise<unknown> | undefined;

/** Installs Debian's packages without what they only recommend. @returns whether they are installed now */
export function install(...packages: readonly string[]): Promise<boolean> {
  last ??= exec('apt-get', ['update', '-qq'], options);
  const installed = last.then(async () => {
    const args = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
    return (await exec('apt-get', args, options)).ok;
  });
  last = installed;
  return installed;
}

const ownSources = '/etc/apt/sources.list.d/debian.sources';

/**
 * Unpacks packages of Debian 13, whose binaries run on Debian 12, too. They don't become apt's.
 *
 * @param take - called with the folder, which is removed afterwards
 * @returns whether they could be had, and `take` succeeded
 */
export async function withNextDebian(
  packages: readonly string[],
  take: (folder: string) => Promise<boolean>,
): Promise<boolean> {
  const mirror = existsSync(ownSources) && /^URIs:\s*(\S+)/m.exec(readFileSync(ownSources, 'utf8'))?.[1];
  if (!mirror) return false;
  const scratch = mkdtempSync(join(tmpdir(), 'clinic-debian-'));
  try {
    const sources = join(scratch, 'next.sources');
    writeFileSync(
      sources,
      `Types: deb\nURIs: ${mirror}\nSuites: trixie\nComponents: main\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n`,
    );
    // Ignore installed packages: other suppliers' have the same name.
    writeFileSync(join(scratch, 'status'), '');
    const own = {
      'Dir::Etc::sourcelist': sources,
      'Dir::Etc::sourceparts': '/dev/null',
      'Dir::State::lists': join(scratch, 'lists'),
      'Dir::State::status': join(scratch, 'status'),
      'Dir::Cache': join(scratch, 'cache'),
      'APT::Sandbox::User': 'root',
    };
    const apt = ['apt-get', ...Object.entries(own).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
    const script = `mkdir -p lists/partial cache/archives/partial && "$@" update -qq && "$@" download -qq ${packages.join(' ')} && for package in ./*.deb; do dpkg-deb -x "$package" unpacked; done`;
    const { ok } = await exec('sh', ['-c', script, 'sh', ...apt], { cwd: scratch, quiet: true });
    return ok && (await take(join(scratch, 'unpacked')));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
