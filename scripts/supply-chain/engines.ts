// `npm run engines`: removes libraries' Node requirements from the lock file if npm would warn about them on the oldest
// supported Node. Only npm runs on the machine's Node; everything else runs on the one that the project installs.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../stack/settings.ts';
import { workspacesWith } from '../workspaces.ts';

interface Lock {
  readonly packages: Record<
    string,
    { readonly version?: string; name?: string; engines?: Readonly<Record<string, string>> }
  >;
}

/** The oldest Node supported by package.json, e.g. `20.19.0`. */
export function oldestNode(): string {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  return engines.node.replace('>=', '');
}

/**
 * What `npm ci` warns about on a machine with a given Node, as `name@version`. Runs npm itself, without installing
 * anything.
 *
 * @param lock - text of the lock file
 * @throws Error if npm fails
 */
export function warnedOf(node: string, lock: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-engines-'));
  try {
    for (const file of [
      'package.json',
      '.npmrc',
      ...workspacesWith('package.json').map((one) => join(one, 'package.json')),
    ]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
    }
    writeFileSync(join(folder, 'package-lock.json'), lock);
    const pretend = join(folder, 'pretend.cjs');
    writeFileSync(pretend, `Object.defineProperty(process, 'version', { value: 'v${node}' });\n`);
    const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--ignore-scripts', '--offline'], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        NODE_OPTIONS: `--require=${pretend}`,
        npm_config_update_notifier: 'false',
        npm_config_loglevel: 'warn',
      },
    });
    if (status !== 0) throw new Error(`npm ci ended with ${status}:\n${stderr}`);
    return [...stderr.matchAll(/EBADENGINE\s+package: '([^']+)'/g)].map(([, name = '']) => name).toSorted();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const file = join(root, 'package-lock.json');
  const text = readFileSync(file, 'utf8');
  const names = new Set(warnedOf(oldestNode(), text));
  const lock = JSON.parse(text) as Lock;
  for (const [path, entry] of Object.entries(lock.packages)) {
    const name = `${entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${entry.version}`;
    if (names.has(name)) delete entry.engines;
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(
    names.size === 0
      ? 'The lock file is unchanged.'
      : `Removed the Node requirements of ${[...names].join(', ')} from the lock file.`,
  );
}
