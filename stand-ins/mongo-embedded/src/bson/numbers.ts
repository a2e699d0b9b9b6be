import { Decimal128, Double, Int32, Long } from 'bson';
import type { NumberValue } from './values.ts';

/** A finite decimal number: coefficient × 10^exponent. */
export interface Decimal {
  coefficient: bigint;
  exponent: number;
}

const MAX_COEFFICIENT = 10n ** 34n - 1n;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/**
 * The parts of a Decimal128, or the double NaN, Infinity or -Infinity when it has none (IEEE 754-2008, binary
 * encoding).
 */
export function decimalParts(value: Decimal128): Decimal | number {
  const bytes = Buffer.from(value.bytes.buffer, value.bytes.byteOffset, 16);
  const high = bytes.readBigUInt64LE(8);
  const negative = high >> 63n === 1n;
  const combination = (high >> 58n) & 0x1fn;
  if (combination === 0x1fn) return Number.NaN;
  if (combination === 0x1en) return negative ? -Infinity : Infinity;
  const large = ((high >> 61n) & 3n) === 3n;
  const exponent = Number((high >> (large ? 47n : 49n)) & 0x3fffn) - 6176;
  let coefficient = large ? 0n : ((high & 0x1ffffffffffffn) << 64n) | bytes.readBigUInt64LE(0);
  if (coefficient > MAX_COEFFICIENT) coefficient = 0n;
  return { coefficient: negative ? -coefficient : coefficient, exponent };
}

/** The double nearest to a number of any type. */
export function toDouble(value: NumberValue): number {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Long) return value.toNumber();
  const parts = decimalParts(value);
  return typeof parts === 'number' ? parts : Number(`${parts.coefficient}e${parts.exponent}`);
}

/** A finite double as an exact fraction. */
function fraction(value: number): [bigint, bigint] {
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(value);
  const raw = bits.readBigUInt64BE();
  const biased = Number((raw >> 52n) & 0x7ffn);
  const mantissa = (raw & 0xfffffffffffffn) | (biased === 0 ? 0n : 1n << 52n);
  const exponent = (biased === 0 ? 1 : biased) - 1075;
  const signed = raw >> 63n === 1n ? -mantissa : mantissa;
  return exponent >= 0 ? [signed << BigInt(exponent), 1n] : [signed, 1n << BigInt(-exponent)];
}

function exactFraction(value: NumberValue): [bigint, bigint] {
  if (value instanceof Long) return [value.toBigInt(), 1n];
  if (value instanceof Decimal128) {
    const parts = decimalParts(value) as Decimal;
    return parts.exponent >= 0
      ? [parts.coefficient * 10n ** BigInt(parts.exponent), 1n]
      : [parts.coefficient, 10n ** BigInt(-parts.exponent)];
  }
  return fraction(value.value);
}

function isExactDouble(value: NumberValue): boolean {
  return (
    value instanceof Int32 ||
    value instanceof Double ||
    (value instanceof Long && Number.isSafeInteger(value.toNumber()))
  );
}

function isFinite(value: NumberValue): boolean {
  if (value instanceof Double) return Number.isFinite(value.value);
  return !(value instanceof Decimal128) || typeof decimalParts(value) !== 'number';
}

