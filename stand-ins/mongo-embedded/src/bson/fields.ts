import { MalformedMessage } from '../errors.ts';

/**
 * Names of top-level fields, compared as bytes: converting every name to a string would cost more than all the rest of
 * skipping over it.
 */
export class FieldNames {
  private readonly names: readonly Buffer[];

  constructor(names: Iterable<string>) {
    this.names = [...names].map((name) => Buffer.from(name));
  }

  /** Whether the name in `bytes` between two positions is one of them. */
  has(bytes: Buffer, start: number, stop: number): boolean {
    const length = stop - start;
    return this.names.some((name) => {
      if (name.length !== length) return false;
      for (let at = 0; at < length; at += 1) if (name[at] !== bytes[start + at]) return false;
      return true;
    });
  }
}

/** The end of a zero-terminated name. */
export function endOfName(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== 0) at += 1;
  if (at >= end) throw new MalformedMessage('BSON name is not terminated');
  return at;
}

/** Bytes of a value whose type has a fixed length, by type. */
const fixed: Readonly<Record<number, number>> = {
  0x01: 8,
  0x07: 12,
  0x08: 1,
  0x09: 8,
  0x0a: 0,
  0x10: 4,
  0x11: 8,
  0x12: 8,
  0x13: 16,
  0x7f: 0,
  0xff: 0,
};

/**
 * The position after a value.
 *
 * @param at - its first byte
 * @param end - of the document
 * @throws MalformedMessage if it runs past the end
 */
export function endOfValue(bytes: Buffer, type: number, at: number, end: number): number {
  const after = at + (fixed[type] ?? variableLength(bytes, type, at, end));
  if (after > end) throw new MalformedMessage('BSON value runs past the end of its document');
  return after;
}

function variableLength(bytes: Buffer, type: number, at: number, end: number): number {
  if (type === 0x0b) return endOfName(bytes, endOfName(bytes, at, end) + 1, end) + 1 - at;
  if (at + 4 > end) throw new MalformedMessage('BSON value runs past the end of its document');
  const length = bytes.readInt32LE(at);
  if (length < 0) throw new MalformedMessage('BSON value has a negative length');
  switch (type) {
    case 0x02:
      return 4 + length;
    case 0x03:
    case 0x04:
      return length;
    case 0x05:
      return 5 + length;
    default:
      throw new MalformedMessage(`unknown BSON type ${type}`);
  }
}

/**
 * Copies a document with some of its top-level fields, without decoding it.
 *
 * @param including - whether `names` are the fields to keep, or those to leave out
 */
export function copyFields(document: Buffer, names: FieldNames, including: boolean): Buffer {
  const end = document.readInt32LE(0) - 1;
  const parts: Buffer[] = [Buffer.alloc(4)];
  let length = 5;
  let at = 4;
  // Adjacent fields are copied together.
  let from = -1;
  const keep = (until: number): void => {
    if (from < 0) return;
    parts.push(document.subarray(from, until));
    length += until - from;
    from = -1;
  };
  while (at < end) {
    const stop = endOfName(document, at + 1, end);
    if (names.has(document, at + 1, stop) !== including) keep(at);
    else if (from < 0) from = at;
    at = endOfValue(document, document[at] ?? 0, stop + 1, end);
  }
  keep(end);
  parts.push(Buffer.alloc(1));
  const copy = Buffer.concat(parts, length);
  copy.writeInt32LE(length, 0);
  return copy;
}
