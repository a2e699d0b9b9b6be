import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPharmacy } from '../testing/test-pharmacy.ts';
import { alignStatuses } from './align-statuses.ts';

test('statuses follow a changed low-stock limit, once', async (t) => {
  const pharmacy = await startPharmacy();
  t.after(() => pharmacy.close());
  const stocked = await Promise.all([0, 5, 15, 25].map((quantity) => pharmacy.stockMedicine({ quantity })));
  assert.equal(await alignStatuses(pharmacy.collections, 10), 0);
  assert.equal(await alignStatuses(pharmacy.collections, 20), 1);
  assert.equal(await alignStatuses(pharmacy.collections, 20), 0);
  const statuses = await Promise.all(
    stocked.map(async ({ medicineId }) => (await pharmacy.stockOf(medicineId)).status),
  );
  assert.deepEqual(statuses, ['out of stock', 'low stock', 'low stock', 'in stock']);
});
