import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internalHeaders, internalSecret } from '@clinic/service-kit';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { orderStatuses } from '../contract/transitions.ts';
import { sharedPharmacy, storedOrder } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy();
const headers = internalHeaders(internalSecret(pharmacy.context.settings));
const asked = <Answer>(path: string, json: object) =>
  readJson<Answer>(pharmacy.anonymous(`/internal${path}`, { method: 'POST', json, headers }), 200);

test('svc-messages learns what has become of orders; of others nothing', async () => {
  const orders = orderStatuses.map((status) => storedOrder({ status }));
  await pharmacy.collections.orders.insertMany(orders);
  const ids = orders.map(({ _id }) => _id.toHexString());
  const found = await asked<{ id: string; status: string }[]>('/orders', { ids: [...ids, '0'.repeat(24), 'theirs'] });
  assert.deepEqual(
    found.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)),
    orderStatuses.map((status, at) => ({ id: ids[at], status })),
  );
  const path = '/internal/orders';
  assert.equal((await pharmacy.anonymous(path, { method: 'POST', json: { ids } })).status, 401);
  assert.equal((await pharmacy.anonymous(path, { method: 'POST', json: {}, headers })).status, 400);
});
