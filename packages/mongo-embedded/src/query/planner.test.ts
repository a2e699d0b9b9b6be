import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Decimal128, Double } from 'mongodb';
import type { Collection, Document } from 'mongodb';
import { Random } from '../testing/random.ts';
import { serverError, startTestServer } from '../testing/harness.ts';
import type { TestServer } from '../testing/harness.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

/** The stages of the chosen plan, outermost first, with the index's name. */
function stages(explained: Document): string[] {
  const names: string[] = [];
  for (
    let stage = explained['queryPlanner'].winningPlan as Document | undefined;
    stage;
    stage = stage['inputStage'] as Document | undefined
  ) {
    names.push(
      stage['stage'] === 'IXSCAN' ? `IXSCAN ${stage['indexName']} ${stage['direction']}` : (stage['stage'] as string),
    );
  }
  return names;
}

async function appointments(): Promise<Collection<Document>> {
  const collection = server.fresh();
  await collection.insertMany(
    Array.from(
      { length: 400 },
      (_, n) =>
        ({
          _id: n as unknown as Document,
          doctor: `d${n % 4}`,
          date: `2030-01-${10 + (n % 20)}`,
          status: n % 3 === 0 ? 'Cancelled' : 'Pending',
          people: [`p${n % 7}`, `d${n % 4}`],
          words: [`ann${n % 9}`, 'grey'],
        }) as Document,
    ),
  );
  await collection.createIndexes([
    { key: { date: 1, _id: 1 }, name: 'date' },
    { key: { doctor: 1, date: -1, _id: -1 }, name: 'doctor' },
    { key: { people: 1, date: 1, _id: 1 }, name: 'people' },
    { key: { words: 1 }, name: 'words' },
    {
      key: { doctor: 1, date: 1 },
      name: 'held',
      partialFilterExpression: { status: { $in: ['Pending', 'Confirmed'] } },
    },
  ]);
  return collection;
}

test('reads a keyset page from the index, without sorting and without reading more than the page', async () => {
  const collection = await appointments();
  const page = {
    $or: [{ date: { $gt: '2030-01-15' } }, { date: '2030-01-15', _id: { $gt: 105 as unknown as Document } }],
  };
  const explained = await collection
    .find(page as Document)
    .sort({ date: 1, _id: 1 })
    .limit(10)
    .explain();
  assert.deepEqual(stages(explained), ['FETCH', 'IXSCAN date forward']);
  assert.equal(explained['executionStats'].totalDocsExamined, 10);
  const backwards = await collection
    .find({ date: { $lte: '2030-01-15' } })
    .sort({ date: -1, _id: -1 })
    .limit(5)
    .explain();
  assert.deepEqual(stages(backwards), ['FETCH', 'IXSCAN date backward']);
  assert.equal(backwards['executionStats'].totalDocsExamined, 5);
});

test('uses one compound index for an equality and a sort, in either direction', async () => {
  const collection = await appointments();
  for (const sort of [
    { date: -1, _id: -1 },
    { date: 1, _id: 1 },
  ] as const) {
    const explained = await collection.find({ doctor: 'd1' }).sort(sort).limit(3).explain();
    assert.deepEqual(stages(explained), ['FETCH', `IXSCAN doctor ${sort.date === -1 ? 'forward' : 'backward'}`]);
    assert.equal(explained['executionStats'].totalKeysExamined, 3);
  }
  assert.deepEqual(stages(await collection.find({ doctor: 'd1' }).sort({ date: 1, _id: -1 }).explain())[0], 'SORT');
});

test('uses an index over an array for an equality and the order of the fields after it', async () => {
  const collection = await appointments();
  const explained = await collection.find({ people: 'p3' }).sort({ date: 1, _id: 1 }).limit(4).explain();
  assert.deepEqual(stages(explained), ['FETCH', 'IXSCAN people forward']);
  assert.equal(explained['executionStats'].totalDocsExamined, 4);
  assert.equal(stages(await collection.find({}).sort({ people: 1 }).explain())[0], 'SORT');
});

test('turns the fixed prefix of a regular expression into bounds', async () => {
  const collection = await appointments();
  const explained = await collection.find({ words: /^ann3/ }).explain();
  assert.deepEqual(stages(explained), ['FETCH', 'IXSCAN words forward']);
  assert.equal(explained['executionStats'].totalKeysExamined, explained['executionStats'].nReturned);
  assert.deepEqual(stages(await collection.find({ words: /^ann3/i }).explain()), ['COLLSCAN']);
});

