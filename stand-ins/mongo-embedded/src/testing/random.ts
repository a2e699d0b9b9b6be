import { BSONRegExp, Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import type { Value } from '../bson/values.ts';

/** Repeatable random numbers: a failing test fails again with the same seed. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  /** From 0 (inclusive) to 1 (exclusive) (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, place: this.next() }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ value }) => value);
  }
}

const SCALARS: readonly (() => Value)[] = [
  () => null,
  () => true,
  () => false,
  () => new Int32(0),
  () => new Int32(1),
  () => new Int32(-7),
  () => new Int32(2147483647),
  () => new Double(1),
  () => new Double(1.5),
  () => new Double(-0),
  () => new Double(Number.NaN),
  () => new Double(Infinity),
  () => new Double(-Infinity),
  () => new Double(0.1),
  () => new Double(1e-320),
  () => new Double(9007199254740992),
  () => new Double(-1e300),
  () => Long.fromString('9007199254740993'),
  () => Long.fromString('9007199254740992'),
  () => Long.fromString('-9007199254740993'),
  () => Long.fromNumber(1),
  () => Long.MAX_VALUE,
  () => Long.MIN_VALUE,
  () => Decimal128.fromString('0.1'),
  () => Decimal128.fromString('1'),
  () => Decimal128.fromString('1.50'),
  () => Decimal128.fromString('-1E-6000'),
  () => Decimal128.fromString('1E+400'),
  () => Decimal128.fromString('-1E+400'),
  () => Decimal128.fromString('NaN'),
  () => Decimal128.fromString('9007199254740992.5'),
  () => Decimal128.fromString('Infinity'),
  () => Decimal128.fromString('0E+3'),
  () => Decimal128.fromString('1E-6000'),
  () => '',
  () => 'a',
  () => 'ab',
  () => 'b',
  () => 'A',
  () => 'é',
  () => '\u{1F600}',
  () => '\uFFFD',
  () => 'a\0b',
  () => 'a\u0001',
  () => 'a\0',
  () => new ObjectId('000000000000000000000001'),
  () => new ObjectId('0000000000000000000000ff'),
  () => new Date(0),
  () => new Date(-1),
  () => new Date(1_700_000_000_000),
  () => new Binary(Buffer.from([1, 255])),
  () => new Binary(Buffer.from([1, 255]), 4),
  () => new Binary(Buffer.from([2])),
  () => new Timestamp({ t: 1, i: 2 }),
  () => new Timestamp({ t: 0xffffffff, i: 0 }),
  () => new BSONRegExp('a', 'i'),
  () => new BSONRegExp('a'),
  () => new MinKey(),
  () => new MaxKey(),
];

/** A value of any type; arrays and documents up to `depth` levels deep. */
export function randomValue(random: Random, depth: number): Value {
  if (depth > 0 && random.chance(0.25)) {
    const items = Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
    return random.chance(0.5)
      ? items
      : new Map(items.map((item, at) => [random.pick(['x', 'y', '1', `z${at}`]), item]));
  }
  return random.pick(SCALARS)();
}
