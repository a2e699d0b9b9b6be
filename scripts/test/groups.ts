// Which test files share a process, one after the other: each finds loaded, and compiled, what those before it needed. Files
// of a service take half of the processor time that way.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../stack/settings.ts';

/** Whose files share processes: those that load the same programs, or are many and small. */
const sharing = /^(?:svc-[^/]+|gateway|(?:packages|stand-ins)\/[^/]+|system-tests|scripts|deploy)\//;

/**
 * What needs a process of its own. Read from what a file does instead of a marker in it: one that somebody forgets would fail
 * other files, now and then.
 */
const needsOwn: readonly RegExp[] = [
  // Changes what the files after it would find.
  /\bprocess\.(?:chdir|on|once|emit|exit|kill)\b|process\.env(?:\[[^\]]+\]|\.\w+) =|delete process\.env|\bmock\.|globalThis\./,
  // Measures its process, in which those before it have left something.
  /\bprocess\.(?:memoryUsage|cpuUsage|getActiveResourcesInfo)\b|performance\./,
  // Starts programs, which it must not leave behind.
  /child_process|startProcess|-main\.ts/,
  // Loads modules in an order of its own.
  /\bawait import\(/,
];

/** What a helper opens when it is loaded, it closes after the first file: the next would find it closed. */
const opensOnce = /^(?:after|before)(?:Each)?\(/m;

/** Whether a file's tests can come after those of others in a process, and before others. */
function canShare(file: string): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  if (needsOwn.some((one) => one.test(text))) return false;
  return (
    [...text.matchAll(/ from '(\.[^']+\.ts)'/g)]
      .map(([, helper = '']) => join(root, dirname(file), helper))
      // Others are in texts that a test writes.
      .filter((helper) => existsSync(helper))
      .every((helper) => !opensOnce.test(readFileSync(helper, 'utf8')))
  );
}

/**
 * Seconds after which a process ends: enough for a service's files to gain from it, few enough to use all processors.
 *
 * @param total - of all files
 */
const enoughOf = (total: number): number => Math.min(120, Math.max(60, total / (4 * availableParallelism())));

/**
 * @param files - relative to the root, the longest first
 * @param secondsOf - how long one takes
 * @returns all of them, the groups that take longest first
 */
export function groupFiles(files: readonly string[], secondsOf: (file: string) => number): string[][] {
  const groups: { readonly of: string; readonly files: string[]; seconds: number }[] = [];
  const enough = enoughOf(files.reduce((sum, file) => sum + secondsOf(file), 0));
  for (const file of files) {
    const [of] = sharing.exec(file) ?? [];
    const seconds = secondsOf(file);
    const isShared = of !== undefined && canShare(file);
    const group = isShared && groups.find((one) => one.of === of && one.seconds + seconds <= enough);
    if (group) {
      group.files.push(file);
      group.seconds += seconds;
    } else groups.push({ of: isShared ? of : '', files: [file], seconds });
  }
  return groups.toSorted((one, other) => other.seconds - one.seconds).map((group) => group.files);
}
