import type { BSONRegExp, Binary, Decimal128, Long, ObjectId, Timestamp } from 'bson';
import { Double, Int32 } from 'bson';
import { present } from '../present.ts';
import { compareNumbers } from './numbers.ts';
import { TYPE_ORDER, typeOrder } from './values.ts';
import type { Doc, NumberValue, Value } from './values.ts';

/**
 * Compares strings by code point, which is the order of their UTF-8 bytes and so MongoDB's.
 * JavaScript's own `<` compares UTF-16 units and puts U+FFFD after an emoji.
 */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Moves surrogates (code points from U+10000) after the rest of the basic plane. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

function compareBinaries(a: Binary, b: Binary): number {
  return (
    a.position - b.position ||
    a.sub_type - b.sub_type ||
    Buffer.compare(a.buffer.subarray(0, a.position), b.buffer.subarray(0, b.position))
  );
}

function compareArrays(a: Value[], b: Value[]): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const order = compare(a[at], b[at]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Field by field: first the types, then the names, then the values. */
function compareDocs(a: Doc, b: Doc): number {
  const others = b.entries();
  for (const [name, value] of a) {
    const other = others.next();
    if (other.done) return 1;
    const [otherName, otherValue] = other.value;
    const order =
      typeOrder(value) - typeOrder(otherValue) || compareStrings(name, otherName) || compare(value, otherValue);
    if (order !== 0) return order;
  }
  return others.next().done ? 0 : -1;
}

/**
 * Compares two values of any types as MongoDB sorts them.
 * @param a a value; undefined stands for a missing field and equals null
 * @param b the other value
 * @returns negative, 0 or positive
 */
export function compare(a: Value | undefined, b: Value | undefined): number {
  if (a === b) return 0;
  const type = typeOrder(a);
  const order = type - typeOrder(b);
  if (order !== 0) return order;
  switch (type) {
    case TYPE_ORDER.number:
      return compareNumbers(a as NumberValue, b as NumberValue);
    case TYPE_ORDER.string:
      return compareStrings(a as string, b as string);
    case TYPE_ORDER.object:
      return compareDocs(a as Doc, b as Doc);
    case TYPE_ORDER.array:
      return compareArrays(a as Value[], b as Value[]);
    case TYPE_ORDER.binary:
      return compareBinaries(a as Binary, b as Binary);
    case TYPE_ORDER.objectId:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case TYPE_ORDER.bool:
      return Number(a) - Number(b);
    case TYPE_ORDER.date:
      return (a as Date).getTime() - (b as Date).getTime();
    case TYPE_ORDER.timestamp:
      return compareTimestamps(a as Timestamp, b as Timestamp);
    case TYPE_ORDER.regex: {
      const [x, y] = [a as BSONRegExp, b as BSONRegExp];
      return compareStrings(x.pattern, y.pattern) || compareStrings(x.options, y.options);
    }
    default:
      return 0;
  }
}

function compareTimestamps(a: Timestamp, b: Timestamp): number {
  return (a.high >>> 0) - (b.high >>> 0) || (a.low >>> 0) - (b.low >>> 0);
}

/** Whether values are identical to the last bit, which decides whether an update changed anything. */
export function identical(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => identical(item, b[at]));
  if (a instanceof Map) return b instanceof Map && identicalDocs(a, b);
  if (typeof a !== 'object' || typeof b !== 'object' || Array.isArray(b) || b instanceof Map) return false;
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && a.getTime() === b.getTime();
  if (a._bsontype !== b._bsontype) return false;
  if (a instanceof Double) return Object.is(a.value, (b as Double).value);
  if (a instanceof Int32) return a.value === (b as Int32).value;
  if (a._bsontype === 'Long') return (a as Long).equals(b as Long);
  if (a._bsontype === 'Decimal128') return Buffer.compare((a as Decimal128).bytes, (b as Decimal128).bytes) === 0;
  return compare(a, b) === 0;
}

function identicalDocs(a: Doc, b: Doc): boolean {
  if (a.size !== b.size) return false;
  const others = b.entries();
  for (const [name, value] of a) {
    const [otherName, otherValue] = present(others.next().value);
    if (name !== otherName || !identical(value, otherValue)) return false;
  }
  return true;
}
