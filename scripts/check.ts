// `npm run check`: types, lint (circular imports included), formatting and unused code. The rules that need types take
// most of the time: they run on the files that differ from the main branch, or on all with `npm run check -- all`, as
// `npm test` does.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { log } from './log.ts';
import { root } from './stack/settings.ts';
import { bin, exec } from './test/exec.ts';

interface Check {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  /** What to do about a failure. */
  readonly advice: string;
}

const lintAdvice = 'Fix what is named above; oxlint --fix does some of it.';
const isAll = process.argv.includes('all');
const changed = isAll ? undefined : changedFiles();

const checks: readonly Check[] = [
  { name: 'types', command: [process.execPath, 'scripts/typecheck.ts'], advice: 'Fix the type errors above.' },
  { name: 'format', command: [bin('oxfmt'), '--check'], advice: 'Run npm run format.' },
  {
    name: 'lint',
    command: [bin('oxlint'), '--deny-warnings', ...(changed ? [] : ['--type-aware'])],
    advice: lintAdvice,
  },
  ...(changed?.length
    ? [
        {
          name: 'lint by types of what changed',
          command: [bin('oxlint'), '--deny-warnings', '--type-aware', ...changed] as const,
          advice: lintAdvice,
        },
      ]
    : []),
  {
    name: 'unused code',
    command: [bin('knip'), '--no-config-hints', '--cache', '--cache-location', join(root, '.cache', 'knip')],
    advice: 'Remove it, or name the file as an entry in knip.jsonc if a program starts it by name.',
  },
];

/** Paths of code that differs from where this branch left the main one, committed or not; `undefined` without Git. */
function changedFiles(): readonly string[] | undefined {
  const git = (...args: readonly string[]): string[] | undefined => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.split('\n').filter(Boolean) : undefined;
  };
  const [base] = git('merge-base', 'HEAD', 'origin/main') ?? git('merge-base', 'HEAD', 'main') ?? ['HEAD'];
  const different = git('diff', '--name-only', '--diff-filter=d', base ?? 'HEAD');
  const added = git('ls-files', '--others', '--exclude-standard');
  return different && added && [...different, ...added].filter((path) => /\.[cm]?tsx?$/.test(path));
}

/** Runs them two at a time: each uses more than one core for a part of its time. */
const queue = [...checks];
const failed: Check[] = [];
const work = async (): Promise<void> => {
  for (let check = queue.shift(); check; check = queue.shift()) {
    const [file, ...args] = check.command;
    const { ok } = await exec(file, args, { quiet: true });
    log(`${check.name}: ${ok ? 'fine' : check.advice}`);
    if (!ok) failed.push(check);
  }
};
await Promise.all([work(), work()]);
process.exitCode = failed.length === 0 ? 0 : 1;
