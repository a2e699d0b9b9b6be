import { BSONRegExp, Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { Scratch } from './scratch.ts';
import type { Value } from './values.ts';

/** A document in its stored bytes, put into a reply without being decoded. */
export class RawDocument {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** Content of replies: stored values, and plain objects, numbers and raw documents for convenience. */
export type Encodable =
  | Value
  | RawDocument
  | number
  | undefined
  | Encodable[]
  | Map<string, Encodable>
  | { [name: string]: Encodable };

const out = new Scratch(64 * 1024);

function writeInt32(value: number): void {
  out.reserve(4);
  out.at = out.bytes.writeInt32LE(value, out.at);
}

function writeText(text: string): void {
  out.reserve(text.length * 3 + 1);
  out.at += out.bytes.write(text, out.at, 'utf8');
  out.bytes[out.at++] = 0;
}

function writeBytes(bytes: Uint8Array): void {
  out.reserve(bytes.length);
  out.bytes.set(bytes, out.at);
  out.at += bytes.length;
}

/** Writes the type byte and the name of a field. Returns the position of the type byte. */
function writeHead(type: number, name: string): void {
  out.writeByte(type);
  writeText(name);
}

function writeNumber(name: string, value: number): void {
  if (Number.isInteger(value) && value >= -0x80000000 && value <= 0x7fffffff && !Object.is(value, -0)) {
    writeHead(0x10, name);
    writeInt32(value);
  } else {
    writeHead(0x01, name);
    out.reserve(8);
    out.at = out.bytes.writeDoubleLE(value, out.at);
  }
}

function writeField(name: string, value: Encodable): void {
  if (value === undefined) return;
  if (value === null) writeHead(0x0a, name);
  else if (typeof value === 'string') writeString(name, value);
  else if (typeof value === 'number') writeNumber(name, value);
  else if (typeof value === 'boolean') {
    writeHead(0x08, name);
    out.writeByte(value ? 1 : 0);
  } else writeObject(name, value);
}

function writeString(name: string, value: string): void {
  writeHead(0x02, name);
  const start = out.at;
  writeInt32(0);
  writeText(value);
  out.bytes.writeInt32LE(out.at - start - 4, start);
}

function writeObject(name: string, value: Exclude<Encodable, string | number | boolean | null | undefined>): void {
  if (value instanceof Map) {
    writeHead(0x03, name);
    writeEntries(value);
  } else if (Array.isArray(value)) {
    writeHead(0x04, name);
    const start = out.at;
    writeInt32(0);
    for (let index = 0; index < value.length; index += 1) writeField(String(index), value[index] ?? null);
    out.writeByte(0);
    out.bytes.writeInt32LE(out.at - start, start);
  } else if (value instanceof RawDocument) {
    writeHead(0x03, name);
    writeBytes(value.bytes);
  } else if (value instanceof Int32) {
    writeHead(0x10, name);
    writeInt32(value.value);
  } else if (value instanceof ObjectId) {
    writeHead(0x07, name);
    writeBytes(value.id);
  } else if (value instanceof Date) {
    writeHead(0x09, name);
    out.reserve(8);
    out.at = out.bytes.writeBigInt64LE(BigInt(value.getTime()), out.at);
  } else if (value instanceof Double) {
    writeHead(0x01, name);
    out.reserve(8);
    out.at = out.bytes.writeDoubleLE(value.value, out.at);
  } else if (value instanceof Timestamp) {
    writeHead(0x11, name);
    writeInt32(value.low);
    writeInt32(value.high);
  } else if (value instanceof Long) {
    writeHead(0x12, name);
    writeInt32(value.low);
    writeInt32(value.high);
  } else if (value instanceof Decimal128) {
    writeHead(0x13, name);
    writeBytes(value.bytes);
  } else if (value instanceof Binary) {
    writeHead(0x05, name);
    writeInt32(value.position);
    out.writeByte(value.sub_type);
    writeBytes(value.buffer.subarray(0, value.position));
  } else if (value instanceof BSONRegExp) {
    writeHead(0x0b, name);
    writeText(value.pattern);
    writeText(value.options);
  } else if (value instanceof MinKey) writeHead(0xff, name);
  else if (value instanceof MaxKey) writeHead(0x7f, name);
  else {
    writeHead(0x03, name);
    writeEntries(Object.entries(value as { [name: string]: Encodable }));
  }
}

function writeEntries(entries: Iterable<[string, Encodable]>): void {
  const start = out.at;
  writeInt32(0);
  for (const [name, value] of entries) writeField(name, value);
  out.writeByte(0);
  out.bytes.writeInt32LE(out.at - start, start);
}

/**
 * Writes one document.
 * @param document its fields in order; undefined ones are left out
 * @returns its bytes, owned by the caller
 */
export function encode(document: Map<string, Encodable> | { [name: string]: Encodable }): Buffer {
  return out.filledBy(() => writeEntries(document instanceof Map ? document : Object.entries(document)));
}
