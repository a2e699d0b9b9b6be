// A process of node:test with our reporters, its limits, and what may be wrong with it beside its tests.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { log } from '../log.ts';
import { progressVariable } from './batches.ts';
import { clockEnv } from './clock.ts';
import type { idleShare } from './idle-share.ts';
import { startGroup, type ProcessGroup } from './process-group.ts';
import type { FileCount } from './ran.ts';
import type { Failure } from './reports.ts';
import { scratchFolder } from './scratch.ts';

/** How the files of a run are run. */
export interface NodeRun {
  /** How many run side by side. */
  readonly concurrency: number;
  /** How many more may, while processors have nothing to do: many files wait for timers and sockets. */
  readonly whileIdle?: number;
  /** Asks how idle they are. */
  readonly idleShareOf?: typeof idleShare;
  readonly env?: Readonly<Record<string, string>>;
  /** Further arguments to Node. */
  readonly args?: readonly string[];
  /** Prints a passing file's output, too. */
  readonly verbose?: boolean;
  /** Milliseconds that a file may take; by its kind if it isn't given. */
  readonly limit?: number;
  /** When the run has to be over, milliseconds since 1970: a file that hasn't ended by then is skipped, and says so. */
  readonly endBy?: number;
  /** Milliseconds that a file's processes may outlive it. */
  readonly grace?: number;
  /** Milliseconds that they have to stop when asked. */
  readonly stopWithin?: number;
}

export interface FileResult {
  readonly file: string;
  readonly count: FileCount;
  readonly failures: readonly Failure[];
}

const minute = 60_000;

/** Generous: only a file that never ends reaches it. */
export const limitOf = (file: string): number => {
  if (file.startsWith('docker/')) return 45 * minute;
  // Installs, builds and tests two repositories.
  if (file.startsWith('system-tests/src/kit/')) return 20 * minute;
  return file.includes('.int.test.') || /^(?:system-tests|scripts|deploy)\//.test(file) ? 10 * minute : 5 * minute;
};

/** The product's programs stop within ten seconds of their parent's end. */
export const usualGrace = 15_000;

/** A running process of tests. */
interface Tests {
  readonly group: ProcessGroup;
  /** What the reporter writes; doesn't exist before its first line. */
  readonly lines: string;
  /** Removes what it left. @param show - prints its output first */
  readonly close: (show: boolean) => void;
}

/** @param entry - the file that Node runs, with its arguments @param live - writes to the terminal at once */
export function startTests(
  entry: readonly string[],
  { args = [], env, stopWithin }: NodeRun,
  { reporter, live = false }: { readonly reporter: string; readonly live?: boolean },
): Tests {
  const [scratch, temporary] = [scratchFolder(), scratchFolder()];
  const lines = join(scratch, 'results.jsonl');
  const options = [
    `--import=${pathToFileURL(join(import.meta.dirname, 'lighter-hooks.ts')).href}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(import.meta.dirname, reporter)}`,
    `--test-reporter-destination=${reporter === 'files-reporter.ts' ? lines : 'stderr'}`,
  ];
  const group = startGroup(process.execPath, [...args, ...options, ...entry], {
    // What a file leaves in TMPDIR is removed with it.
    env: { ...clockEnv(), ...env, TMPDIR: temporary, [progressVariable]: lines },
    live,
    stopWithin,
  });
  let output = '';
  const read = (chunk: Buffer): void => void (output += chunk.toString());
  group.child.stdout?.on('data', read);
  group.child.stderr?.on('data', read);
  return {
    group,
    lines,
    close(show) {
      if (show && !live) process.stdout.write(output);
      for (const folder of [scratch, temporary]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What is wrong with a file beside its tests. */
export function troublesOf(
  file: string,
  seen: {
    readonly ended: number | string;
    readonly limit: number;
    readonly left: readonly string[];
    readonly isCounted: boolean;
  },
): Failure[] {
  const { ended, limit, left, isCounted } = seen;
  if (ended === 'late')
    return [{ file, title: 'never ended', error: `ended after ${Math.round(limit / 1_000)} s`, isFinal: true }];
  return [
    ...(isCounted ? [] : [{ file, title: 'did not get to its end', error: `ended with ${ended}; see its output` }]),
    ...(left.length > 0 ? [{ file, title: 'left processes behind', error: left.join('\n') }] : []),
  ];
}

/** Writes a file's line. */
export function logResult(
  file: string,
  { passed, failed, skipped }: FileCount,
  ms: number,
  troubles: readonly Failure[],
): void {
  const more = `${failed > 0 ? `, ${failed} FAILED` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  log(`${file}: ${passed} passed${more} in ${(ms / 1_000).toFixed(1)} s`);
  for (const { title, error } of troubles) log(`  ${title}: ${error}`);
}
