import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

const freshNameOf = (file: string): string => `${file}~${randomBytes(4).toString('hex')}`;

/** Writes atomically, because others may read the file at any time. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const fresh = freshNameOf(file);
  await writeFile(fresh, text);
  await rename(fresh, file);
}

/**
 * Creates a file with its whole content, unless it exists.
 *
 * @returns whether this call created it: of several processes, one does
 */
export async function createWhole(file: string, text: string): Promise<boolean> {
  const fresh = freshNameOf(file);
  await writeFile(fresh, text);
  try {
    await link(fresh, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(fresh, { force: true });
  }
}

/** @returns what was read; `undefined` if the file or folder doesn't exist: not written yet, or just removed */
export async function ifPresent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** A JSON file's content; `undefined` if it doesn't exist. */
export async function readJson<T>(file: string): Promise<T | undefined> {
  const text = await ifPresent(readFile(file, 'utf8'));
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
