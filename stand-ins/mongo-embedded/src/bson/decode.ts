import { BSONRegExp, Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { CommandError, MalformedMessage, outsideProfile } from '../errors.ts';
import { endOfName, endOfValue } from './fields.ts';
import type { FieldNames } from './fields.ts';
import type { Doc, Value } from './values.ts';

/** Documents deeper than MongoDB allows are rejected before they exhaust the stack. */
const MAX_DEPTH = 180;

/** One pass over the bytes of a document; `at` is the position of the next byte. */
class Reader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Reserves `length` bytes that must lie before `end`, and returns where they start. */
  take(length: number, end: number): number {
    const start = this.at;
    if (length < 0 || start + length > end) throw new MalformedMessage('BSON value runs past the end of its document');
    this.at = start + length;
    return start;
  }

  cstring(end: number): string {
    const start = this.at;
    const stop = this.bytes.indexOf(0, start);
    if (stop < 0 || stop >= end) throw new MalformedMessage('BSON name is not terminated');
    this.at = stop + 1;
    return readText(this.bytes, start, stop);
  }

  string(end: number): string {
    const length = this.bytes.readInt32LE(this.take(4, end));
    const start = this.take(length, end);
    if (length < 1 || this.bytes[start + length - 1] !== 0) throw new MalformedMessage('BSON string is not terminated');
    return readText(this.bytes, start, start + length - 1);
  }

  /** Start and end of the elements of an embedded document or array, both without the framing bytes. */
  frame(end: number): number {
    const start = this.at;
    const length = this.bytes.readInt32LE(this.take(4, end));
    const stop = start + length;
    if (length < 5 || stop > end || this.bytes[stop - 1] !== 0)
      throw new MalformedMessage('BSON document has a wrong length');
    return stop - 1;
  }

  document(end: number, depth: number): Doc {
    if (depth > MAX_DEPTH) throw tooDeep();
    const stop = this.frame(end);
    const doc: Doc = new Map();
    let count = 0;
    while (this.at < stop) {
      count += 1;
      const type = this.bytes.readUInt8(this.take(1, stop));
      doc.set(this.cstring(stop), this.value(type, stop, depth));
    }
    if (doc.size < count) throw outsideProfile('A document that has the same field twice');
    this.at = stop + 1;
    return doc;
  }

  /** Reads some fields of a document that was validated when it was stored. */
  fields(end: number, names: FieldNames): Doc {
    const stop = this.frame(end);
    const doc: Doc = new Map();
    while (this.at < stop) {
      const type = this.bytes.readUInt8(this.take(1, stop));
      const endName = endOfName(this.bytes, this.at, stop);
      const isNeeded = names.has(this.bytes, this.at, endName);
      const name = isNeeded ? readText(this.bytes, this.at, endName) : '';
      this.at = endName + 1;
      if (isNeeded) doc.set(name, this.value(type, stop, 0));
      else this.at = endOfValue(this.bytes, type, this.at, stop);
    }
    return doc;
  }

  array(end: number, depth: number): Value[] {
    if (depth > MAX_DEPTH) throw tooDeep();
    const stop = this.frame(end);
    const list: Value[] = [];
    while (this.at < stop) {
      const type = this.bytes.readUInt8(this.take(1, stop));
      const name = this.bytes.indexOf(0, this.at);
      if (name < 0 || name >= stop) throw new MalformedMessage('BSON name is not terminated');
      this.at = name + 1;
      list.push(this.value(type, stop, depth));
    }
    this.at = stop + 1;
    return list;
  }

  value(type: number, end: number, depth: number): Value {
    const { bytes } = this;
    switch (type) {
      case 0x01:
        return new Double(bytes.readDoubleLE(this.take(8, end)));
      case 0x02:
        return this.string(end);
      case 0x03:
        return this.document(end, depth + 1);
      case 0x04:
        return this.array(end, depth + 1);
      case 0x05:
        return this.binary(end);
      case 0x07: {
        const start = this.take(12, end);
        return new ObjectId(bytes.subarray(start, start + 12));
      }
      case 0x08:
        return bytes[this.take(1, end)] === 1;
      case 0x09:
        return this.date(end);
      case 0x0a:
        return null;
      case 0x0b:
        return new BSONRegExp(this.cstring(end), this.cstring(end));
      case 0x10:
        return new Int32(bytes.readInt32LE(this.take(4, end)));
      case 0x11: {
        const start = this.take(8, end);
        return new Timestamp({ i: bytes.readUInt32LE(start), t: bytes.readUInt32LE(start + 4) });
      }
      case 0x12: {
        const start = this.take(8, end);
        return new Long(bytes.readInt32LE(start), bytes.readInt32LE(start + 4));
      }
      case 0x13: {
        const start = this.take(16, end);
        return new Decimal128(Uint8Array.prototype.slice.call(bytes, start, start + 16));
      }
      case 0x7f:
        return new MaxKey();
      case 0xff:
        return new MinKey();
      case 0x06:
      case 0x0c:
      case 0x0d:
      case 0x0e:
      case 0x0f:
        throw outsideProfile(`BSON type ${type}`);
      default:
        throw new MalformedMessage(`unknown BSON type ${type}`);
    }
  }

  binary(end: number): Binary {
    const length = this.bytes.readInt32LE(this.take(4, end));
    const subType = this.bytes.readUInt8(this.take(1, end));
    const start = this.take(length, end);
    return new Binary(Uint8Array.prototype.slice.call(this.bytes, start, start + length), subType);
  }

  date(end: number): Date {
    const date = new Date(Number(this.bytes.readBigInt64LE(this.take(8, end))));
    if (Number.isNaN(date.getTime())) throw outsideProfile('A date outside the years -271821 to 275760');
    return date;
  }
}

function tooDeep(): CommandError {
  return new CommandError(15, `BSONObj exceeds maximum nested object depth: ${MAX_DEPTH}`);
}

/** Field names and most values are short ASCII, which a loop reads faster than a call into the runtime. */
function readText(bytes: Buffer, start: number, end: number): string {
  if (end - start < 16) {
    let text = '';
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte > 0x7f) return bytes.toString('utf8', start, end);
      text += String.fromCharCode(byte);
    }
    return text;
  }
  return bytes.toString('utf8', start, end);
}

/**
 * Reads one document.
 * @param bytes buffer that contains it
 * @param offset position of its first byte
 * @returns its fields in their stored order, numbers in their stored types
 * @throws MalformedMessage if the bytes aren't a BSON document
 */
export function decode(bytes: Buffer, offset = 0): Doc {
  return new Reader(bytes, offset).document(bytes.length, 0);
}

/** Reads only some top-level fields of a stored document. */
export function decodeFields(bytes: Buffer, names: FieldNames): Doc {
  return new Reader(bytes, 0).fields(bytes.length, names);
}

/** The length in bytes of the document at `offset`, checked against the available bytes. */
export function documentLength(bytes: Buffer, offset: number): number {
  if (offset + 5 > bytes.length) throw new MalformedMessage('BSON document is cut off');
  const length = bytes.readInt32LE(offset);
  if (length < 5 || offset + length > bytes.length) throw new MalformedMessage('BSON document has a wrong length');
  return length;
}
