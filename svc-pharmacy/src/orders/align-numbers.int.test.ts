import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObjectId } from 'mongodb';
import { sharedPharmacy } from '../testing/test-pharmacy.ts';
import { alignOrderNumbers } from './align-numbers.ts';
import { orderNumberOf } from './order-record.ts';

const pharmacy = await sharedPharmacy();

test('orders of a release without numbers get theirs, in several commands, and keep them', async () => {
  const { orders } = pharmacy.collections;
  const ids = Array.from({ length: 501 }, () => new ObjectId());
  await orders.insertMany(ids.map((_id) => ({ _id }) as never));
  assert.equal(await alignOrderNumbers(pharmacy.collections), 501);
  assert.deepEqual(
    (await orders.find({}).toArray()).map(({ _id, number }) => [_id, number]),
    ids.map((_id) => [_id, orderNumberOf(_id)]),
  );
  assert.equal(await alignOrderNumbers(pharmacy.collections), 0);
});
