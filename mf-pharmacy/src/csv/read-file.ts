import { decodeFile } from './decode-file.ts';
import { readLines, type ReadFile } from './read-lines.ts';

/**
 * Reads a CSV file of medicines.
 *
 * @returns also its text, which identifies the file
 * @throws UnreadableFile with the reason, if no line can be read
 */
export function readFile(bytes: Uint8Array): ReadFile & { readonly text: string; readonly guessed: boolean } {
  const { text, guessed } = decodeFile(bytes);
  return { ...readLines(text), text, guessed };
}
