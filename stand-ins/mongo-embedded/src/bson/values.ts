import type { BSONRegExp, Binary, MaxKey, MinKey, ObjectId } from 'bson';
import { Decimal128, Double, Int32, Long, Timestamp } from 'bson';

/**
 * A document as a Map: unlike an object, it keeps the order of numeric field names and treats no name (such as
 * `__proto__`) specially.
 */
export type Doc = Map<string, Value>;

/** A number of one of the four BSON types. The type is part of the stored data, so they are kept distinct. */
export type NumberValue = Int32 | Double | Long | Decimal128;

/** Every BSON value that a stored document may hold. */
export type Value =
  | null
  | boolean
  | string
  | NumberValue
  | ObjectId
  | Date
  | Binary
  | Timestamp
  | BSONRegExp
  | MinKey
  | MaxKey
  | Value[]
  | Doc;

/** The rank of each BSON type in MongoDB's comparison order; also the first byte of an index key. */
export const TYPE_ORDER = {
  minKey: 0x0a,
  undefined: 0x0f,
  null: 0x14,
  number: 0x1e,
  string: 0x3c,
  object: 0x46,
  array: 0x50,
  binary: 0x5a,
  objectId: 0x64,
  bool: 0x6e,
  date: 0x78,
  timestamp: 0x82,
  regex: 0x8c,
  maxKey: 0xf0,
} as const;

const BSON_TYPE_ORDER: Record<string, number> = {
  Int32: TYPE_ORDER.number,
  Double: TYPE_ORDER.number,
  Long: TYPE_ORDER.number,
  Decimal128: TYPE_ORDER.number,
  ObjectId: TYPE_ORDER.objectId,
  Binary: TYPE_ORDER.binary,
  Timestamp: TYPE_ORDER.timestamp,
  BSONRegExp: TYPE_ORDER.regex,
  MinKey: TYPE_ORDER.minKey,
  MaxKey: TYPE_ORDER.maxKey,
};

/**
 * The rank of a value's type in MongoDB's comparison order.
 * @param value a value, or undefined for a missing field, which sorts as null
 */
export function typeOrder(value: Value | undefined): number {
  if (value === null || value === undefined) return TYPE_ORDER.null;
  if (typeof value === 'string') return TYPE_ORDER.string;
  if (typeof value === 'boolean') return TYPE_ORDER.bool;
  if (value instanceof Map) return TYPE_ORDER.object;
  if (Array.isArray(value)) return TYPE_ORDER.array;
  if (value instanceof Date) return TYPE_ORDER.date;
  return BSON_TYPE_ORDER[value._bsontype] ?? TYPE_ORDER.null;
}

/** Whether a value has one of the four number types. */
export function isNumber(value: Value | undefined): value is NumberValue {
  return (
    value instanceof Int32 ||
    value instanceof Double ||
    (value instanceof Long && !(value instanceof Timestamp)) ||
    value instanceof Decimal128
  );
}

/** Whether a value is a document (not an array). */
export function isDoc(value: unknown): value is Doc {
  return value instanceof Map;
}

const TYPE_NAMES: Record<string, string> = {
  Int32: 'int',
  Double: 'double',
  Long: 'long',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
  Binary: 'binData',
  Timestamp: 'timestamp',
  BSONRegExp: 'regex',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
};

/** The name of a value's type in MongoDB's messages. */
export function typeName(value: Value | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  return TYPE_NAMES[value._bsontype] ?? 'unknown';
}
