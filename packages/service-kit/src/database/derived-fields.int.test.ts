import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { ObjectId } from 'mongodb';
import { appendEvent } from '../history/events.ts';
import { shopService } from '../testing/shop-service.ts';
import { startTestService } from '../testing/index.ts';
import { DerivedFieldsFollower, derivedFields, fillDerivedFields } from './derived-fields.ts';

interface Row {
  readonly _id: ObjectId;
  readonly name: string;
  readonly key?: string;
}

const fields = [
  derivedFields<Row, 'name'>({
    recordType: 'row',
    actions: ['added', 'edited'],
    collection: (db) => db.collection('derived'),
    from: ['name'],
    derive: ({ name }) => ({ key: name.toUpperCase() }),
  }),
];

const service = await startTestService(shopService);
const rows = service.db.collection<Row>('derived');
after(() => service.close());
beforeEach(async () => {
  await rows.deleteMany({});
  await service.db.collection<{ _id: string }>('markers').deleteOne({ _id: 'derived-fields' });
});

/** Writes as a release without the field does. */
async function writeAsBefore(row: Row, action = 'edited', type = 'row'): Promise<void> {
  await service.context.inTransaction(async (session) => {
    await rows.updateOne({ _id: row._id }, { $set: { name: row.name } }, { session, upsert: true });
    await appendEvent(service.context, session, {
      call: 'expiry',
      caller: undefined,
      requestId: 'test',
      record: { type, id: row._id.toHexString() },
      action,
      before: null,
      after: {},
    });
  });
}

const keys = async (): Promise<Record<string, string | undefined>> =>
  Object.fromEntries((await rows.find().sort({ name: 1 }).toArray()).map(({ name, key }) => [name, key]));
const fill = () => fillDerivedFields(1, 'rows have keys', () => fields).up(service.context);
const newFollower = () => new DerivedFieldsFollower(service.context, fields);

test('a schema change fills in the fields, and the history reveals what an earlier release writes afterwards', async () => {
  const [one, two] = [new ObjectId(), new ObjectId()];
  await writeAsBefore({ _id: one, name: 'one' }, 'added');
  await fill();
  assert.deepEqual(await keys(), { one: 'ONE' });
  const follower = newFollower();
  await follower.catchUp();
  await writeAsBefore({ _id: one, name: 'changed' });
  await writeAsBefore({ _id: two, name: 'two' }, 'added');
  assert.deepEqual(await keys(), { changed: 'ONE', two: undefined });
  assert.equal(await follower.catchUp(), 2);
  assert.deepEqual(await keys(), { changed: 'CHANGED', two: 'TWO' });
  assert.equal(await follower.catchUp(), 0);
});

test('continues where it stopped after the earlier release has run alone', async () => {
  await fill();
  const [long, short] = [new ObjectId(), new ObjectId()];
  await writeAsBefore({ _id: long, name: 'long ago' });
  await writeAsBefore({ _id: short, name: 'lately' });
  const anHourAgo = new Date(Date.now() - 3_600_000);
  await service.db
    .collection('events')
    .updateOne({ 'record.id': long.toHexString() }, { $set: { at: new Date(anHourAgo.getTime() + 1) } });
  await service.db
    .collection<{ _id: string }>('markers')
    .updateOne({ _id: 'derived-fields' }, { $set: { at: anHourAgo } });
  assert.equal(await newFollower().catchUp(), 2);
  assert.deepEqual(await keys(), { lately: 'LATELY', 'long ago': 'LONG AGO' });
  await rows.updateOne({ _id: long }, { $unset: { key: 1 } });
  assert.equal(await newFollower().catchUp(), 0, 'the hour is behind it');
});

test('ignores records and actions that change none of the fields', async () => {
  await fill();
  await writeAsBefore({ _id: new ObjectId(), name: 'sold' }, 'sold');
  await writeAsBefore({ _id: new ObjectId(), name: 'other' }, 'edited', 'other');
  assert.equal(await newFollower().catchUp(), 0);
  assert.deepEqual(await keys(), { other: undefined, sold: undefined });
});
