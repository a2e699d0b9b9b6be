import type { BSONRegExp, Binary, ObjectId, Timestamp } from 'bson';
import { Double } from 'bson';
import { compareNumbers, nearest } from './numbers.ts';
import { Scratch } from './scratch.ts';
import { TYPE_ORDER, typeOrder } from './values.ts';
import type { Doc, NumberValue, Value } from './values.ts';

/**
 * Order-preserving index keys: comparing the bytes of two keys gives the order of their values.
 * Every part is self-terminating, so the key of a compound index is the concatenation of its parts.
 */
const out = new Scratch(4096);

/** Text ends with 0; the bytes 0 and 1 inside it are escaped by 1, so that a prefix sorts first. */
function writeText(text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  out.reserve(bytes.length * 2 + 1);
  for (const byte of bytes) {
    if (byte < 2) out.bytes[out.at++] = 1;
    out.bytes[out.at++] = byte < 2 ? byte + 1 : byte;
  }
  out.bytes[out.at++] = 0;
}

function invert(from: number, to: number): void {
  for (let index = from; index < to; index += 1) out.bytes.writeUInt8(out.bytes.readUInt8(index) ^ 0xff, index);
}

function writeDouble(value: number): void {
  out.reserve(8);
  if (Number.isNaN(value)) {
    out.bytes.fill(0, out.at, out.at + 8);
  } else {
    out.bytes.writeDoubleBE(value === 0 ? 0 : value, out.at);
    // The sign bit makes positive numbers greater; negative ones grow towards zero.
    if (out.bytes.readUInt8(out.at) < 0x80) out.bytes.writeUInt8(out.bytes.readUInt8(out.at) | 0x80, out.at);
    else invert(out.at, out.at + 8);
  }
  out.at += 8;
}

/** The nearest double, then whether the number is below it, equal or above, then its exact digits if not equal. */
function writeNumber(value: NumberValue): void {
  const { double, exact } = nearest(value);
  writeDouble(double);
  if (!exact) return out.writeByte(0x80);
  const start = out.at + 1;
  out.writeByte(compareNumbers(value, new Double(double)) < 0 ? 0x7f : 0x81);
  const negative = exact.coefficient < 0n;
  const digits = String(negative ? -exact.coefficient : exact.coefficient);
  const magnitude = digits.length + exact.exponent;
  out.reserve(2);
  out.at = out.bytes.writeUInt16BE(magnitude + 0x4000, out.at);
  writeText(digits.replace(/0+$/, ''));
  if (negative) invert(start, out.at);
}

function writeDoc(doc: Doc): void {
  for (const [name, value] of doc) {
    out.writeByte(typeOrder(value));
    writeText(name);
    writePayload(value);
  }
  out.writeByte(0);
}

function writePayload(value: Value | undefined): void {
  switch (typeOrder(value)) {
    case TYPE_ORDER.number:
      return writeNumber(value as NumberValue);
    case TYPE_ORDER.string:
      return writeText(value as string);
    case TYPE_ORDER.object:
      return writeDoc(value as Doc);
    case TYPE_ORDER.array:
      for (const item of value as Value[]) writeValue(item);
      return out.writeByte(0);
    case TYPE_ORDER.binary: {
      const { position, sub_type: subType, buffer } = value as Binary;
      out.reserve(5 + position);
      out.at = out.bytes.writeUInt32BE(position, out.at);
      out.bytes[out.at++] = subType;
      out.bytes.set(buffer.subarray(0, position), out.at);
      out.at += position;
      return;
    }
    case TYPE_ORDER.objectId:
      out.reserve(12);
      out.bytes.set((value as ObjectId).id, out.at);
      out.at += 12;
      return;
    case TYPE_ORDER.bool:
      return out.writeByte(value ? 1 : 0);
    case TYPE_ORDER.date:
      out.reserve(8);
      out.at = out.bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt((value as Date).getTime()) + (1n << 63n)), out.at);
      return;
    case TYPE_ORDER.timestamp:
      out.reserve(8);
      out.at = out.bytes.writeUInt32BE((value as Timestamp).high >>> 0, out.at);
      out.at = out.bytes.writeUInt32BE((value as Timestamp).low >>> 0, out.at);
      return;
    case TYPE_ORDER.regex:
      writeText((value as BSONRegExp).pattern);
      return writeText((value as BSONRegExp).options);
    default:
      return;
  }
}

function writeValue(value: Value | undefined): void {
  out.writeByte(typeOrder(value));
  writePayload(value);
}

/** The key of one ascending index field. @param value undefined for a missing field, which is indexed as null */
export function keyOf(value: Value | undefined): Buffer {
  return out.filledBy(() => writeValue(value));
}

/** The key under which an empty array is indexed: before null, as in MongoDB. */
export const EMPTY_ARRAY_KEY = Buffer.from([TYPE_ORDER.undefined]);

/** The inverted bytes, for a descending index field. */
export function inverted(key: Uint8Array): Buffer {
  const turned = Buffer.allocUnsafe(key.length);
  for (const [index, byte] of key.entries()) turned[index] = byte ^ 0xff;
  return turned;
}

/** The least key that is greater than every key that starts with these bytes. */
export function successor(prefix: Uint8Array): Buffer {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  // All 0xff: no key is greater, and no type's order byte is 0xff, inverted or not.
  if (length === 0) return Buffer.from([0xff, 0xff]);
  const next = Buffer.from(prefix.subarray(0, length));
  next.writeUInt8(next.readUInt8(length - 1) + 1, length - 1);
  return next;
}
