// Provides a kubectl that renders our overlays: the installed one, or else Debian's package.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exec } from '../../scripts/test/exec.ts';
import { log } from '../../scripts/log.ts';
import { root } from '../../scripts/stack/settings.ts';

/** A kubectl that renders, or a message for the terminal that explains why there is none. */
export type Kubectl = { readonly file: string } | { readonly missing: string };

/** The first kustomize that knows all fields of our files. */
const oldestKustomize = 5;

const unpackedTo = join(root, '.cache/kubectl/kubectl');

/** Finds kubectl. Unpacks Debian 13's into `.cache` if it must and can: on Debian, as root. */
export async function ensureKubectl(): Promise<Kubectl> {
  for (const file of ['kubectl', unpackedTo]) if (await rendersOurs(file)) return { file };
  const debian = process.getuid?.() === 0 && existsSync('/etc/apt/sources.list.d/debian.sources');
  const advice = `no kubectl with kustomize ${oldestKustomize} is installed (kubernetes.io/docs/tasks/tools)`;
  if (!debian) return { missing: advice };
  log('No recent kubectl found: unpacking the one from Debian 13 …');
  if ((await unpack()) && (await rendersOurs(unpackedTo))) return { file: unpackedTo };
  return { missing: `${advice}, and the one from Debian 13 could not be unpacked` };
}

async function rendersOurs(file: string): Promise<boolean> {
  const { ok, output } = await exec(file, ['version', '--client'], { quiet: true, hush: true }).catch(() => ({
    ok: false,
    output: '',
  }));
  return ok && Number(/Kustomize Version: v(\d+)/.exec(output)?.[1] ?? 0) >= oldestKustomize;
}

/** Debian 12's package is too old. Debian 13's binary runs there too, so we unpack it outside apt's packages. */
async function unpack(): Promise<boolean> {
  const mirror = /^URIs:\s*(\S+)/m.exec(readFileSync('/etc/apt/sources.list.d/debian.sources', 'utf8'))?.[1];
  if (mirror === undefined) return false;
  const scratch = mkdtempSync(join(tmpdir(), 'clinic-kubectl-'));
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
    const options = Object.entries(own).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    const script =
      'mkdir -p lists/partial cache/archives/partial && apt-get "$@" update -qq && apt-get "$@" download -qq kubectl && dpkg-deb -x ./kubectl_*.deb unpacked';
    if (!(await exec('sh', ['-c', script, 'sh', ...options], { cwd: scratch, quiet: true })).ok) return false;
    mkdirSync(dirname(unpackedTo), { recursive: true });
    // Copied beside its place and then moved, because another test may be starting it.
    const fresh = `${unpackedTo}~${process.pid}`;
    if (!(await exec('cp', [join(scratch, 'unpacked/usr/bin/kubectl'), fresh], { quiet: true })).ok) return false;
    renameSync(fresh, unpackedTo);
    return true;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
