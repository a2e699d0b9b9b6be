// Checks objects against the types that are generated from the Kubernetes API's own schemas: unknown and missing
// fields, and fields of another type.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/stack/settings.ts';
import type { KubernetesObject } from './rendered.ts';

/** Modules of `kubernetes-types` by API version. */
const modules: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
};

/**
 * Checks objects.
 *
 * @returns what is wrong, one line each, beginning with the object's kind and name
 */
export function faultsOf(objects: readonly KubernetesObject[]): readonly string[] {
  const cache = join(root, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'kubernetes-types-'));
  try {
    for (const [index, object] of objects.entries()) {
      const module = modules[object.apiVersion];
      // An API version that isn't listed is a fault, too: the import fails.
      writeFileSync(
        join(folder, `${index}.ts`),
        `import type { ${object.kind} } from 'kubernetes-types/${module ?? object.apiVersion}.d.ts';\nexport const object: ${object.kind} = ${JSON.stringify(object, null, 1)};\n`,
      );
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions: { types: [] }, include: ['*.ts'] }),
    );
    const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const faults = stdout
      .split('\n')
      .filter((line) => /^\S*\(\d+,\d+\): error /.test(line))
      .map((line) => {
        const object = objects[Number(/(\d+)\.ts\(/.exec(line)?.[1])];
        return `${object?.kind} ${object?.metadata.name}: ${line.replace(/^.*?: error TS\d+: /, '')}`;
      });
    if (status !== 0 && faults.length === 0) throw new Error(`tsc failed: ${stdout}`);
    return faults;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
