import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128, Double, type Collection, type Document } from 'mongodb';
import { stages } from '../testing/appointments.ts';
import { Random } from '../testing/random.ts';
import { startTestServer } from '../testing/harness.ts';

const server = await startTestServer();

const SCALARS = [null, 1, 2, 3, new Double(2), 1.5, Decimal128.fromString('2'), 'a', 'b', 'ab', true, new Date(5)];

function randomDocument(random: Random): Document {
  const doc: Document = {};
  for (const field of ['a', 'b', 'c']) {
    if (random.chance(0.15)) continue;
    doc[field] = random.chance(0.2)
      ? Array.from({ length: random.below(3) }, () => random.pick(SCALARS))
      : random.chance(0.1)
        ? { x: random.pick(SCALARS) }
        : random.pick(SCALARS);
    // Two arrays in one compound index are rejected.
    if (field !== 'c' && Array.isArray(doc[field])) break;
  }
  return doc;
}

function randomCondition(random: Random): unknown {
  const value = random.pick(SCALARS);
  return random.pick([
    value,
    { $gt: value },
    { $gte: value },
    { $lt: value },
    { $lte: value },
    { $in: [value, random.pick(SCALARS)] },
    { $ne: value },
    { $gt: value, $lt: random.pick(SCALARS) },
    { $gte: value, $lte: random.pick(SCALARS) },
    { $exists: random.chance(0.5) },
    /^a/,
    { $not: { $gt: value } },
  ]);
}

function randomFilter(random: Random, depth: number): Document {
  const filter: Document = {};
  for (let count = random.below(3); count > 0; count -= 1)
    filter[random.pick(['a', 'b', 'c', 'b.x'])] = randomCondition(random);
  if (depth > 0 && random.chance(0.4))
    filter[random.pick(['$or', '$and', '$nor'])] = [randomFilter(random, depth - 1), randomFilter(random, depth - 1)];
  return filter;
}

test('finds the same documents in the same order with and without indexes, also inside a transaction', async () => {
  const random = new Random(20);
  const [scanned, indexed] = [server.fresh(), server.fresh()];
  const documents = Array.from({ length: 120 }, (_, n) => ({
    _id: n as unknown as Document,
    ...randomDocument(random),
  }));
  for (const collection of [scanned, indexed]) await collection.insertMany(documents as Document[]);
  await indexed.createIndexes([
    { key: { a: 1 } },
    { key: { b: -1, a: 1 } },
    { key: { a: 1, b: 1, _id: 1 } },
    { key: { c: 1, a: -1 } },
    { key: { 'b.x': 1 } },
    { key: { a: -1, c: 1 }, partialFilterExpression: { a: { $gt: 1 } }, name: 'partial' },
    { key: { b: 1 }, partialFilterExpression: { b: { $exists: true } }, name: 'exists' },
  ]);
  const session = server.client.startSession();
  const changes = Array.from({ length: 25 }, () => ({
    id: random.below(120) as unknown as Document,
    doc: random.chance(0.3) ? null : randomDocument(random),
  }));
  let used = 0;
  // Short transactions, as they last at most 15 s.
  for (const inTransaction of [false, false, false, false, true, true, true, true]) {
    const options = inTransaction ? { session } : {};
    if (inTransaction) {
      session.startTransaction();
      for (const collection of [scanned, indexed]) {
        for (const { id, doc } of changes) {
          if (doc) await collection.replaceOne({ _id: id }, doc, { ...options, upsert: true });
          else await collection.deleteOne({ _id: id }, options);
        }
      }
    }
    for (let round = 0; round < 100; round += 1) {
      const filter = randomFilter(random, 2);
      const sort = random.chance(0.6)
        ? { [random.pick(['a', 'b', 'c'])]: random.pick([1, -1] as const), _id: 1 as const }
        : { _id: 1 as const };
      const cut = { skip: random.below(3), limit: random.below(30) };
      const ask = (collection: Collection<Document>): Promise<Document[]> =>
        collection.find(filter, options).sort(sort).skip(cut.skip).limit(cut.limit).toArray();
      const [expected, got] = [await ask(scanned), await ask(indexed)];
      const count = await indexed.countDocuments(filter, { ...options, ...(cut.limit > 0 ? cut : {}) });
      assert.equal(
        count,
        cut.limit > 0 ? expected.length : (await scanned.find(filter, options).toArray()).length,
        JSON.stringify(filter),
      );
      assert.deepEqual(got, expected, `${JSON.stringify(filter)} sorted by ${JSON.stringify(sort)}`);
      if (
        !inTransaction &&
        stages(await indexed.find(filter).sort(sort).explain('queryPlanner')).some(
          (stage) => stage.startsWith('IXSCAN') && !stage.includes('_id_'),
        )
      )
        used += 1;
    }
    if (inTransaction) await session.abortTransaction();
  }
  await session.endSession();
  assert.ok(used > 100, `only ${used} of 400 queries used an index`);
});

