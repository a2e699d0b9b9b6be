import { Decimal128, Double, Int32, Long } from 'bson';
import { compare } from '../bson/comparator.ts';
import { keyOf } from '../bson/key-string.ts';
import { add, fromInteger, toDouble } from '../bson/numbers.ts';
import { isNumber } from '../bson/values.ts';
import type { Value } from '../bson/values.ts';
import { outsideProfile } from '../errors.ts';
import { present } from '../present.ts';

/** Accumulates one field of a group, value by value. */
export interface Accumulator {
  add(value: Value | undefined): void;
  result(): Value;
}

/**
 * A sum that is exact for integers, and for doubles as precise as MongoDB's (a second double holds the rounding error).
 */
class Sum implements Accumulator {
  private integers = 0n;
  private wide = false;
  private high = 0;
  private low = 0;
  private doubles = false;
  private decimal: Decimal128 | undefined;
  count = 0;

  add(value: Value | undefined): void {
    if (!isNumber(value)) return;
    this.count += 1;
    if (value instanceof Decimal128)
      this.decimal = add(this.decimal ?? Decimal128.fromString('0'), value) as Decimal128;
    else if (value instanceof Double) this.addDouble(value.value);
    else {
      this.wide ||= value instanceof Long;
      this.integers += value instanceof Long ? value.toBigInt() : BigInt(value.value);
    }
  }

  private addDouble(value: number): void {
    this.doubles = true;
    const sum = this.high + value;
    const part = sum - this.high;
    this.low += this.high - (sum - part) + (value - part);
    this.high = sum;
  }

  /** The total as a double. */
  total(): number {
    if (this.decimal) throw outsideProfile('$avg of decimals');
    return this.double();
  }

  private double(): number {
    const error = Number.isFinite(this.high) ? this.low : 0;
    return this.high + (Number(this.integers) + error);
  }

  result(): Value {
    if (this.decimal) {
      const whole = present(add(this.decimal, Decimal128.fromString(String(this.integers))));
      return this.doubles ? present(add(whole, new Double(this.high + this.low))) : whole;
    }
    if (this.doubles) return new Double(this.double());
    if (!this.wide && this.integers >= -0x80000000n && this.integers <= 0x7fffffffn)
      return new Int32(Number(this.integers));
    return BigInt.asIntN(64, this.integers) === this.integers
      ? Long.fromBigInt(this.integers)
      : new Double(Number(this.integers));
  }
}

class Average implements Accumulator {
  private readonly sum = new Sum();

  add(value: Value | undefined): void {
    this.sum.add(value);
  }

  result(): Value {
    return this.sum.count === 0 ? null : new Double(this.sum.total() / this.sum.count);
  }
}

/** The least (sign 1) or greatest (sign -1) value, ignoring null and missing ones. */
class Extreme implements Accumulator {
  private best: Value = null;
  private readonly sign: number;

  constructor(sign: number) {
    this.sign = sign;
  }

  add(value: Value | undefined): void {
    if (value === null || value === undefined) return;
    if (this.best === null || compare(value, this.best) * this.sign < 0) this.best = value;
  }

  result(): Value {
    return this.best;
  }
}

class End implements Accumulator {
  private value: Value = null;
  private started = false;
  private readonly last: boolean;

  constructor(last: boolean) {
    this.last = last;
  }

  add(value: Value | undefined): void {
    if (this.started && !this.last) return;
    this.started = true;
    this.value = value ?? null;
  }

  result(): Value {
    return this.value;
  }
}

class List implements Accumulator {
  private readonly values: Value[] = [];
  private readonly keys: Set<string> | undefined;

  constructor(distinct: boolean) {
    this.keys = distinct ? new Set() : undefined;
  }

  add(value: Value | undefined): void {
    if (value === undefined) return;
    if (this.keys) {
      const key = keyOf(value).toString('latin1');
      if (this.keys.has(key)) return;
      this.keys.add(key);
    }
    this.values.push(value);
  }

  result(): Value {
    return this.values;
  }
}

class Count implements Accumulator {
  private count = 0;

  add(): void {
    this.count += 1;
  }

  result(): Value {
    return fromInteger(this.count);
  }
}

/** Every accumulator of the profile, by name. */
export const ACCUMULATORS: Readonly<Record<string, () => Accumulator>> = {
  $sum: () => new Sum(),
  $avg: () => new Average(),
  $min: () => new Extreme(1),
  $max: () => new Extreme(-1),
  $first: () => new End(false),
  $last: () => new End(true),
  $push: () => new List(false),
  $addToSet: () => new List(true),
  $count: () => new Count(),
};

/** The number in a value, or undefined if it isn't one. */
export function integerOf(value: Value | undefined): number | undefined {
  const number = isNumber(value) ? toDouble(value) : Number.NaN;
  return Number.isInteger(number) ? number : undefined;
}