test('finds documents without a field through its index', async () => {
  const collection = server.fresh();
  await collection.createIndexes([
    { key: { number: 1 }, name: 'number' },
    { key: { tags: 1 }, name: 'tags' },
  ]);
  await collection.insertMany([
    ...Array.from({ length: 300 }, (_, at) => ({ at, number: String(at), tags: ['a', 'b'] })),
    { at: 300, number: null, tags: [] },
    { at: 301, tags: ['a'] },
    { at: 302 },
  ]);
  const missing = collection.find({ number: { $exists: false } });
  assert.deepEqual(
    (await missing.clone().sort({ at: 1 }).toArray()).map((row) => row['at']),
    [301, 302],
  );
  const explained = await missing.explain();
  assert.deepEqual(stages(explained), ['FETCH', 'IXSCAN number forward']);
  assert.equal(explained['executionStats'].totalKeysExamined, 3);
  assert.equal(await collection.countDocuments({ number: { $exists: false } }), 2);
  // A missing element of an array has no key of its own.
  assert.deepEqual(
    (await collection.find({ tags: { $exists: false } }).toArray()).map((row) => row['at']),
    [302],
  );
});

test('uses a partial index only for filters that imply its condition', async () => {
  const collection = await appointments();
  const held = async (filter: Document): Promise<boolean> =>
    stages(await collection.find(filter).explain()).includes('IXSCAN held forward');
  assert.equal(await held({ doctor: 'd1', date: '2030-01-11', status: 'Pending' }), true);
  assert.equal(await held({ doctor: 'd1', date: '2030-01-11', status: { $in: ['Pending', 'Confirmed'] } }), true);
  assert.equal(await held({ doctor: 'd1', date: '2030-01-11', status: { $in: ['Pending', 'Cancelled'] } }), false);
  assert.equal(await held({ doctor: 'd1', date: '2030-01-11' }), false);
});

test('follows a hint, and rejects one that names no index', async () => {
  const collection = await appointments();
  assert.deepEqual(stages(await collection.find({ doctor: 'd1' }).hint('date').explain()), [
    'FETCH',
    'IXSCAN date forward',
  ]);
  assert.deepEqual(stages(await collection.find({ doctor: 'd1' }).hint({ date: 1, _id: 1 }).explain()), [
    'FETCH',
    'IXSCAN date forward',
  ]);
  assert.equal((await serverError(collection.find({}).hint('none').toArray())).code, 2);
});