test('reads many intervals of an index in order, across chunks and up to a limit', async () => {
  const collection = server.fresh();
  const doctors = Array.from({ length: 260 }, (_, n) => `d${String(n).padStart(3, '0')}`);
  // The 200th has more than a chunk.
  const days = (at: number): number => (at === 200 ? 700 : at % 5);
  await collection.insertMany(
    doctors.flatMap((doctor, at) => Array.from({ length: days(at) }, (_, day) => ({ doctor, day }))),
  );
  await collection.createIndex({ doctor: 1, day: 1 });
  const asked = doctors.filter((_, at) => at % 2 === 0);
  const expected = asked.flatMap((doctor, at) =>
    Array.from({ length: Math.max(0, Math.min(days(at * 2), 650) - 1) }, (_, day) => `${doctor} ${day + 1}`),
  );
  const find = (limit: number) =>
    collection
      .find({ doctor: { $in: asked }, day: { $gte: 1, $lt: 650 } })
      .sort({ doctor: 1, day: 1 })
      .limit(limit)
      .map(({ doctor, day }) => `${doctor} ${day}`)
      .toArray();
  assert.deepEqual(await find(0), expected);
  for (const limit of [1, 37, 512, 600]) assert.deepEqual(await find(limit), expected.slice(0, limit));
});

test('counts and finds texts the same with and without an index', async () => {
  const random = new Random(7);
  const pieces = ['a', 'b', 'ab', '.', '(', 'é', '\u{1f9d1}', '\u0001', ' '];
  const text = (): string => Array.from({ length: random.below(7) }, () => random.pick(pieces)).join('');
  const documents = Array.from({ length: 400 }, (_, _id) => ({
    _id,
    text: _id % 50 === 0 ? /a/ : _id % 41 === 0 ? [text(), text()] : text(),
    parts: Array.from({ length: random.below(4) }, text),
  })) as Document[];
  const [plain, indexed] = [server.fresh(), server.fresh()];
  await plain.insertMany(documents);
  await indexed.insertMany(documents);
  await indexed.createIndexes([{ key: { text: 1, _id: 1 } }, { key: { parts: 1 } }]);
  const searches = [/a/, /ab/, /\./, /\(a/, /^a/, /^é/, /^a.*b/, /a$/, /a|b/, /A/i, /^ab?/].flatMap((one) => [
    { text: one },
    { parts: one },
    { text: one, parts: /^a/ },
    { parts: { $in: [one] } },
    { $or: [{ text: one }, { text: 'ab' }] },
    { text: { $not: one } },
  ]);
  for (const filter of searches) {
    const sort = { text: 1, _id: 1 } as const;
    const [expected, found] = await Promise.all([plain, indexed].map((one) => one.find(filter).sort(sort).toArray()));
    assert.deepEqual(found, expected, JSON.stringify(filter));
    const counts = await Promise.all(
      [plain, indexed].flatMap((one) => [one.countDocuments(filter), one.countDocuments(filter, { limit: 5 })]),
    );
    assert.deepEqual(counts.slice(2), counts.slice(0, 2), JSON.stringify(filter));
  }
});
