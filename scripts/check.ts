// `npm run check`: types, lint (circular imports included), formatting and unused code, in under a minute.
import { log } from './log.ts';
import { bin, exec } from './test/exec.ts';

interface Check {
  readonly name: string;
  readonly command: readonly [file: string, ...args: string[]];
  /** What to do about a failure. */
  readonly advice: string;
}

const checks: readonly Check[] = [
  { name: 'types', command: [process.execPath, 'scripts/typecheck.ts'], advice: 'Fix the type errors above.' },
  { name: 'format', command: [bin('oxfmt'), '--check'], advice: 'Run npm run format.' },
  {
    name: 'lint',
    command: [bin('oxlint'), '--type-aware', '--deny-warnings'],
    advice: 'Fix what is named above; oxlint --fix does some of it.',
  },
  {
    name: 'unused code',
    command: [bin('knip'), '--no-config-hints'],
    advice: 'Remove it, or name the file as an entry in knip.jsonc if a program starts it by name.',
  },
];

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
