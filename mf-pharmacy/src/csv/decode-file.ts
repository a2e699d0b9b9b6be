/** A file that can't be read as a list of medicines at all. */
export class UnreadableFile extends Error {}

export interface DecodedFile {
  readonly text: string;
  /** The file isn't Unicode; Windows-1252 is a guess that somebody has to confirm. */
  readonly guessed: boolean;
}

const unicodeMarks = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
] as const;

/**
 * Decodes a text file: Unicode by its byte order mark, else UTF-8, else Windows-1252, which spreadsheets on Windows still
 * write. An invalid byte never becomes a replacement character.
 *
 * @throws UnreadableFile if it is none of these
 */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  const [marked] = unicodeMarks.find(([, ...mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? [];
  const text = decode(bytes, marked ?? 'utf-8');
  // Text has no NUL characters; UTF-16 without a byte order mark is full of them.
  if (text !== undefined && !text.includes('\0')) return { text, guessed: false };
  const guess = text === undefined && marked === undefined ? decode(bytes, 'windows-1252') : undefined;
  // Bytes undefined in Windows-1252 decode to control characters.
  if (guess === undefined || /[\0\u0080-\u009f]/u.test(guess))
    throw new UnreadableFile('We can’t read this file. Save it as “CSV UTF-8” and choose it again.');
  return { text: guess, guessed: true };
}

/** @returns `undefined` if some bytes aren't valid in this encoding */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // A fatal decoder only throws for bytes that aren't valid in its encoding.
    return undefined;
  }
}
