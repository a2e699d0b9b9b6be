// Provides the base image of all our images, also on machines that can't reach a container registry.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { log } from '../log.ts';
import { root } from '../stack/settings.ts';
import { install } from '../test/debian.ts';
import { exec } from '../test/exec.ts';

const image = process.env['NODE_IMAGE'] || 'node:24-bookworm-slim';
const quiet = { quiet: true, hush: true } as const;
/** This machine's own certificate authorities, such as a proxy's, which npm must also trust during a build. */
const authorities = '/usr/local/share/ca-certificates';

/**
 * Uses the image if it is there, pulls it, or builds it from Debian's packages, the project's own Node and this
 * machine's npm, with the same programs at the same paths.
 *
 * @param mayMake - whether this is Debian and packages may be installed
 */
export async function ensureNodeImage(
  mayMake: boolean,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly why: string }> {
  if ((await exec('docker', ['image', 'inspect', image], quiet)).ok) return { ok: true };
  if ((await exec('docker', ['pull', '--quiet', image], quiet)).ok) return { ok: true };
  const why = `the image ${image} can't be pulled here`;
  if (!mayMake) return { ok: false, why };
  log(`${image} can't be pulled: building one from Debian's packages …`);
  return (await make()) ? { ok: true } : { ok: false, why: `${why}, and could not be built` };
}

async function make(): Promise<boolean> {
  if (!(await install('mmdebstrap'))) return false;
  const scratch = mkdtempSync(join(tmpdir(), 'clinic-node-image-'));
  try {
    const files = join(scratch, 'files');
    const trusted = await layOut(files);
    const system = join(scratch, 'system.tar');
    const made = await exec(
      'mmdebstrap',
      [
        '--quiet',
        '--mode=root',
        '--variant=minbase',
        '--format=tar',
        '--include=usr-is-merged,ca-certificates',
        '--hook-directory=/usr/share/mmdebstrap/hooks/merged-usr',
        '--dpkgopt=force-unsafe-io',
        '--dpkgopt=path-exclude=/usr/share/man/*',
        '--dpkgopt=path-exclude=/usr/share/locale/*',
        '--dpkgopt=path-exclude=/usr/share/doc/*',
        `--customize-hook=copy-in ${join(files, 'local')} /usr`,
        '--customize-hook=chroot "$1" groupadd --gid 1000 node',
        '--customize-hook=chroot "$1" useradd --uid 1000 --gid node --shell /bin/bash --create-home node',
        'bookworm',
        system,
        '/etc/apt/sources.list.d/debian.sources',
      ],
      { quiet: true },
    );
    if (!made.ok) return false;
    const changes = [
      'CMD ["node"]',
      'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...(trusted ? [`ENV NODE_EXTRA_CA_CERTS=${trusted}`] : []),
    ];
    return (
      await exec('docker', ['import', ...changes.flatMap((change) => ['--change', change]), system, image], quiet)
    ).ok;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Prepares `/usr/local` of the image. @returns path of the certificates that Node must trust there, if any */
async function layOut(files: string): Promise<string | undefined> {
  const local = join(files, 'local');
  mkdirSync(join(local, 'bin'), { recursive: true });
  cpSync(join(root, 'node_modules', 'node', 'bin', 'node'), join(local, 'bin', 'node'), { dereference: true });
  // Find the machine's npm through PATH: npm itself would report the folder of the project's Node.
  const npm = (await exec('sh', ['-c', 'readlink -f "$(command -v npm)"'], quiet)).output.trim();
  cpSync(dirname(dirname(npm)), join(local, 'lib/node_modules/npm'), { recursive: true });
  for (const [name, script] of [
    ['npm', 'npm-cli.js'],
    ['npx', 'npx-cli.js'],
  ] as const) {
    symlinkSync(`../lib/node_modules/npm/bin/${script}`, join(local, 'bin', name));
  }
  // Use the same npm registry as this machine.
  const registry = (await exec('npm', ['config', 'get', 'registry', '--loglevel=error'], quiet)).output
    .trim()
    .split('\n')
    .at(-1);
  mkdirSync(join(local, 'etc'));
  writeFileSync(join(local, 'etc/npmrc'), `registry=${registry}\n`);

  const entries = existsSync(authorities) ? readdirSync(authorities, { withFileTypes: true }) : [];
  const own = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.crt'));
  if (own.length === 0) return undefined;
  const bundle = 'share/own-authorities.pem';
  mkdirSync(dirname(join(local, bundle)), { recursive: true });
  writeFileSync(join(local, bundle), own.map(({ name }) => readFileSync(join(authorities, name), 'utf8')).join('\n'));
  return `/usr/local/${bundle}`;
}
