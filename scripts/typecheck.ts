// `npm run typecheck`: checks every workspace with its own configuration, if anything has changed that the compiler read there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stack/settings.ts';
import { typePrograms } from './type-programs.ts';

const cache = join(root, '.cache', 'types');
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const digests = new Map<string, string>();

/** Of a file's content, read once. @param path - absolute */
function digestOf(path: string): string {
  const digest = digests.get(path) ?? (existsSync(path) ? hash(readFileSync(path, 'utf8')) : 'missing');
  digests.set(path, digest);
  return digest;
}

/** What decides which files the compiler reads; `undefined` without Git. */
function namesAndSettings(): string | undefined {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 16_000_000,
  });
  if (status !== 0) return undefined;
  const files = stdout.split('\0');
  const sources = files.filter((file) => /\.[cm]?tsx?$/.test(file) && existsSync(join(root, file)));
  // Before the compiler reads them: what is saved while it runs is checked the next time.
  for (const file of sources) digestOf(join(root, file));
  const settings = files.filter((file) => /(?:^|\/)(?:package(?:-lock)?|tsconfig[\w.]*)\.json$/.test(file));
  return hash([...sources, ...settings.map((file) => digestOf(join(root, file)))].join('\n'));
}

/** The state of all that a program's last run read; `undefined` before the first. */
function stateOf(buildInfo: string, shared: string | undefined): string | undefined {
  if (shared === undefined || !existsSync(buildInfo)) return undefined;
  const { fileNames } = JSON.parse(readFileSync(buildInfo, 'utf8')) as { readonly fileNames: readonly string[] };
  // Libraries are those of the lock file.
  const own = fileNames.filter((file) => file.startsWith('../../') && !file.includes('/node_modules/'));
  return hash([shared, ...own.map((file) => digestOf(join(cache, file)))].join('\n'));
}

const shared = namesAndSettings();
const failed = typePrograms().filter(({ name, config }) => {
  const buildInfo = join(cache, `${name}.tsbuildinfo`);
  const passed = join(cache, `${name}.passed`);
  const before = stateOf(buildInfo, shared);
  if (before !== undefined && existsSync(passed) && readFileSync(passed, 'utf8') === before) return false;
  const { status } = spawnSync(
    join(root, 'node_modules', '.bin', 'tsc'),
    ['-p', config, '--incremental', '--tsBuildInfoFile', buildInfo],
    { cwd: root, stdio: 'inherit' },
  );
  if (status === 0) writeFileSync(passed, stateOf(buildInfo, shared) ?? '');
  return status !== 0;
});
if (failed.length > 0) console.error(`Type errors in ${failed.map(({ name }) => name).join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;
