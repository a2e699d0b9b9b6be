import { spawnSync } from 'node:child_process';
import { root } from './settings.ts';

/** The current commit, with `+` if files differ from it; empty without git. */
export function currentCommit(): string {
  const git = (...args: readonly string[]): string =>
    spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';
  const commit = git('rev-parse', '--short=12', 'HEAD');
  return commit !== '' && git('status', '--porcelain', '--untracked-files=no') !== '' ? `${commit}+` : commit;
}
