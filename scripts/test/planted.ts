import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after } from 'node:test';
import { root } from '../stack/settings.ts';

/** A folder for test files that tests write; it goes after them. It is in the repository, so that files find its modules. */
export function plantingFolder(): string {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'planted-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a test file. @returns its path from the root, as the runner reports it */
export function plantIn(folder: string, name: string, text: string): string {
  const path = join(folder, `${name}.test.ts`);
  writeFileSync(path, text);
  return relative(root, path);
}
