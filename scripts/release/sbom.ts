// The bill of materials of an image: CycloneDX, with npm's packages, Debian's packages and Node.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../stack/settings.ts';

/** A component in CycloneDX. */
export interface Component {
  readonly type: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly [field: string]: unknown;
}

/** The part of a CycloneDX document that we write. */
export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: string;
  readonly version: number;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

/** Prints Node's version and Debian's packages of an image. */
export const systemScript = "node --version && dpkg-query -W -f '${Package} ${Version} ${Architecture}\\n'";

/**
 * npm's packages in an image.
 *
 * @param folders - of the workspaces that it is made from
 * @throws Error with npm's output if it fails
 */
export function npmComponents(folders: readonly string[]): readonly Component[] {
  if (folders.length === 0) return [];
  const scratch = mkdtempSync(join(tmpdir(), 'clinic-sbom-'));
  const run = (file: string, args: readonly string[], cwd: string): string => {
    const { status, stdout, stderr } = spawnSync(file, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    if (status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${status}: ${stderr}`);
    return stdout;
  };
  try {
    run(process.execPath, [join(root, 'scripts/images/gather.ts'), scratch, ...folders], root);
    const document = run(
      'npm',
      ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--omit=dev'],
      join(scratch, 'manifests'),
    );
    // Our own workspaces are described by the release's commit.
    return (JSON.parse(document) as Sbom).components.filter(({ name }) => !name.startsWith('@clinic/'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Node and Debian's packages in an image, from what {@link systemScript} prints. */
export function systemComponents(printed: string): readonly Component[] {
  const [node = '', ...packages] = printed.trim().split('\n');
  return [
    { type: 'platform', name: 'node', version: node.replace(/^v/, '') },
    ...packages.map((line) => {
      const [name = '', version = '', architecture = ''] = line.split(' ');
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
      return { type: 'library', name, version, purl };
    }),
  ];
}

/** @param id - of the image, `sha256:…` */
export function sbomOf(name: string, version: string, id: string, components: readonly Component[]): Sbom {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'container',
        name,
        version,
        hashes: [{ alg: 'SHA-256', content: id.replace('sha256:', '') }],
      },
    },
    components,
  };
}
