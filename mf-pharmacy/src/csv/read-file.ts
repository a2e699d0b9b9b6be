import { decodeFile } from './decode-file.ts';
import { readLines, type ReadFile } from './read-lines.ts';

/**
 * Reads a CSV file of medicines.
 *
 * @returns its text too, which tells one file from another
 * @throws UnreadableFile saying why, where no line can be read
 */
export function readFile(bytes: Uint8Array): ReadFile & { readonly text: string; readonly guessed: boolean } {
  const { text, guessed } = decodeFile(bytes);
  return { ...readLines(text), text, guessed };
}
