import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128, Double, Int32, Long } from 'mongodb';
import type { Document } from 'mongodb';
import { serverError, startTestServer } from '../testing/harness.ts';
import { testRows } from '../testing/profile-rows.ts';

const server = await startTestServer();
const orders = server.fresh();
await orders.insertMany([
  {
    _id: 1,
    who: 'ann',
    total: 10,
    lines: [
      { m: 'x', n: 1 },
      { m: 'y', n: 2 },
    ],
  },
  { _id: 2, who: 'bob', total: 5.5, lines: [] },
  { _id: 3, who: 'ann', total: Long.fromNumber(7), lines: [{ m: 'x', n: 3 }] },
  { _id: 4, total: null },
] as unknown as Document[]);

/** Asserts the result of a pipeline. */
async function gives(pipeline: Document[], expected: unknown[]): Promise<void> {
  assert.deepEqual(await orders.aggregate(pipeline).toArray(), expected, JSON.stringify(pipeline));
}

async function fails(pipeline: Document[], code: number): Promise<void> {
  assert.equal((await serverError(orders.aggregate(pipeline).toArray())).code, code, JSON.stringify(pipeline));
}

testRows('aggregation stage', {
  $changeStream: async () => {
    // See commands/change-streams.test.ts.
    const stream = orders.watch([], { maxAwaitTimeMS: 100 });
    assert.equal(await stream.tryNext(), null);
    const { insertedId } = await orders.insertOne({ watched: true });
    assert.deepEqual(((await stream.next()) as { documentKey?: unknown }).documentKey, { _id: insertedId });
    await orders.deleteOne({ _id: insertedId });
    await stream.close();
  },
  $match: async () =>
    gives(
      [{ $unwind: '$lines' }, { $match: { 'lines.n': { $gt: 1 } } }, { $project: { 'lines.n': 1 } }],
      [
        { _id: 1, lines: { n: 2 } },
        { _id: 3, lines: { n: 3 } },
      ],
    ),
  $sort: async () => {
    await gives(
      [{ $sort: { who: -1, _id: -1 } }, { $project: { _id: 1 } }],
      [{ _id: 2 }, { _id: 3 }, { _id: 1 }, { _id: 4 }],
    );
    await fails([{ $sort: {} }], 15976);
  },
  $skip: async () => {
    await gives([{ $sort: { _id: 1 } }, { $skip: 3 }, { $project: { _id: 1 } }], [{ _id: 4 }]);
    await fails([{ $skip: -1 }], 5107200);
  },
  $limit: async () => {
    await gives([{ $limit: 2 }, { $limit: 1 }, { $skip: 0 }, { $project: { who: 1 } }], [{ _id: 1, who: 'ann' }]);
    await fails([{ $limit: 0 }], 15958);
  },
  $group: async () => {
    await gives(
      [{ $group: { _id: '$who', n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      [
        { _id: null, n: 1 },
        { _id: 'ann', n: 2 },
        { _id: 'bob', n: 1 },
      ],
    );
    await gives(
      [{ $match: { _id: { $lt: 3 } } }, { $group: { _id: { w: '$who', big: { $gt: ['$total', 6] } } } }],
      [{ _id: { w: 'ann', big: true } }, { _id: { w: 'bob', big: false } }],
    );
    await fails([{ $group: { n: { $sum: 1 } } }], 15955);
    await fails([{ $group: { _id: null, n: 1 } }], 40234);
    await fails([{ $group: { _id: null, n: { $stdDevPop: '$n' } } }], 115);
  },
  $project: async () => {
    await gives(
      [
        { $match: { _id: 1 } },
        { $project: { _id: 0, who: 1, twice: { $multiply: ['$total', 2] }, names: '$lines.m' } },
      ],
      [{ who: 'ann', twice: 20, names: ['x', 'y'] }],
    );
    await gives([{ $match: { _id: 2 } }, { $project: { lines: 0, total: 0 } }], [{ _id: 2, who: 'bob' }]);
    await gives([{ $match: { _id: 2 } }, { $project: { t: '$total' } }], [{ _id: 2, t: 5.5 }]);
    await fails([{ $project: {} }], 51272);
    await fails([{ $project: { who: 0, t: '$total' } }], 31254);
  },
  $count: async () => {
    await gives([{ $match: { who: 'ann' } }, { $count: 'n' }], [{ n: 2 }]);
    await gives([{ $match: { who: 'nobody' } }, { $count: 'n' }], []);
    await fails([{ $count: '$n' }], 40156);
  },
  $unwind: async () => {
    await gives(
      [{ $unwind: '$lines' }, { $group: { _id: '$lines.m', n: { $sum: '$lines.n' } } }, { $sort: { _id: 1 } }],
      [
        { _id: 'x', n: 4 },
        { _id: 'y', n: 2 },
      ],
    );
    await gives(
      [
        { $match: { _id: { $gte: 2 } } },
        { $unwind: { path: '$lines', preserveNullAndEmptyArrays: true, includeArrayIndex: 'at' } },
        { $project: { at: 1, lines: 1 } },
      ],
      [
        { _id: 2, at: null },
        { _id: 3, lines: { m: 'x', n: 3 }, at: 0 },
        { _id: 4, at: null },
      ],
    );
    await fails([{ $unwind: 'lines' }], 28818);
  },
});

/** Asserts the result of an accumulator, numbers with their types. */
async function accumulates(accumulator: Document, values: unknown[], expected: unknown): Promise<void> {
  const collection = server.fresh();
  await collection.insertMany(
    values.map((v, _id) => ({ _id, ...(v === undefined ? {} : { v }) })) as unknown as Document[],
  );
  const [result] = await collection
    .aggregate([{ $sort: { _id: 1 } }, { $group: { _id: null, r: accumulator } }], { promoteValues: false })
    .toArray();
  assert.deepEqual(result?.['r'], expected, JSON.stringify(values));
}

testRows('accumulator', {
  $sum: async () => {
    await accumulates({ $sum: '$v' }, [1, 2, 'x', null, undefined], new Int32(3));
    await accumulates({ $sum: '$v' }, [2147483647, 1], Long.fromString('2147483648'));
    await accumulates({ $sum: '$v' }, [1, Long.fromNumber(1)], Long.fromNumber(2));
    await accumulates({ $sum: '$v' }, [0.1, 0.2, 0.3], new Double(0.6));
    await accumulates({ $sum: '$v' }, [1, Decimal128.fromString('0.25')], Decimal128.fromString('1.25'));
    await accumulates({ $sum: '$v' }, ['x'], new Int32(0));
  },
  $avg: async () => {
    await accumulates({ $avg: '$v' }, [1, 2, null, 'x'], new Double(1.5));
    await accumulates({ $avg: '$v' }, ['x'], null);
  },
  $min: async () => accumulates({ $min: '$v' }, ['a', 3, null, 2], new Int32(2)),
  $max: async () => accumulates({ $max: '$v' }, ['a', 3, null, 2], 'a'),
  $first: async () => accumulates({ $first: '$v' }, ['b', 'a'], 'b'),
  $last: async () => accumulates({ $last: '$v' }, ['b', undefined], null),
  $push: async () => accumulates({ $push: '$v' }, ['b', undefined, null, 'b'], ['b', null, 'b']),
  $addToSet: async () => accumulates({ $addToSet: '$v' }, ['b', 'b', 'c'], ['b', 'c']),
  $count: async () => accumulates({ $count: {} }, [1, 1], new Int32(2)),
});

/** Asserts the result of an expression for `{a: 5, b: 2.5, s: 'x', l: [1, 2], n: null}`. */
async function evaluates(expression: unknown, expected: unknown): Promise<void> {
  const collection = server.fresh();
  await collection.insertOne({ a: 5, b: 2.5, s: 'x', l: [1, 2], n: null });
  const [result] = await collection
    .aggregate([{ $project: { _id: 0, r: expression } }], { promoteValues: false })
    .toArray();
  assert.deepEqual(result?.['r'], expected, JSON.stringify(expression));
}

async function expressionFails(expression: unknown, code: number): Promise<void> {
  assert.equal(Number((await serverError(evaluates(expression, undefined))).code), code, JSON.stringify(expression));
}

testRows('expression', {
  $literal: async () => evaluates({ $literal: '$a' }, '$a'),
  $add: async () => {
    await evaluates({ $add: ['$a', 1, '$b'] }, new Double(8.5));
    await evaluates({ $add: ['$a', '$n'] }, null);
    await expressionFails({ $add: ['$a', '$s'] }, 16554);
  },
  $subtract: async () => {
    await evaluates({ $subtract: ['$a', 7] }, new Int32(-2));
    await expressionFails({ $subtract: ['$a'] }, 16020);
  },
  $multiply: async () => evaluates({ $multiply: ['$a', '$a'] }, new Int32(25)),
  $eq: async () => evaluates({ $eq: ['$a', new Double(5)] }, true),
  $ne: async () => evaluates({ $ne: ['$missing', null] }, true),
  $gt: async () => evaluates({ $gt: ['$s', '$a'] }, true),
  $gte: async () => evaluates({ $gte: ['$a', 5] }, true),
  $lt: async () => evaluates({ $lt: ['$missing', null] }, true),
  $lte: async () => evaluates({ $lte: ['$a', 4] }, false),
  $and: async () => evaluates({ $and: ['$a', { $gt: ['$b', 2] }] }, true),
  $or: async () => evaluates({ $or: ['$n', 0] }, false),
  $not: async () => evaluates({ $not: ['$n'] }, true),
  $cond: async () => {
    await evaluates({ $cond: [{ $gt: ['$a', 4] }, 'big', 'small'] }, 'big');
    await evaluates(
      {
        $cond: new Map<string, unknown>([
          ['if', '$n'],
          ['then', 1],
          ['else', '$s'],
        ]),
      },
      'x',
    );
    await expressionFails({ $cond: [1, 2] }, 16020);
  },
  $ifNull: async () => evaluates({ $ifNull: ['$n', '$missing', 'none'] }, 'none'),
  $size: async () => {
    await evaluates({ $size: '$l' }, new Int32(2));
    await expressionFails({ $size: '$a' }, 17124);
  },
});

test('rejects stages, accumulators and expressions outside the profile', async () => {
  for (const stage of ['$lookup', '$facet', '$out', '$merge', '$addFields', '$unionWith', '$geoNear']) {
    const error = await serverError(orders.aggregate([{ [stage]: {} }]).toArray());
    assert.equal(error.code, 40324);
    assert.ok(error.message.includes(`'${stage}'`) && error.message.includes('use a real MongoDB'), error.message);
  }
  for (const expression of [{ $dateToString: {} }, { $function: {} }, { $concat: ['a'] }, '$$NOW'])
    await expressionFails(expression, 115);
  await fails([{ $match: { a: 1 }, $limit: 1 }], 40323);
});
