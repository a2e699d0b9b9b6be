import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128, Double, Int32, Long, MongoServerError } from 'mongodb';
import type { Document, UpdateFilter } from 'mongodb';
import { FOREIGN_UPDATE_OPERATORS } from '../profile.ts';
import { serverError, startTestServer } from '../testing/harness.ts';
import { testRows } from '../testing/profile-rows.ts';

const server = await startTestServer();

/** The updated document without `_id`, or the error code. */
async function updated(document: Document, update: Document, options: Document = {}): Promise<Document | number> {
  const collection = server.fresh();
  await collection.insertOne({ ...document });
  try {
    await collection.updateOne({}, update as UpdateFilter<Document>, options);
  } catch (error) {
    if (error instanceof MongoServerError) return error.code as number;
    throw error;
  }
  return (await collection.findOne({}, { projection: { _id: 0 }, promoteValues: false })) as Document;
}

/** Asserts the result of updating a document. */
async function makes(
  document: Document,
  update: Document,
  expected: Document | number,
  options: Document = {},
): Promise<void> {
  const collection = server.fresh();
  if (typeof expected === 'number') {
    assert.equal(await updated(document, update, options), expected, JSON.stringify(update));
    return;
  }
  await collection.insertOne({ ...expected });
  const written = await collection.findOne({}, { projection: { _id: 0 }, promoteValues: false });
  const got = await updated(document, update, options);
  assert.deepEqual(got, written, JSON.stringify(update));
  assert.deepEqual(Object.keys(got as Document), Object.keys(expected), 'order of the fields');
}