/** Compares two numbers by their exact values; NaN equals NaN and is less than every other number. */
export function compareNumbers(a: NumberValue, b: NumberValue): number {
  const x = toDouble(a);
  const y = toDouble(b);
  if (x < y) return -1;
  if (x > y) return 1;
  if (x !== y) return Number.isNaN(x) ? (Number.isNaN(y) ? 0 : -1) : 1;
  if (isExactDouble(a) && isExactDouble(b)) return 0;
  if (!Number.isFinite(x)) {
    // A huge decimal rounds to an infinite double, but is less than infinity.
    if (isFinite(a) !== isFinite(b)) return isFinite(a) === x > 0 ? -1 : 1;
    if (!isFinite(a)) return 0;
  }
  const [an, ad] = exactFraction(a);
  const [bn, bd] = exactFraction(b);
  const difference = an * bd - bn * ad;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/**
 * A number as its nearest double, for index keys.
 * @returns the double, and for numbers that differ from it also their exact decimal
 */
export function nearest(value: NumberValue): { double: number; exact?: Decimal } {
  const double = toDouble(value);
  if (isExactDouble(value) || Number.isNaN(double)) return { double };
  if (value instanceof Long) {
    const exact = value.toBigInt();
    return BigInt(double) === exact ? { double } : { double, exact: { coefficient: exact, exponent: 0 } };
  }
  const parts = decimalParts(value as Decimal128);
  if (typeof parts === 'number') return { double };
  if (Number.isFinite(double) && compareNumbers(value, new Double(double)) === 0) return { double };
  return { double, exact: parts };
}

/** The value of a number as a decimal; doubles are rounded to 15 digits, as MongoDB does. */
function toDecimal(value: NumberValue): Decimal | number {
  if (value instanceof Decimal128) return decimalParts(value);
  if (value instanceof Int32) return { coefficient: BigInt(value.value), exponent: 0 };
  if (value instanceof Long) return { coefficient: value.toBigInt(), exponent: 0 };
  if (!Number.isFinite(value.value)) return value.value;
  const [digits = '0', exponent = '0'] = value.value.toExponential(14).split('e');
  return { coefficient: BigInt(digits.replace('.', '')), exponent: Number(exponent) - 14 };
}

function makeDecimal({ coefficient, exponent }: Decimal): Decimal128 {
  let digits = coefficient < 0n ? -coefficient : coefficient;
  let power = exponent;
  const excess = digits.toString().length - 34;
  if (excess > 0) {
    const unit = 10n ** BigInt(excess);
    const rest = digits % unit;
    digits /= unit;
    power += excess;
    const half = rest * 2n;
    // Half to even, the rounding of IEEE 754 and of MongoDB.
    if (half > unit || (half === unit && digits % 2n === 1n)) digits += 1n;
  }
  return Decimal128.fromString(`${coefficient < 0n ? '-' : ''}${digits}E${power}`);
}

function special(value: number): Decimal128 {
  return Decimal128.fromString(String(value));
}

function asDouble(value: Decimal | number): number {
  return typeof value === 'number' ? value : Number(value.coefficient);
}

function integer(result: bigint, wide: boolean): NumberValue | undefined {
  if (!wide && result >= -0x80000000n && result <= 0x7fffffffn) return new Int32(Number(result));
  return result >= INT64_MIN && result <= INT64_MAX ? Long.fromBigInt(result) : undefined;
}

function bigintOf(value: Int32 | Long): bigint {
  return value instanceof Long ? value.toBigInt() : BigInt(value.value);
}

/**
 * Adds as MongoDB does: decimal wins over double over long over int, and an int that overflows becomes a long.
 * @returns the sum, or undefined if it doesn't fit a long
 */
export function add(a: NumberValue, b: NumberValue): NumberValue | undefined {
  if (a instanceof Decimal128 || b instanceof Decimal128) {
    const x = toDecimal(a);
    const y = toDecimal(b);
    if (typeof x === 'number' || typeof y === 'number') return special(asDouble(x) + asDouble(y));
    const exponent = Math.min(x.exponent, y.exponent);
    const scaled = (part: Decimal): bigint => part.coefficient * 10n ** BigInt(part.exponent - exponent);
    return makeDecimal({ coefficient: scaled(x) + scaled(y), exponent });
  }
  if (a instanceof Double || b instanceof Double) return new Double(toDouble(a) + toDouble(b));
  return integer(bigintOf(a) + bigintOf(b), a instanceof Long || b instanceof Long);
}

/** Multiplies with the same promotions as {@link add}. */
export function multiply(a: NumberValue, b: NumberValue): NumberValue | undefined {
  if (a instanceof Decimal128 || b instanceof Decimal128) {
    const x = toDecimal(a);
    const y = toDecimal(b);
    if (typeof x === 'number' || typeof y === 'number') return special(asDouble(x) * asDouble(y));
    return makeDecimal({ coefficient: x.coefficient * y.coefficient, exponent: x.exponent + y.exponent });
  }
  if (a instanceof Double || b instanceof Double) return new Double(toDouble(a) * toDouble(b));
  return integer(bigintOf(a) * bigintOf(b), a instanceof Long || b instanceof Long);
}

/** The negated number, in its own type if it fits. */
export function negate(value: NumberValue): NumberValue {
  return multiply(value, new Int32(-1)) ?? new Double(-toDouble(value));
}

/** A JavaScript integer in the smallest BSON type that holds it. */
export function fromInteger(value: number): NumberValue {
  return value >= -0x80000000 && value <= 0x7fffffff ? new Int32(value) : Long.fromNumber(value);
}
