// How long test files took, so that the longest start first and none runs alone at the end.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { root } from '../stack/settings.ts';

/** Seconds by file. */
type Seconds = Readonly<Record<string, number>>;

const cached = join(root, '.cache', 'test-durations.json');
const read = (path: string): Seconds => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Seconds) : {});

/** Seconds that a file probably takes of which nothing is known. */
function estimate(file: string): number {
  if (!file.includes('.int.test.')) return 1;
  if (file.startsWith('scripts/')) return 60;
  return file.startsWith('system-tests/') ? 20 : 5;
}

/** @param known - seconds by file; those that it doesn't have go by their kind */
export const secondsOf = (file: string, known: Seconds): number => known[file] ?? estimate(file);

/** @param known - seconds by file; those that it doesn't have go by their kind, then by their size */
export function longestFirst(files: readonly string[], known = knownDurations()): string[] {
  const sizes = new Map(files.map((file) => [file, sizeOf(file)]));
  return files.toSorted(
    (a, b) =>
      secondsOf(b, known) - secondsOf(a, known) || (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || a.localeCompare(b),
  );
}

const sizeOf = (file: string): number => statSync(resolve(root, file), { throwIfNoEntry: false })?.size ?? 0;

/** From earlier runs. */
export const knownDurations = (): Seconds => read(cached);

/** Remembers how long a file of the repository took. */
export function noteTime(file: string, milliseconds: number): void {
  if (!existsSync(join(root, file))) return;
  mkdirSync(dirname(cached), { recursive: true });
  // Another run may read it at any moment.
  const next = `${cached}.${process.pid}`;
  writeFileSync(next, JSON.stringify({ ...read(cached), [file]: Math.round(milliseconds / 100) / 10 }, undefined, 1));
  renameSync(next, cached);
}