test('prefers an index that selects few documents to one that gives the order', async () => {
  const collection = await appointments();
  await collection.insertOne({ doctor: 'd1', date: '2030-02-01', status: 'Pending', people: [], words: ['rare'] });
  const explained = await collection
    .find({ words: /^rare/, date: { $gte: '2030-01-01' } })
    .sort({ date: 1, _id: 1 })
    .explain();
  assert.deepEqual(stages(explained), ['SORT', 'FETCH', 'IXSCAN words forward']);
});

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
  session.startTransaction();
  const changes = Array.from({ length: 25 }, () => ({
    id: random.below(120) as unknown as Document,
    doc: random.chance(0.3) ? null : randomDocument(random),
  }));
  let used = 0;
  for (const inTransaction of [false, true]) {
    const options = inTransaction ? { session } : {};
    if (inTransaction) {
      for (const collection of [scanned, indexed]) {
        for (const { id, doc } of changes) {
          if (doc) await collection.replaceOne({ _id: id }, doc, { ...options, upsert: true });
          else await collection.deleteOne({ _id: id }, options);
        }
      }
    }
    for (let round = 0; round < 400; round += 1) {
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
  }
  await session.abortTransaction();
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

test('reads no documents for a group whose fields an index has', async () => {
  const collection = await appointments();
  await collection.createIndex({ doctor: 1, status: 1, date: 1 }, { name: 'covering' });
  const pending = { doctor: { $in: ['d1', 'd2'] }, status: 'Pending', date: { $gte: '2030-01-20' } };
  const group = { $group: { _id: '$doctor', dates: { $push: '$date' } } };
  const explained = await collection.aggregate([{ $match: pending }, group]).explain();
  const [cursor] = explained['stages'] as Document[];
  assert.deepEqual(stages(cursor?.['$cursor'] as Document), ['PROJECTION_COVERED', 'IXSCAN covering forward']);
  assert.equal(cursor?.['$cursor'].executionStats.totalDocsExamined, 0);
  const read = (await collection.find(pending).sort({ doctor: 1, date: 1 }).toArray()).map(
    ({ doctor, date }) => `${doctor} ${date}`,
  );
  const grouped = (await collection.aggregate([{ $match: pending }, group]).toArray()).flatMap(({ _id, dates }) =>
    (dates as string[]).map((date) => `${_id} ${date}`),
  );
  assert.deepEqual(grouped, read);
});

test('gives the documents’ values from a covering index, whatever they are', async () => {
  const collection = server.fresh();
  const values = ['', 'é\u0000\u0001\u0002', 'a', 1, new Double(1), null, undefined, ['x'], { y: 'z' }];
  await collection.createIndex({ kind: 1, value: 1 }, { name: 'covering' });
  const pipeline = [{ $match: { kind: 'a' } }, { $group: { _id: '$kind', values: { $push: '$value' } } }];
  const all = values.filter((value) => !Array.isArray(value));
  await collection.insertMany(all.map((value) => ({ kind: 'a', ...(value !== undefined && { value }) })));
  const [group] = await collection.aggregate(pipeline).toArray();
  // In the index's order; the missing value isn't pushed.
  assert.deepEqual(group?.['values'], [null, 1, 1, '', 'a', 'é\u0000\u0001\u0002', { y: 'z' }]);
  // With an array the index has several entries for a document.
  await collection.insertOne({ kind: 'a', value: ['x', 'y'] });
  const [more] = await collection.aggregate(pipeline).toArray();
  assert.equal(more?.['values'].length, 8);
});

test('counts names that contain a text, within one status, from their index, whatever else is stored', async () => {
  const collection = server.fresh();
  const names = ['aqua', 'Qat', 'q\u0000', 'é q', '', 'bar', 7, null, undefined, /q/, { q: 'q' }];
  const records = names.flatMap((name, at) =>
    ['open', 'closed', 'aqua'].map((status) => ({
      _id: `q${at}${status}` as never,
      status,
      ...(name !== undefined && { name }),
    })),
  );
  await collection.insertMany(records);
  const filters = ['q', 'Q', 'a'].flatMap((text) =>
    ['open', 'aqua'].map((status) => ({ status, name: { $regex: text } })),
  );
  const count = () => Promise.all(filters.map((filter) => collection.countDocuments(filter)));
  const before = await count();
  assert.deepEqual(before.slice(0, 4), [4, 4, 1, 1]);
  await collection.createIndex({ status: 1, name: 1, _id: 1 });
  assert.deepEqual(await count(), before);
  const limited = await collection.countDocuments({ status: 'open', name: { $regex: 'q' } }, { skip: 1, limit: 2 });
  assert.equal(limited, 2);
  // With an array the index has several entries for a document.
  await collection.insertOne({ _id: 'array' as never, status: 'open', name: ['q', 'qq'] });
  assert.equal(await collection.countDocuments({ status: 'open', name: { $regex: 'q' } }), 5);
});

test('counts each entry of a covered group once, even if they are read in chunks', async () => {
  const collection = server.fresh();
  await collection.createIndex({ kind: 1, value: 1 }, { name: 'covering' });
  // The first 4,096 end inside the second interval.
  const values = Array.from({ length: 4_400 }, (_, at) => ({ kind: `k${at % 2}`, value: `v${at % 2_000}` }));
  await collection.insertMany(values);
  const groups = await collection
    .aggregate([
      { $match: { kind: { $in: ['k0', 'k1'] } } },
      { $group: { _id: '$kind', values: { $push: '$value' } } },
      { $sort: { _id: 1 } },
    ])
    .toArray();
  assert.deepEqual(
    groups.map(({ _id, values: found }) => [_id, (found as string[]).toSorted()]),
    ['k0', 'k1'].map((kind) => [
      kind,
      values
        .filter((each) => each.kind === kind)
        .map(({ value }) => value)
        .toSorted(),
    ]),
  );
});

test('reads a changed transaction’s own documents, not the index', async () => {
  const collection = server.fresh();
  await collection.createIndex({ kind: 1, value: 1 }, { name: 'covering' });
  await collection.insertMany([
    { kind: 'a', value: 'one' },
    { kind: 'a', value: 'two' },
  ]);
  const session = server.client.startSession();
  const pipeline = [{ $match: { kind: 'a' } }, { $group: { _id: '$kind', values: { $push: '$value' } } }];
  await session.withTransaction(async () => {
    await collection.updateOne({ value: 'two' }, { $set: { value: 'three' } }, { session });
    const [group] = await collection.aggregate(pipeline, { session }).toArray();
    assert.deepEqual(group?.['values'], ['one', 'three']);
  });
  await session.endSession();
});
