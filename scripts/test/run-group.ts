// Runs test files of node:test one after the other in one process. If one never ends, or takes the process with it, another
// process runs those after it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../stack/settings.ts';
import type { GroupedFile } from './grouped-reporter.ts';
import { linesOf, type Failure } from './reports.ts';
import {
  limitOf,
  logResult,
  startTests,
  type FileResult,
  type NodeRun,
  troublesOf,
  usualGrace,
} from './test-process.ts';

const pollMs = 500;

/** @param files - relative to the root @param note - told how long each took, milliseconds */
export async function runGroup(
  files: readonly string[],
  run: NodeRun,
  note: (file: string, ms: number) => void,
): Promise<FileResult[]> {
  const results: FileResult[] = [];
  while (results.length < files.length) results.push(...(await runSome(files.slice(results.length), run, note)));
  return results;
}

/** @returns results of the first of them, at least one */
async function runSome(
  files: readonly string[],
  run: NodeRun,
  note: (file: string, ms: number) => void,
): Promise<FileResult[]> {
  const tests = startTests(
    [join(import.meta.dirname, 'grouped-files.ts'), ...files.map((file) => join(root, file))],
    run,
    { reporter: 'grouped-reporter.ts' },
  );
  const lines = (): (GroupedFile | { readonly failures: readonly Failure[] })[] =>
    linesOf(existsSync(tests.lines) ? readFileSync(tests.lines, 'utf8') : '');
  const results: FileResult[] = [];
  const readResults = (): void => {
    const ended = lines().flatMap((line) => ('file' in line ? [line] : []));
    for (const { count, failures, ms } of ended.slice(results.length)) {
      const file = files[results.length] ?? '';
      results.push({ file, count, failures });
      note(file, ms);
      logResult(file, count, ms, []);
    }
  };
  const end = async (): Promise<number | string> => {
    for (let [seen, since] = [0, performance.now()]; ;) {
      const how = await Promise.race([tests.group.exited, delay(pollMs)]);
      readResults();
      if (how !== undefined) return how;
      if (results.length > seen) [seen, since] = [results.length, performance.now()];
      else if (performance.now() - since > (run.limit ?? limitOf(files[seen] ?? ''))) return 'late';
    }
  };
  const how = await end();
  const left = how === 'late' ? [] : await tests.group.empty(run.grace ?? usualGrace);
  await tests.group.end();
  const outside = lines().flatMap((line) => ('file' in line ? [] : line.failures));
  const isWhole = results.length === files.length;
  const isSilent = how !== 0 && outside.length === 0 && results.every(({ count }) => count.failed === 0);
  const file = files[Math.min(results.length, files.length - 1)] ?? '';
  const troubles = [
    ...outside,
    ...troublesOf(file, { ended: how, limit: run.limit ?? limitOf(file), left, isCounted: isWhole && !isSilent }),
  ];
  if (troubles.length > 0) {
    const last = isWhole ? results.pop() : undefined;
    const { passed, failed, skipped } = last?.count ?? { passed: 0, failed: 0, skipped: 0 };
    const count = { passed, failed: failed + troubles.length, skipped };
    results.push({ file, count, failures: [...(last?.failures ?? []), ...troubles] });
    logResult(file, count, 0, troubles);
  }
  tests.close(run.verbose === true || results.some(({ count }) => count.failed > 0));
  return results;
}
