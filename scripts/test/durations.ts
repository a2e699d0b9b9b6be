// How long test files took, so that the longest start first and none runs alone at the end.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from '../stack/settings.ts';

/** Seconds by file: the long ones are committed, for the first run on a machine. */
type Seconds = Readonly<Record<string, number>>;

const committed = join(import.meta.dirname, 'durations.json');
const cached = join(root, '.cache', 'test-durations.json');
const read = (path: string): Seconds => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Seconds) : {});

/** @param known - seconds by file; files that it doesn't have are ordered by their size, after those that it has */
export function longestFirst(files: readonly string[], known = knownDurations()): string[] {
  const sizes = new Map(files.map((file) => [file, sizeOf(file)]));
  return files.toSorted(
    (a, b) => (known[b] ?? 0) - (known[a] ?? 0) || (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || a.localeCompare(b),
  );
}

const sizeOf = (file: string): number => statSync(resolve(root, file), { throwIfNoEntry: false })?.size ?? 0;

const knownDurations = (): Seconds => ({ ...read(committed), ...read(cached) });

/** Remembers how long a file of the repository took. */
export function noteTime(file: string, milliseconds: number): void {
  if (!existsSync(join(root, file))) return;
  mkdirSync(dirname(cached), { recursive: true });
  writeFileSync(cached, JSON.stringify({ ...read(cached), [file]: Math.round(milliseconds / 100) / 10 }, undefined, 1));
}
