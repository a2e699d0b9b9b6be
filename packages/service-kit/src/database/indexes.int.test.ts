import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { IndexDescription } from 'mongodb';
import { shopService, type ShopSettings } from '../testing/shop-service.ts';
import { startTestService, type TestService } from '../testing/index.ts';
import type { SchemaChange } from './schema-changes.ts';

const first = await startTestService(shopService);
await first.db.collection<{ _id: number }>('boxes').insertOne({ _id: 1 });
after(() => first.close());

/** Another release of the service on the same database. */
async function release(
  boxes: readonly IndexDescription[],
  schemaChanges: readonly SchemaChange[] = [],
): Promise<TestService<ShopSettings>> {
  const { MONGODB_URI, MONGODB_DATABASE } = first.context.settings;
  return startTestService(
    { ...shopService, indexes: { ...shopService.indexes, boxes }, schemaChanges },
    { mongoUri: MONGODB_URI, env: { MONGODB_DATABASE } },
  );
}

/** The indexes of the collection, without that of `_id`: key and options by name. */
async function indexes(): Promise<Record<string, unknown>> {
  const all = await first.db.collection('boxes').listIndexes().toArray();
  return Object.fromEntries(
    all.slice(1).map(({ name, v: _version, ...rest }) => [name as string, rest as unknown] as const),
  );
}

const byShelf = { name: 'place', key: { shelf: 1 } };
const byPlace = { name: 'place', key: { shelf: 1, row: 1 }, unique: true };

test('an index that changed under its old name is added beside the old one, which a later release drops', async () => {
  await (await release([byShelf])).close();
  assert.deepEqual(await indexes(), { place: { key: { shelf: 1 } } });

  // Replicas of both releases start, in any order, as in a rolling upgrade.
  for (const starting of [[byPlace], [byPlace], [byShelf], [byPlace]]) {
    const replica = await release(starting);
    assert.equal((await replica.anonymous('/medicine?limit=1')).status, 200);
    await replica.close();
    const names = Object.keys(await indexes());
    assert.equal(names.length, 2);
    assert.deepEqual((await indexes())['place'], { key: { shelf: 1 } });
    assert.deepEqual((await indexes())[names[1] ?? ''], { key: { shelf: 1, row: 1 }, unique: true });
  }
  await first.db.collection('boxes').insertOne({ shelf: 1, row: 1 });
  await assert.rejects(first.db.collection('boxes').insertOne({ shelf: 1, row: 1 }), { code: 11000 });

  const change: SchemaChange = {
    number: 1,
    name: 'boxes by place',
    up: () => Promise.resolve(),
    dropsIndexes: { boxes: ['place'], nowhere: ['none'] },
  };
  const later = await Promise.all([release([byPlace], [change]), release([byPlace], [change])]);
  for (const replica of later) await replica.close();
  const left = Object.values(await indexes());
  assert.deepEqual(left, [{ key: { shelf: 1, row: 1 }, unique: true }]);

  // It is dropped once: if an older release adds it again after a roll-back, it stays.
  await (await release([byShelf])).close();
  await (await release([byPlace], [change])).close();
  assert.equal(Object.keys(await indexes()).length, 2);
});

test('a schema change never drops an index that the release uses', async () => {
  const change: SchemaChange = {
    number: 2,
    name: 'place is used again',
    up: () => Promise.resolve(),
    dropsIndexes: { boxes: ['place'] },
  };
  const done: SchemaChange = { number: 1, name: 'boxes by place', up: () => Promise.resolve() };
  await (await release([byShelf, byPlace], [done, change])).close();
  assert.equal(Object.keys(await indexes()).length, 2);
});

test('an index that becomes unique replaces the one of the same key', async () => {
  const boxes = first.db.collection('boxes');
  await boxes.deleteMany({});
  await boxes.insertMany([
    { code: 1, row: 1 },
    { code: 2, row: 2 },
  ]);
  for (const unique of [false, true]) await (await release([{ key: { code: 1 }, unique }])).close();
  const ofCode = Object.values(await indexes()).filter((index) => JSON.stringify(index).includes('"code"'));
  assert.deepEqual(ofCode, [{ key: { code: 1 }, unique: true }]);
  await assert.rejects(boxes.insertOne({ code: 2, row: 3 }), { code: 11000 });
});
