import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, clinicMoment } from '@clinic/contracts';
import { holdClock } from '@clinic/service-kit/testing/hold-clock';
import type { Medicine } from './contract/schemas.ts';
import type { Order } from './contract/order-schemas.ts';
import { pharmacyCalls } from './contract/calls.ts';
import { allPages, fieldsOf, order, sharedPharmacy } from './testing/test-pharmacy.ts';

const names = ['Zinc', 'aspirin 75 mg', 'Aspirin 300 mg', 'Cough (syrup)', 'Baby aspirin'];
const pharmacy = await sharedPharmacy();
const [zinc, ...rest] = await Promise.all(
  names.map((name, index) => pharmacy.stockMedicine({ name, quantity: [90, 0, 5, 40, 12][index] ?? 0 })),
);
assert.ok(zinc && rest.length === 4);
for (const email of ['one@mail.example', 'two@mail.example', 'one@mail.example']) {
  await order(pharmacy.as({ role: 'patient', email }), email, [{ medicineId: zinc.medicineId, quantity: 1 }]);
}

const medicineNames = async (path: string) =>
  ((await (await pharmacy.anonymous(path)).json()) as Medicine[]).map(({ medicine }) => medicine.name);
const byName = ['aspirin 75 mg', 'Aspirin 300 mg', 'Baby aspirin', 'Cough (syrup)', 'Zinc'].sort((a, b) =>
  a.toLowerCase() < b.toLowerCase() ? -1 : 1,
);

test('everybody can read the whole inventory by name, each record matching its contract', async () => {
  const response = await pharmacy.anonymous('/medicine');
  assert.equal(response.status, 200);
  const records: unknown = await response.json();
  assert.deepEqual(pharmacyCalls.listMedicines.response.parse(records), records);
  assert.deepEqual(await medicineNames('/medicine'), byName);
});

test('pages have no gaps or repeats, and give the total', async () => {
  const { rows, total } = await allPages<Medicine>(pharmacy.anonymous, '/medicine?limit=2');
  assert.equal(total, '5');
  assert.deepEqual(
    rows.map(({ medicine }) => medicine.name),
    byName,
  );
});

test('the inventory can be filtered by status and sorted by stock', async () => {
  assert.deepEqual(await medicineNames('/medicine?status=low%20stock'), ['Aspirin 300 mg']);
  assert.deepEqual(await medicineNames('/medicine?limit=2&sort=stock'), ['aspirin 75 mg', 'Aspirin 300 mg']);
  assert.deepEqual(await fieldsOf(await pharmacy.anonymous('/medicine?limit=2&sort=colour')), ['sort']);
});

test('staff see all orders, newest first; customers their own', async () => {
  const all: unknown = await (await pharmacy.as('pharmacist')('/orderMedi')).json();
  const orders = pharmacyCalls.listOrders.response.parse(all);
  assert.deepEqual(orders, all);
  assert.deepEqual(
    orders.map(({ customeremail }) => customeremail),
    ['one@mail.example', 'two@mail.example', 'one@mail.example'],
  );
  assert.ok(orders.every(({ orderDate }, index) => index === 0 || orderDate <= (orders[index - 1]?.orderDate ?? '')));

  const one = pharmacy.as({ role: 'patient', email: 'one@mail.example' });
  const own = (await (await one('/orderMedi?email=ONE@mail.example&limit=10')).json()) as Order[];
  assert.deepEqual(
    own.map(({ _id }) => _id),
    [orders[0]?._id, orders[2]?._id],
  );
});

test('staff search orders by prefix of the customer’s email', async () => {
  const { rows, total } = await allPages<Order>(pharmacy.as('admin'), '/orderMedi?limit=1&q=One');
  assert.equal(total, '2');
  assert.deepEqual(
    rows.map(({ customeremail }) => customeremail),
    ['one@mail.example', 'one@mail.example'],
  );
  assert.deepEqual(await (await pharmacy.as('admin')('/orderMedi?status=Shipped')).json(), []);
});

