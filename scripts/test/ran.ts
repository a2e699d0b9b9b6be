// Records which test files ran, with their results: written by the test runner, read by `npm run verify:claims`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { root } from '../stack/settings.ts';

/** Results of a file's tests. */
export interface FileCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The latest run of a file. */
interface RanFile extends FileCount {
  /** When it ended, ISO 8601. */
  readonly at: string;
  /** SHA-256 of the file at that time. */
  readonly sha256: string;
}

/** By path relative to the repository's root. */
export type RanFiles = Readonly<Record<string, RanFile>>;

const listPath = join(root, '.cache', 'tests-ran.json');

/** The recorded runs; empty before the first one. */
export function readRan(path = listPath): RanFiles {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RanFiles) : {};
}

/** Clears the record, so that it only has this run afterwards. */
export function forgetRan(path = listPath): void {
  rmSync(path, { force: true });
}

/** Adds runs to the record. @param counts - results by path, absolute or relative to the root */
export function noteRan(counts: ReadonlyMap<string, FileCount>, path = listPath): void {
  const now = new Date().toISOString();
  const files: Record<string, RanFile> = { ...readRan(path) };
  for (const [file, count] of counts) {
    const name = isAbsolute(file) ? relative(root, file) : file;
    files[name] = { ...count, at: now, sha256: digestOf(join(root, name)) };
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(files, undefined, 1));
  renameSync(`${path}.new`, path);
}

export function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