testRows('update operator', {
  $set: async () => {
    await makes({ a: 1 }, { $set: { a: 2, 'b.c': 3 } }, { a: 2, b: { c: 3 } });
    await makes({}, { $set: { z: 1, b: 2, a: 3 } }, { a: 3, b: 2, z: 1 });
    await makes({ l: [1, 2] }, { $set: { 'l.1': 9, 'l.3': 8 } }, { l: [1, 9, null, 8] });
    await makes({ a: 1 }, { $set: { 'a.b': 1 } }, 28);
    await makes({ l: [] }, { $set: { 'l.x': 1 } }, 28);
    await makes({ a: 1 }, { $set: { a: 1, 'a.b': 2 } }, 40);
    await makes({ a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40);
    await makes({ a: 1 }, { $set: { '': 1 } }, 56);
    await makes({ a: 1 }, { $set: { 'a..b': 1 } }, 56);
    await makes({ a: 1 }, { $set: { $b: 1 } }, 52);
    await makes(
      { l: [{ k: 1 }, { k: 2 }] },
      { $set: { 'l.$[e].v': 1 } },
      { l: [{ k: 1 }, { k: 2, v: 1 }] },
      { arrayFilters: [{ 'e.k': 2 }] },
    );
    await makes({ l: [1, 2] }, { $set: { 'l.$[]': 0 } }, { l: [0, 0] });
    await makes({ l: [1] }, { $set: { 'l.$[e]': 0 } }, 2, { arrayFilters: [] });
    await makes({ l: [1] }, { $set: { x: 0 } }, 9, { arrayFilters: [{ e: 1 }] });
  },
  $setOnInsert: async () => {
    await makes({ a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1 });
    const collection = server.fresh();
    await collection.updateOne(
      { key: 'k', n: { $gt: 1 } },
      { $setOnInsert: { created: true }, $inc: { n: 5 } },
      { upsert: true },
    );
    assert.deepEqual(await collection.findOne({}, { projection: { _id: 0 } }), { key: 'k', created: true, n: 5 });
  },
  $unset: async () => {
    await makes({ a: 1, b: { c: 1, d: 2 } }, { $unset: { a: '', 'b.c': '', 'x.y': '' } }, { b: { d: 2 } });
    await makes({ l: [1, 2] }, { $unset: { 'l.0': '' } }, { l: [null, 2] });
  },
  $inc: async () => {
    await makes({ a: 1 }, { $inc: { a: 2, b: 5 } }, { a: 3, b: 5 });
    await makes({ a: new Int32(2147483647) }, { $inc: { a: 1 } }, { a: Long.fromString('2147483648') });
    await makes({ a: new Double(0.5) }, { $inc: { a: 1 } }, { a: new Double(1.5) });
    await makes(
      { a: Decimal128.fromString('0.10') },
      { $inc: { a: Decimal128.fromString('0.2') } },
      { a: Decimal128.fromString('0.30') },
    );
    await makes({ a: Long.MAX_VALUE }, { $inc: { a: 1 } }, 2);
    await makes({ a: 'x' }, { $inc: { a: 1 } }, 14);
    await makes({ a: 1 }, { $inc: { a: 'x' } }, 14);
  },
  $min: async () => {
    await makes({ a: 5, b: 'x' }, { $min: { a: 3, b: 1, c: 9 } }, { a: 3, b: 1, c: 9 });
    await makes({ a: 5 }, { $min: { a: new Double(5) } }, { a: 5 });
  },
  $max: async () => makes({ a: 5, d: new Date(1) }, { $max: { a: 3, d: new Date(2) } }, { a: 5, d: new Date(2) }),
  $push: async () => {
    await makes({ l: [1] }, { $push: { l: 2, m: 3 } }, { l: [1, 2], m: [3] });
    await makes({ l: [3, 1] }, { $push: { l: { $each: [2, 5], $sort: 1, $slice: 3 } } }, { l: [1, 2, 3] });
    await makes(
      { l: [{ k: 2 }, { k: 1 }] },
      { $push: { l: { $each: [{ k: 3 }], $sort: { k: -1 }, $slice: -2 } } },
      { l: [{ k: 2 }, { k: 1 }] },
    );
    await makes({ l: [1, 4] }, { $push: { l: { $each: [2, 3], $position: 1 } } }, { l: [1, 2, 3, 4] });
    await makes({ l: 1 }, { $push: { l: 2 } }, 2);
    await makes({ l: [] }, { $push: { l: { $each: 1 } } }, 2);
    await makes({ l: [] }, { $push: { l: { $each: [], $other: 1 } } }, 2);
    await makes({ l: [] }, { $push: { l: { $each: [], $sort: { k: 2 } } } }, 2);
  },
  $addToSet: async () => {
    await makes({ l: [1, 1, 'a'] }, { $addToSet: { l: new Double(1) } }, { l: [1, 1, 'a'] });
    await makes({ l: [1] }, { $addToSet: { l: { $each: [1, 2, 2] }, m: 'x' } }, { l: [1, 2], m: ['x'] });
    await makes({ l: 1 }, { $addToSet: { l: 2 } }, 2);
    await makes({ l: [] }, { $addToSet: { l: { $each: 1 } } }, 14);
    await makes({ l: [] }, { $addToSet: { l: { $each: [1], x: 1 } } }, 2);
  },
  $pull: async () => {
    await makes({ l: [1, 2, 3, 'a', [2]] }, { $pull: { l: 2 } }, { l: [1, 3, 'a', [2]] });
    await makes({ l: [1, 2, 3] }, { $pull: { l: { $in: [1, 3] }, x: 1 } }, { l: [2] });
    await makes({ l: [{ k: 1, v: 1 }, { k: 2 }, 1] }, { $pull: { l: { k: { $lte: 1 } } } }, { l: [{ k: 2 }, 1] });
    await makes({ l: 1 }, { $pull: { l: 1 } }, 2);
  },
});

test('rejects every other MongoDB operator as outside the profile, and unknown ones like MongoDB', async () => {
  for (const operator of FOREIGN_UPDATE_OPERATORS) {
    const error = await serverError(
      server.db.command({ findAndModify: 'x', query: {}, update: { [operator]: { a: 1 } } }),
    );
    assert.deepEqual(
      [error.code, error.message.startsWith(`The update operator ${operator} is outside the profile`)],
      [115, true],
    );
  }
  assert.equal(await updated({}, { $foo: { a: 1 } }), 9);
});

test('updates the array element that the filter matched', async () => {
  const collection = server.fresh();
  await collection.insertOne({
    lines: [
      { id: 'a', n: 1 },
      { id: 'b', n: 2 },
    ],
  });
  await collection.updateOne({ 'lines.id': 'b' }, { $inc: { 'lines.$.n': 5 } });
  assert.deepEqual((await collection.findOne({}))?.['lines'], [
    { id: 'a', n: 1 },
    { id: 'b', n: 7 },
  ]);
  await collection.updateOne({ lines: { $elemMatch: { id: 'a', n: 1 } } }, { $set: { 'lines.$': { id: 'c' } } });
  assert.deepEqual((await collection.findOne({}))?.['lines'], [{ id: 'c' }, { id: 'b', n: 7 }]);
  assert.equal((await serverError(collection.updateOne({}, { $set: { 'lines.$.n': 1 } }))).code, 2);
  assert.equal(
    (await serverError(collection.updateOne({ 'lines.id': 'c', 'lines.n': 7 }, { $set: { 'lines.$.n': 1 } }))).code,
    115,
  );
});

test('builds the document of an upsert from the equalities in its filter', async () => {
  const upserted = async (filter: Document, update: Document): Promise<Document | null> => {
    const collection = server.fresh();
    await collection.updateOne(filter, update, { upsert: true });
    return collection.findOne({}, { projection: { _id: 0 } });
  };
  assert.deepEqual(
    await upserted({ a: 1, 'b.c': { $eq: 2 }, d: { $gt: 3 }, $and: [{ e: 5 }] }, { $set: { 'b.x': 1 } }),
    { a: 1, b: { c: 2, x: 1 }, e: 5 },
  );
  assert.deepEqual(await upserted({ $or: [{ a: 1 }, { b: 1 }] }, { $set: { c: 1 } }), { c: 1 });
  assert.equal((await serverError(upserted({ a: 1, 'a.b': 2 }, { $set: { c: 1 } }))).code, 54);
  assert.equal((await serverError(upserted({ _id: 1 as unknown as Document }, { $set: { _id: 2 } }))).code, 66);
});
