import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import type { BuildReport } from '@clinic/webpack-config/build';
import { log, UserError } from '../log.ts';
import { frontEnds } from './parts.ts';
import { root } from './settings.ts';

/** What a build reads besides its own folder and the installed libraries. */
const sharedInputs = ['packages/{contracts,app-kit,ui,webpack-config}/**', 'stand-ins/demo-data/**', 'tsconfig*.json'];
/** A remote also reads its own domain's calls. */
const inputsOf = (app: string): string[] => [`${app}/**`, `${app.replace('mf-', 'svc-')}/src/contract/**`];
const ignored = /(^|\/)(node_modules|dist|maps|\.cache|scripts)(\/|$)|\.test\.tsx?$|\.md$/;

/**
 * Builds the front-ends whose sources have changed since their last build, one per core at a time.
 *
 * @param whatNext - advice to show after a failure
 * @returns the names of the built front-ends
 * @throws UserError with its output, if a build fails
 */
export async function buildChanged(
  apps: readonly string[] = frontEnds,
  whatNext = 'Fix it, then run the same command again.',
): Promise<string[]> {
  const shared = `${await digestOf(sharedInputs)}-${digestOfLibraries()}`;
  const stale: { app: string; digest: string }[] = [];
  for (const app of apps) {
    const digest = `${shared}-${await digestOf(inputsOf(app))}`;
    const isBuilt = existsSync(join(root, app, 'dist')) && readStamp(app) === digest;
    if (!isBuilt) stale.push({ app, digest });
  }
  if (stale.length === 0) return [];

  log(`Building ${stale.map(({ app }) => app).join(', ')} …`);
  const queue = [...stale];
  const worker = async (): Promise<void> => {
    const builder = startBuilder();
    try {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const begun = Date.now();
        await builder.build(next.app, whatNext);
        mkdirSync(dirname(stampFile(next.app)), { recursive: true });
        writeFileSync(stampFile(next.app), next.digest);
        log(`  ${next.app} built in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
      }
    } finally {
      builder.end();
    }
  };
  const workers = Array.from({ length: Math.min(availableParallelism(), stale.length) }, worker);
  await Promise.all(workers).finally(async () => {
    // After a failure nothing else starts, and what still builds may end: the reason is printed last.
    queue.length = 0;
    await Promise.allSettled(workers);
  });
  return stale.map(({ app }) => app);
}

/** A process that builds one app after another: the first one takes twice as long, as it loads webpack. */
function startBuilder(): { build(app: string, whatNext: string): Promise<void>; end(): void } {
  const child = fork(join(import.meta.dirname, 'builder.ts'), { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let output = '';
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return {
    async build(app, whatNext) {
      output = '';
      child.send(join(root, app));
      const built = await new Promise<BuildReport>((resolve, reject) => {
        child.once('message', (report) => resolve(report as BuildReport));
        child.once('error', reject);
        child.once('exit', () => resolve({ failed: true, text: 'The build ended early.' }));
      });
      if (built.failed)
        throw new UserError(`${output}${built.text}\n${app} couldn't be built (see above). ${whatNext}`);
    },
    end: () => child.disconnect(),
  };
}

const stampFile = (app: string): string => join(root, '.cache', 'built', app);

function readStamp(app: string): string | undefined {
  return existsSync(stampFile(app)) ? readFileSync(stampFile(app), 'utf8') : undefined;
}

/** Of the libraries alone: a new workspace also changes the lock file, but no other build. */
function digestOfLibraries(): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean }>;
  };
  const libraries = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  return createHash('sha256').update(JSON.stringify(libraries)).digest('hex');
}

async function digestOf(patterns: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const files: string[] = [];
  const exclude = (entry: { name: string }): boolean => ignored.test(entry.name);
  for await (const entry of glob([...patterns], { cwd: root, withFileTypes: true, exclude })) {
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
  }
  for (const file of files.filter((name) => !ignored.test(name.slice(root.length + 1))).toSorted()) {
    hash
      .update(file.slice(root.length))
      .update('\0')
      .update(await readFile(file));
  }
  return hash.digest('hex');
}
