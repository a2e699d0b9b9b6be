// Runs many test files in one program (jest, Playwright), with a limit on each file: if one never ends, or takes the program
// with it, another program runs the files that are left.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from '../log.ts';
import type { ProcessGroup } from './process-group.ts';
import { linesOf, type Failure } from './reports.ts';
import { scratchFolder } from './scratch.ts';

/**
 * What a runner's reporter writes about its progress, a line each. A file that runs several times, in several browsers,
 * is named with a tab and what differs.
 */
export type Progress<Result> =
  | { readonly planned: readonly string[] }
  | { readonly begun: string }
  | { readonly ended: string }
  | { readonly result: Result };

/** Where a reporter writes its progress; the name of a variable. */
export const progressVariable = 'CLINIC_TEST_PROGRESS';

interface Batches {
  /** Starts the program on these files, in an environment that has the variable. */
  readonly start: (files: readonly string[], env: Readonly<Record<string, string>>) => ProcessGroup;
  /** Milliseconds that a file may take. */
  readonly limit: number;
  /** Milliseconds that the program may do nothing, such as at its start. */
  readonly quiet: number;
}

export interface BatchesResult<Result> {
  readonly results: readonly Result[];
  /** Files that never ended, or ended their program, and a program that did nothing. */
  readonly troubles: readonly Failure[];
  /** Whether each program that wasn't ended exited with 0. */
  readonly ok: boolean;
}

const pollMs = 500;

/** @param files - as the program's reporter names them */
export async function inBatches<Result>(
  files: readonly string[],
  { start, limit, quiet }: Batches,
): Promise<BatchesResult<Result>> {
  const results: Result[] = [];
  const troubles: Failure[] = [];
  let ok = true;
  for (let left = files; left.length > 0;) {
    const path = join(scratchFolder(), 'progress.jsonl');
    const read = (): Progress<Result>[] => linesOf(existsSync(path) ? readFileSync(path, 'utf8') : '');
    const group = start(left, { [progressVariable]: path });
    group.child.stdout?.pipe(process.stdout, { end: false });
    group.child.stderr?.pipe(process.stderr, { end: false });
    const late = await untilLate(group, read, { limit, quiet });
    await group.end();
    const lines = read();
    results.push(...lines.flatMap((line) => ('result' in line ? [line.result] : [])));
    if (late?.files.length === 0) {
      const error = `nothing happened for ${Math.round(quiet / 1_000)} s`;
      troubles.push({ file: left[0] ?? '', title: 'the tests stood still', error, isFinal: true });
      break;
    }
    const code = late ? 0 : await group.exited;
    const broken = new Set((late?.files ?? openOf(lines)).map(fileOf));
    for (const file of broken) {
      const trouble = late
        ? { title: 'never ended', error: `ended after ${Math.round(limit / 1_000)} s`, isFinal: true }
        : { title: 'did not get to its end', error: `its program ended with ${code}; see its output` };
      troubles.push({ file, ...trouble });
      log(`${file} ${trouble.title}: ${trouble.error}.`);
    }
    if (broken.size === 0) {
      ok &&= code === 0;
      break;
    }
    left = left.filter((file) => !broken.has(file) && !hasEnded(file, lines));
  }
  return { results, troubles, ok };
}

const fileOf = (name: string): string => name.split('\t', 1)[0] ?? name;

/** What has begun and not ended. */
function openOf(lines: readonly Progress<unknown>[]): string[] {
  const ended = new Set(lines.flatMap((line) => ('ended' in line ? [line.ended] : [])));
  return [...new Set(lines.flatMap((line) => ('begun' in line && !ended.has(line.begun) ? [line.begun] : [])))];
}

/** Whether a file has ended, everywhere where it was to run. */
function hasEnded(file: string, lines: readonly Progress<unknown>[]): boolean {
  const ended = new Set(lines.flatMap((line) => ('ended' in line ? [line.ended] : [])));
  const planned = lines.flatMap((line) => ('planned' in line ? line.planned : []));
  const own = planned.filter((name) => fileOf(name) === file);
  return own.length > 0 ? own.every((name) => ended.has(name)) : ended.has(file);
}

/** @returns what never ends; `undefined` once the program has exited */
async function untilLate(
  group: ProcessGroup,
  read: () => readonly Progress<unknown>[],
  { limit, quiet }: Pick<Batches, 'limit' | 'quiet'>,
): Promise<{ readonly files: readonly string[] } | undefined> {
  const over = new AbortController();
  const exited = group.exited.finally(() => over.abort());
  // By when we saw it: the program's clock may be elsewhere.
  const open = new Map<string, number>();
  let [seen, lastAt] = [0, performance.now()];
  while (!over.signal.aborted) {
    await Promise.race([delay(pollMs, undefined, { signal: over.signal }).catch(() => undefined), exited]);
    const now = performance.now();
    const lines = read();
    for (const line of lines.slice(seen)) {
      lastAt = now;
      if ('begun' in line && !open.has(line.begun)) open.set(line.begun, now);
      if ('ended' in line) open.delete(line.ended);
    }
    seen = lines.length;
    const files = [...open].filter(([, at]) => now - at > limit).map(([file]) => file);
    const isQuiet = open.size === 0 && now - lastAt > quiet;
    if (!over.signal.aborted && (files.length > 0 || isQuiet)) return { files };
  }
  return undefined;
}
