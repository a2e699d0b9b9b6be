// The contract of another commit as a release, for comparison with today's.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../log.ts';
import { root } from '../stack/settings.ts';
import { keepSnapshot, type ReleaseSnapshot } from './call-schemas.ts';

/** What describes calls and publications; libraries are found in the repository's own `node_modules`. */
const described = ['packages', 'gateway/src', 'scripts', ':(glob)svc-*/src/contract/**'];

/** Commits of before 2026-11-26 have one table of all calls in the contracts. */
const program = `
  const { existsSync } = await import('node:fs');
  const { snapshotOf } = await import('./scripts/release/call-schemas.ts');
  const table = './scripts/release/every-call.ts';
  const calls = existsSync(table) ? (await import(table)).everyCall : (await import('@clinic/contracts/calls')).calls;
  console.log(JSON.stringify(snapshotOf(calls)));`;

/**
 * Calls `work` with a folder of releases that has one: the contract as it was where this branch left a commit's.
 *
 * @param commit - a branch, tag or commit, e.g. `main`
 * @throws UserError if there is no such commit
 */
export async function withContractOf(commit: string, work: (folder: string) => Promise<void>): Promise<void> {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'since-'));
  try {
    const tree = join(folder, 'tree');
    const releases = join(folder, 'releases');
    for (const each of [join(tree, 'node_modules/@clinic'), releases]) mkdirSync(each, { recursive: true });
    const day = extract(commit, tree);
    symlinkSync(join(tree, 'packages/contracts'), join(tree, 'node_modules/@clinic/contracts'));
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: tree,
      encoding: 'utf8',
      maxBuffer: 100_000_000,
    });
    keepSnapshot(`${day}-${commit.replaceAll('/', '-')}`, JSON.parse(output) as ReleaseSnapshot, releases);
    writeFileSync(join(releases, 'accepted.json'), '{}');
    await work(releases);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the day of the commit, 'yyyy-mm-dd' */
function extract(commit: string, folder: string): string {
  const git = (...args: string[]): Buffer =>
    execFileSync('git', args, { cwd: root, maxBuffer: 500_000_000, stdio: ['ignore', 'pipe', 'ignore'] });
  let base: string;
  try {
    // What others have added there meanwhile isn't missing here.
    base = git('merge-base', 'HEAD', commit).toString().trim();
  } catch {
    throw new UserError(`There is no commit ${commit} here. Fetch it, or name another.`);
  }
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', base, '--', ...described) });
  return git('show', '--no-patch', '--format=%cs', base).toString().trim();
}