test('finds orders by number and day, and one’s own by medicine', async () => {
  const [first] = (await (await pharmacy.as('admin')('/orderMedi?limit=1')).json()) as Order[];
  assert.ok(first);
  const ids = async (path: string, as = pharmacy.as('admin')) =>
    ((await (await as(path)).json()) as Order[]).map(({ _id }) => _id);
  const number = first._id.slice(-6);
  assert.deepEqual(await ids(`/orderMedi?q=%23${number}`), [first._id]);
  assert.deepEqual(await ids(`/orderMedi?limit=5&q=%23${number.toUpperCase()}`), [first._id]);
  assert.deepEqual(await ids('/orderMedi?q=%23000000'), []);
  // People also type it without the #.
  assert.deepEqual(await ids(`/orderMedi?limit=5&q=${number}`), [first._id]);
  assert.deepEqual(await ids(`/orderMedi?limit=5&status=pending&q=${number.toUpperCase()}`), [first._id]);
  assert.deepEqual(await ids('/orderMedi?q=000000'), []);
  const rows = (await (await pharmacy.as('admin')('/orderMedi')).json()) as Order[];
  const [day = '', ...earlier] = rows.map(({ orderDate }) => clinicMoment(new Date(orderDate), 'Asia/Dhaka').date);
  assert.equal((await ids(`/orderMedi?limit=9&from=${earlier.at(-1)}`)).length, 3);
  assert.deepEqual(await ids(`/orderMedi?limit=9&from=${addDays(day, 1)}`), []);
  const own = (q: string) =>
    ids(
      `/orderMedi?limit=9&email=one@mail.example&q=${q}`,
      pharmacy.as({ role: 'patient', email: 'one@mail.example' }),
    );
  assert.equal((await own('ZIN')).length, 2);
  assert.deepEqual(await own('aspirin'), []);
  // Searching by number doesn't reveal somebody else's order.
  const [other] = (await (await pharmacy.as('admin')('/orderMedi?q=two')).json()) as Order[];
  assert.deepEqual(await own(`%23${other?._id.slice(-6)}`), []);
  assert.deepEqual(await own(other?._id.slice(-6) ?? ''), []);
  assert.deepEqual(await own(number), [first._id]);
});

test('medicines close to expiry and expired ones have their own views, first to expire on top', async (t) => {
  holdClock(t);
  const { date: today } = clinicMoment(new Date(), 'Asia/Dhaka');
  const ends = {
    'Ends in 90 days': 90,
    'Ends in 91 days': 91,
    'Ends today': 0,
    'Ended yesterday': -1,
    'Ended long ago': -400,
  };
  for (const [name, days] of Object.entries(ends))
    await pharmacy.stockMedicine({ name, expiryDate: addDays(today, days) });
  assert.deepEqual(await medicineNames('/medicine?limit=10&expiry=soon'), ['Ends today', 'Ends in 90 days']);
  assert.deepEqual(await medicineNames('/medicine?expiry=expired'), ['Ended long ago', 'Ended yesterday']);
  assert.deepEqual(await medicineNames('/medicine?limit=1&expiry=expired&sort=name&q=yester'), ['Ended yesterday']);
  assert.equal((await pharmacy.anonymous('/medicine?expiry=never')).status, 400);
});

test('several medicines can be requested by id at once', async () => {
  const [a, b] = [
    await pharmacy.stockMedicine({ name: 'Picked A' }),
    await pharmacy.stockMedicine({ name: 'Picked B' }),
  ];
  assert.deepEqual(await medicineNames(`/medicine?medicineIds=${a.medicineId},NONE,${b.medicineId}`), [
    'Picked A',
    'Picked B',
  ]);
  assert.deepEqual(await medicineNames('/medicine?medicineIds='), []);
  assert.equal(
    (await pharmacy.anonymous(`/medicine?medicineIds=${Array.from({ length: 101 }, (_, n) => `M${n}`).join(',')}`))
      .status,
    400,
  );
});
