import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128, Double, Int32, Long } from 'mongodb';
import type { Document } from 'mongodb';
import { FOREIGN_QUERY_OPERATORS } from '../profile.ts';
import { serverError, startTestServer } from '../testing/harness.ts';
import { testRows } from '../testing/profile-rows.ts';

const server = await startTestServer();
const collection = server.fresh();
await collection.insertMany([
  { _id: 1, a: 1, s: 'Ann Grey', l: [1, 2, 3] },
  { _id: 2, a: 2.5, s: 'ann\nbob', l: [] },
  {
    _id: 3,
    a: null,
    s: 'ÉMILE',
    l: [
      { x: 1, y: 1 },
      { x: 2, y: 2 },
    ],
  },
  { _id: 4, s: 'a.b', l: [{ x: 1, y: 2 }] },
  { _id: 5, a: 'text', o: { p: [{ q: 5 }] } },
  { _id: 6, a: Decimal128.fromString('2.50'), d: new Date(1000) },
  { _id: 7, a: Long.fromString('9007199254740993') },
] as unknown as Document[]);

/** Asserts which documents a filter finds. */
async function finds(filter: Document, ...ids: number[]): Promise<void> {
  const found = await collection.find(filter).sort({ _id: 1 }).toArray();
  assert.deepEqual(
    found.map(({ _id }) => _id as unknown),
    ids,
    JSON.stringify(filter),
  );
}

async function fails(filter: Document, code: number): Promise<void> {
  assert.equal((await serverError(collection.find(filter).toArray())).code, code, JSON.stringify(filter));
}

testRows('query operator', {
  $eq: async () => {
    await finds({ a: { $eq: 2.5 } }, 2, 6);
    await finds({ a: 1 }, 1);
    await finds({ a: null }, 3, 4);
    await finds({ 'l.x': 2 }, 3);
    await finds({ 'l.0': 1 }, 1);
    await finds({ 'l.0.x': 1 }, 3, 4);
    await finds({ l: [1, 2, 3] }, 1);
    await finds({ 'o.p.q': 5 }, 5);
    await finds({ l: { y: 2, x: 1 } });
    await finds({ l: { x: 1, y: 2 } }, 4);
  },
  $ne: async () => {
    await finds({ a: { $ne: null } }, 1, 2, 5, 6, 7);
    await finds({ l: { $ne: 1 } }, 2, 3, 4, 5, 6, 7);
    await fails({ a: { $ne: /x/ } }, 2);
  },
  $gt: async () => {
    await finds({ a: { $gt: 1 } }, 2, 6, 7);
    await finds({ a: { $gt: new Double(9007199254740992) } }, 7);
    await finds({ a: { $gt: Number.NaN } });
  },
  $gte: async () => {
    await finds({ a: { $gte: new Int32(1) } }, 1, 2, 6, 7);
    await finds({ d: { $gte: new Date(1000) } }, 6);
    await finds({ a: { $gte: null } }, 3, 4);
  },
  $lt: async () => {
    await finds({ a: { $lt: 2.5 } }, 1);
    await finds({ l: { $lt: 2 } }, 1);
    await finds({ a: { $lt: 'u' } }, 5);
  },
  $lte: async () => finds({ a: { $lte: Decimal128.fromString('2.5') } }, 1, 2, 6),
  $in: async () => {
    await finds({ a: { $in: [1, null] } }, 1, 3, 4);
    await finds({ s: { $in: [/^a/, 'ÉMILE'] } }, 2, 3, 4);
    await finds({ a: { $in: [] } });
    await fails({ a: { $in: 1 } }, 2);
    await fails({ a: { $in: [{ $gt: 1 }] } }, 2);
  },
  $nin: async () => finds({ a: { $nin: [1, null, 2.5] } }, 5, 7),
  $and: async () => {
    await finds({ $and: [{ l: 1 }, { l: 3 }] }, 1);
    await fails({ $and: [] }, 2);
    await fails({ $and: [1] }, 2);
  },
  $or: async () => {
    await finds({ $or: [{ a: 1 }, { d: { $exists: true } }] }, 1, 6);
    await fails({ $or: { a: 1 } }, 2);
  },
  $nor: async () => finds({ $nor: [{ a: { $exists: true } }, { _id: 5 as unknown as Document }] }, 4),
  $not: async () => {
    await finds({ a: { $not: { $gte: 1, $lt: 3 } } }, 3, 4, 5, 7);
    await finds({ s: { $not: /ann/i } }, 3, 4, 5, 6, 7);
    await fails({ a: { $not: 1 } }, 2);
    await fails({ a: { $not: {} } }, 2);
  },
  $exists: async () => {
    await finds({ a: { $exists: true } }, 1, 2, 3, 5, 6, 7);
    await finds({ a: { $exists: false } }, 4);
    await finds({ 'l.y': { $exists: 1 } }, 3, 4);
  },
  $regex: async () => {
    await finds({ s: { $regex: '^ann' } }, 2);
    await finds({ s: { $regex: 'ANN', $options: 'i' } }, 1, 2);
    await finds({ s: /émile/i }, 3);
    await finds({ s: /^bob$/m }, 2);
    await finds({ s: /ann.bob/ });
    await finds({ s: { $regex: 'ann.bob', $options: 's' } }, 2);
    await finds({ s: { $regex: '(?i)^ANN grey$' } }, 1);
    await finds({ s: { $regex: '^ a \\. [bc] # the dot', $options: 'x' } }, 4);
    await finds({ s: { $regex: '^a\\.b\\b' } }, 4);
    await fails({ s: { $regex: '(' } }, 51091);
    await fails({ s: { $regex: 'a', $options: 'q' } }, 51108);
    for (const foreign of ['a++', '(?>a)', '[[:alpha:]]', '\\Aa', '(?P<n>a)', '\\x41', '(a)\\1'])
      await fails({ s: { $regex: foreign } }, 115);
  },
  $elemMatch: async () => {
    await finds({ l: { $elemMatch: { x: 1, y: 2 } } }, 4);
    await finds({ l: { $elemMatch: { $gt: 1, $lt: 3 } } }, 1);
    await finds({ l: { $elemMatch: { $or: [{ x: 2 }, { y: 3 }] } } }, 3);
    await fails({ l: { $elemMatch: 1 } }, 2);
  },
  $size: async () => {
    await finds({ l: { $size: 0 } }, 2);
    await finds({ l: { $size: 1 } }, 4);
    await fails({ l: { $size: -1 } }, 2);
    await fails({ l: { $size: 1.5 } }, 2);
  },
  $comment: async () => {
    await finds({ a: 1, $comment: 'why' }, 1);
    await fails({ a: { $comment: 'why' } }, 2);
  },
});

