// Builds the packages that a team outside this repository installs: scripts, types and styles. The workspace itself
// runs from the sources.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';
import { publishedManifest, type WorkspaceManifest } from './manifest.ts';

/** The folders of the kit, each after those it needs. */
export const kitFolders = [
  'packages/contracts',
  'packages/graceful-server',
  'stand-ins/mongo-embedded',
  'packages/service-kit',
  'packages/static-server',
  'packages/webpack-config',
  'packages/ui',
  'packages/app-kit',
] as const;

/** A package that can be published. */
export interface BuiltPackage {
  readonly name: string;
  readonly version: string;
  /** Absolute path of what is published. */
  readonly folder: string;
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/**
 * Builds the kit.
 *
 * @param out - absolute path of a folder inside the repository, where the compiler finds the installed libraries; it is
 * emptied
 * @throws UserError with the compiler's output, if a package doesn't compile on its own
 */
export function buildKit(out: string = join(root, '.cache/kit')): BuiltPackage[] {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, 'node_modules/@clinic'), { recursive: true });
  return kitFolders.map((folder) => buildPackage(folder, out));
}

function buildPackage(source: string, out: string): BuiltPackage {
  const from = join(root, source);
  const name = basename(source);
  const folder = join(out, name);
  const manifest = readJson<WorkspaceManifest>(join(from, 'package.json'));
  // Without tests, their shop and the design system's gallery, and where the packages before it are the built ones.
  const leftOut = /\.test\.tsx?$|\/ui\/src\/gallery$|\/service-kit\/src\/testing\/shop-service\.ts$/;
  cpSync(join(from, 'src'), join(folder, 'src'), { recursive: true, filter: (file) => !leftOut.test(file) });
  compile(source, folder, readJson<{ extends: string }>(join(from, 'tsconfig.json')).extends);
  nameScripts(folder);
  cpSync(join(folder, 'src'), join(folder, 'dist'), { recursive: true, filter: (file) => !/\.tsx?$/.test(file) });
  rmSync(join(folder, 'src'), { recursive: true });
  rmSync(join(folder, 'tsconfig.json'));
  const beside = ['README.md', ...besideSources(manifest)];
  for (const file of beside) cpSync(join(from, file), join(folder, file), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const published = publishedManifest(manifest, {
    imports: importsOf(folder, manifest.name),
    shared: readJson<WorkspaceManifest>(join(root, 'package.json')).devDependencies ?? {},
    files: ['dist', ...besideSources(manifest)],
  });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  symlinkSync(join('../..', name), join(out, 'node_modules', manifest.name), 'dir');
  return { name: manifest.name, version: manifest.version, folder };
}

/** Files and folders that exports name outside of `src`. */
function besideSources({ exports }: WorkspaceManifest): string[] {
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  return [...new Set(targets.map((target) => target.split('/')[1] ?? '').filter((part) => part !== 'src'))];
}

function compile(source: string, folder: string, base: string): void {
  const config = {
    extends: join(root, basename(base)),
    compilerOptions: {
      noEmit: false,
      rootDir: 'src',
      outDir: 'dist',
      declaration: true,
      rewriteRelativeImportExtensions: true,
    },
    include: ['src'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  if (status !== 0) throw new UserError(`${source} doesn't compile on its own:\n${stdout}`);
}

/** `from 'x'`, `import 'x'` and `import('x')` of a package, not of a file or one of Node's modules. */
const imported = /\b(?:from|import|import\()\s*'((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[\w./-]+)?'/g;

/** The packages that the built files import. */
function importsOf(folder: string, own: string): string[] {
  const found = new Set<string>();
  for (const file of globSync('dist/**/*.js', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, name = ''] of text.matchAll(imported)) found.add(name);
  }
  return [...found].filter((name) => name !== own).toSorted();
}

/** Declarations are written with the sources' names in their imports, which older compilers don't follow. */
function nameScripts(folder: string): void {
  for (const file of globSync('dist/**/*.d.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), text.replaceAll(/(?<=['"])(\.{1,2}\/[^'"\n]+)\.tsx?(?=['"])/g, '$1.js'));
  }
}
