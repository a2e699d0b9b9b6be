import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '../contract/order-schemas.ts';
import { allPages, move, order, read, sharedPharmacy, usual } from '../testing/test-pharmacy.ts';

const pharmacy = await sharedPharmacy(usual);

let people = 0;
async function placed(...lines: readonly (readonly [medicineId: string, quantity: number])[]): Promise<Order> {
  people += 1;
  const email = `shopper${people}@mail.example`;
  return order(
    pharmacy.as({ role: 'patient', email }),
    email,
    lines.map(([medicineId, quantity]) => ({ medicineId, quantity })),
  );
}
const listed = async (query: string): Promise<string[]> =>
  (await read(pharmacy.as('pharmacist'), 'listOrders', `/orderMedi?${query}`)).map(({ _id }) => _id);

test('an order of more than half of a customer’s limit, or of more than ten medicines, is marked', async () => {
  const box = await pharmacy.stockMedicine();
  const tablets = await pharmacy.stockMedicine({ unit: 'tablet', quantity: 500 });
  const rare = await pharmacy.stockMedicine({ maxPerCustomer: 2 });
  const many = await Promise.all(Array.from({ length: 11 }, () => pharmacy.stockMedicine()));
  const line = ({ medicineId }: { medicineId: string }, quantity = 1) => [medicineId, quantity] as const;
  const marks = [];
  for (const lines of [
    [line(box, 5)],
    [line(box, 6)],
    [line(tablets, 50)],
    [line(tablets, 51)],
    [line(rare)],
    [line(rare, 2)],
    many.slice(1).map((each) => line(each)),
    many.map((each) => line(each)),
  ]) {
    marks.push((await placed(...lines)).unusual);
  }
  assert.deepEqual(marks, [undefined, true, undefined, true, undefined, true, undefined, true]);
});

test('staff can list only unusual orders, pending or all, in pages, and each order is marked', async () => {
  await pharmacy.collections.orders.deleteMany({});
  const { medicineId } = await pharmacy.stockMedicine({ quantity: 1_000 });
  const ids: string[] = [];
  for (let number = 0; number < 9; number += 1) ids.unshift((await placed([medicineId, number % 3 === 0 ? 8 : 1]))._id);
  const unusual = ids.filter((_, index) => (8 - index) % 3 === 0);
  assert.deepEqual(await listed('unusual=true'), unusual);
  assert.deepEqual(await listed('limit=20'), ids);
  assert.equal((await move(pharmacy.as('admin'), unusual[1] ?? '', 'Shipped')).status, 200);
  assert.deepEqual(await listed('unusual=true&status=pending&limit=20'), [unusual[0], unusual[2]]);
  const { rows, total } = await allPages<Order>(pharmacy.as('admin'), '/orderMedi?unusual=true&limit=2');
  assert.equal(total, '3');
  assert.deepEqual(
    rows.map(({ _id, unusual: marked }) => [_id, marked]),
    unusual.map((id) => [id, true]),
  );
  assert.equal((await pharmacy.as('admin')('/orderMedi?unusual=yes')).status, 400);
});
