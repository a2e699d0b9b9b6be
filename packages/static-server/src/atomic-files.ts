import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Writes atomically, because others may read the file at any time. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const fresh = `${file}~${randomBytes(4).toString('hex')}`;
  await writeFile(fresh, text);
  await rename(fresh, file);
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
