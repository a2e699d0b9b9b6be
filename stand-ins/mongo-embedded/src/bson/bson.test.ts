import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BSON, Decimal128, Double, Int32, Long } from 'bson';
import { Random, randomValue } from '../testing/random.ts';
import { MalformedMessage } from '../errors.ts';
import { compare, identical } from './comparator.ts';
import { decode } from './decode.ts';
import { encode } from './encode.ts';
import { inverted, keyOf, successor } from './key-string.ts';
import { add, multiply } from './numbers.ts';
import type { Value } from './values.ts';

const values = (seed: number, count: number): Value[] => {
  const random = new Random(seed);
  return Array.from({ length: count }, () => randomValue(random, 3));
};

test('decodes and encodes every value to the same bytes as the driver', () => {
  for (const value of values(1, 500)) {
    const bytes = encode(new Map([['v', value]]));
    assert.deepEqual(encode(decode(bytes)), bytes);
    assert.ok(identical(decode(bytes).get('v'), value));
    const byDriver = BSON.serialize(new Map([['v', value]]));
    assert.equal(Buffer.compare(bytes, byDriver), 0, JSON.stringify(value));
  }
});

test('keeps the order of numeric field names, and treats no name specially', () => {
  const doc = decode(
    encode(
      new Map<string, Value>([
        ['b', null],
        ['10', true],
        ['2', false],
        ['__proto__', 'x'],
      ]),
    ),
  );
  assert.deepEqual([...doc.keys()], ['b', '10', '2', '__proto__']);
});

test('orders index keys like their values, ascending and descending', () => {
  const list = values(2, 260);
  const keys = list.map(keyOf);
  for (const [at, a] of list.entries()) {
    for (const [other, b] of list.entries()) {
      const [x, y] = [keys[at], keys[other]] as [Buffer, Buffer];
      const order = Math.sign(compare(a, b));
      assert.equal(Math.sign(Buffer.compare(x, y)), order, `${BSON.EJSON.stringify(a)} and ${BSON.EJSON.stringify(b)}`);
      assert.equal(Math.sign(Buffer.compare(inverted(x), inverted(y))), order === 0 ? 0 : -order);
      assert.equal(Buffer.compare(successor(x), y) > 0, order >= 0 || y.subarray(0, x.length).equals(x));
    }
  }
});

test('orders types as the manual documents', () => {
  const inOrder = [
    '{"$minKey":1}',
    'null',
    '1',
    '"a"',
    '{"x":1}',
    '[1]',
    '{"$binary":{"base64":"AQ==","subType":"00"}}',
    '{"$oid":"000000000000000000000001"}',
    'true',
    '{"$date":"1970-01-01T00:00:01Z"}',
    '{"$timestamp":{"t":1,"i":1}}',
    '{"$regularExpression":{"pattern":"a","options":""}}',
    '{"$maxKey":1}',
  ].map((text) =>
    decode(Buffer.from(BSON.serialize({ v: BSON.EJSON.parse(text, { relaxed: false }) as unknown }))).get('v'),
  );
  for (let at = 1; at < inOrder.length; at += 1) assert.ok(compare(inOrder[at - 1], inOrder[at]) < 0, String(at));
});

test('adds and multiplies with MongoDB’s type promotions', () => {
  assert.deepEqual(add(new Int32(2147483647), new Int32(1)), Long.fromString('2147483648'));
  assert.deepEqual(add(new Int32(1), Long.fromNumber(1)), Long.fromNumber(2));
  assert.deepEqual(add(new Int32(1), new Double(0.5)), new Double(1.5));
  assert.equal(add(Long.MAX_VALUE, new Int32(1)), undefined);
  assert.equal(add(new Int32(5), Decimal128.fromString('0.50'))?.toString(), '5.50');
  assert.equal(add(Decimal128.fromString('0.1'), Decimal128.fromString('0.2'))?.toString(), '0.3');
  assert.equal(
    add(Decimal128.fromString('9999999999999999999999999999999999'), Decimal128.fromString('0.5'))?.toString(),
    '1.000000000000000000000000000000000E+34',
  );
  assert.deepEqual(multiply(new Int32(65536), new Int32(65536)), Long.fromString('4294967296'));
  assert.equal(multiply(Decimal128.fromString('1.5'), new Int32(-2))?.toString(), '-3.0');
});

test('rejects bytes that are not a document', () => {
  const good = encode({ a: 'text', b: [1, 2], c: { d: 1 } });
  assert.throws(() => decode(good.subarray(0, good.length - 1)), MalformedMessage);
  const random = new Random(3);
  for (let round = 0; round < 3000; round += 1) {
    const bad = Buffer.from(good);
    bad[random.below(bad.length)] = random.below(256);
    try {
      decode(bad);
    } catch (error) {
      assert.ok(error instanceof MalformedMessage || (error as { code?: number }).code === 115, String(error));
    }
  }
});