test('rejects every other MongoDB operator as outside the profile, and unknown ones like MongoDB', async () => {
  for (const operator of FOREIGN_QUERY_OPERATORS) {
    const [top, field] = await Promise.all(
      [{ [operator]: 1 }, { a: { [operator]: 1 } }].map((filter) => serverError(collection.find(filter).toArray())),
    );
    assert.deepEqual([top?.code, field?.code], [115, 115], operator);
    assert.ok(field?.message.includes(`${operator} is outside the profile`), field?.message);
  }
  await fails({ $foo: 1 }, 2);
  await fails({ a: { $foo: 1 } }, 2);
  await fails({ a: { $gt: 1, x: 2 } }, 2);
});

test('sorts across types, arrays by their least or greatest element', async () => {
  const mixed = server.fresh();
  const values: unknown[] = [
    'text',
    2,
    null,
    [5, 0],
    [],
    { x: 1 },
    true,
    new Date(0),
    Long.fromNumber(3),
    [9],
    undefined,
  ];
  await mixed.insertMany(
    values.map((v, n) => ({ _id: n, ...(v === undefined ? {} : { v }) })) as unknown as Document[],
  );
  const order = async (direction: 1 | -1): Promise<unknown[]> =>
    (await mixed.find({}).sort({ v: direction, _id: 1 }).toArray()).map(({ _id }) => _id as unknown);
  assert.deepEqual(await order(1), [4, 2, 10, 3, 1, 8, 9, 0, 5, 6, 7]);
  assert.deepEqual(await order(-1), [7, 6, 5, 0, 9, 3, 8, 1, 2, 10, 4]);
});
