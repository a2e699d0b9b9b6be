import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ObjectId } from 'mongodb';
import { rewriteRecords } from './rewrite-records.ts';
import { shopService } from '../testing/shop-service.ts';
import { startTestService } from '../testing/index.ts';

interface Row {
  readonly _id: ObjectId;
  readonly name: string;
  readonly key: string;
}

const service = await startTestService(shopService);
const rows = service.db.collection<Row>('rewritten');
after(() => service.close());

const keyOf = (name: string): string => name.toUpperCase();
const rewrite = () => rewriteRecords(service.context, rows, ['name'], ({ name }) => ({ key: keyOf(name) }));
const count = 1_300;

test('rewrites the records that differ, once, in as many batches as it takes', async () => {
  await rows.insertMany(
    Array.from({ length: count }, (_, at) => ({
      _id: new ObjectId(),
      name: `row ${at}`,
      key: at % 2 === 0 ? 'old' : keyOf(`row ${at}`),
    })),
  );
  assert.equal(await rewrite(), count / 2);
  assert.equal(
    (await rows.find().toArray()).every(({ name, key }) => key === keyOf(name)),
    true,
  );
  assert.equal(await rewrite(), 0);
});

test('doesn’t overwrite concurrent changes', async () => {
  await rows.updateMany({}, { $set: { key: 'old' } });
  const ids = (await rows.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
  const edit = async (): Promise<void> => {
    for (const [at, _id] of ids.entries())
      if (at % 3 === 0) await rows.updateOne({ _id }, { $set: { name: `edited ${at}`, key: keyOf(`edited ${at}`) } });
  };
  await Promise.all([rewrite(), edit(), rewrite()]);
  const after = await rows.find().toArray();
  assert.deepEqual(
    after.filter(({ name, key }) => key !== keyOf(name)),
    [],
  );
  assert.equal(after.filter(({ name }) => name.startsWith('edited')).length, Math.ceil(count / 3));
});

test('ends when the service stops', async () => {
  await assert.rejects(
    rewriteRecords({ stopping: AbortSignal.abort(new Error('stopping')) }, rows, ['name'], () => ({})),
    /stopping/,
  );
});
