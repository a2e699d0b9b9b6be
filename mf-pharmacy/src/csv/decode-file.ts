import { UnreadableFile } from './unreadable-file.ts';

export interface DecodedFile {
  readonly text: string;
  /** The file isn't Unicode; that it is Windows-1252 is a guess, which somebody has to confirm. */
  readonly guessed: boolean;
}

const unicodeMarks = [['utf-8', 0xef, 0xbb, 0xbf], ['utf-16le', 0xff, 0xfe], ['utf-16be', 0xfe, 0xff]] as const;

/**
 * Decodes a text file: Unicode by its byte order mark, else UTF-8, else Windows-1252, which spreadsheets on Windows still
 * write. A byte that doesn't fit never becomes a replacement character.
 *
 * @throws UnreadableFile where it is none of these
 */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const [marked] = unicodeMarks.find(([, ...mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? [];
  const text = decode(bytes, marked ?? 'utf-8');
  // Text has no zero characters; UTF-16 without its mark is full of them.
  if (text !== undefined && !text.includes('\0')) return { text, guessed: false };
  const guess = text === undefined && marked === undefined ? decode(bytes, 'windows-1252') : undefined;
  // Bytes that Windows-1252 doesn't define come out as control characters.
  if (guess === undefined || /[\0\u0080-\u009f]/u.test(guess)) throw new UnreadableFile('This is not a text file that we can read. Save it as “CSV UTF-8” and choose it again.');
  return { text: guess, guessed: true };
}

/** @returns nothing where some bytes aren't of this encoding */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // All that a decoder throws when it is fatal: these bytes aren't of its encoding.
    return undefined;
  }
}
