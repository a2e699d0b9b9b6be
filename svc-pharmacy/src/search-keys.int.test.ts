import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Medicine } from './contract/schemas.ts';
import type { Order } from './contract/order-schemas.ts';
import { startTestService } from '@clinic/service-kit/testing';
import { orderNumberOf } from './orders/order-record.ts';
import { searchFields } from './search-keys.ts';
import { pharmacyService } from './service.ts';
import { order, orderBody, sharedPharmacy } from './testing/test-pharmacy.ts';

const names = [
  '\u0130buprofen',
  'Caf\u00e9 Weiß',
  'Cafe\u0301',
  'জ\u09dfা সিরাপ',
  'জ\u09af\u09bcা (৫০ মি.লি.)',
  'Núñez’s Co‑trimoxazole 50',
];
const asked: readonly (readonly [q: string, found: readonly number[]])[] = [
  ['ibuprofen', [0]],
  ['IBUPROFEN', [0]],
  ['nunez', [5]],
  ["NU\u00d1EZ'S CO-TRI", [5]],
  ['cotrimoxazole ৫০', [5]],
  ['CAF\u00c9', [1, 2]],
  ['cafe\u0301', [1, 2]],
  ['weiss', [1]],
  ['জ\u09dfা', [3, 4]],
  ['জ\u09af\u09bcা', [3, 4]],
  ['\u200b', []],
  ['(৫০', [4]],
  ['(50', [4]],
  ['B', [0]],
  ['eI', [1]],
  ['é w', [1]],
  ['FEN', [0]],
  ['\u09bc', [3, 4]],
  ['মি.লি', [4]],
  ['ibuprofen 200 mg film-coated tablets', []],
  ['.*', []],
];
const email = 'ann@mail.example';

const pharmacy = await sharedPharmacy({ PHARMACY_MAX_OPEN_ORDERS: '50' });
for (const name of names) {
  const { medicineId } = await pharmacy.stockMedicine({ name });
  await order(pharmacy.as({ role: 'patient', email }), email, [{ medicineId, quantity: 1 }]);
}

async function assertFound(): Promise<void> {
  for (const [q, found] of asked) {
    const inside = (name: string | undefined) => names.indexOf(name ?? '');
    const medicines = (await (await pharmacy.anonymous(`/medicine?q=${encodeURIComponent(q)}`)).json()) as Medicine[];
    assert.deepEqual(
      medicines.map(({ medicine }) => inside(medicine.name)).toSorted((a, b) => a - b),
      found,
      `medicines ${q}`,
    );
    const orders = (await (
      await pharmacy.as({ role: 'patient', email })(`/orderMedi?email=${email}&q=${encodeURIComponent(q)}`)
    ).json()) as Order[];
    assert.deepEqual(
      orders.map(({ items }) => inside(items[0]?.name)).toSorted((a, b) => a - b),
      found,
      `orders ${q}`,
    );
  }
  const staff = (await (
    await pharmacy.as('pharmacist')(`/orderMedi?q=${encodeURIComponent('\u200b')}`)
  ).json()) as Order[];
  assert.deepEqual(staff, []);
}

async function foundByStaff(q: string): Promise<string[]> {
  const answer = await pharmacy.as('pharmacist')(`/orderMedi?q=${encodeURIComponent(q)}`);
  return ((await answer.json()) as Order[]).map(({ customeremail }) => customeremail);
}

async function assertFoundByStaff(): Promise<void> {
  for (const q of ['nunez', 'Núñez', "o'brien", 'O’Bri', 'brien', 'marie o\u2011brien', 'ann-marie@', 'ANN-'])
    assert.deepEqual(await foundByStaff(q), ['ann-marie@mail.example'], q);
  for (const q of ['01711 999888', '01711-99', '+8801711', '008801711999', '1711999888', '০১৭১১ ৯৯৯৮', '٠١٧١١٩٩٩٨'])
    assert.deepEqual(await foundByStaff(q), ['ann-marie@mail.example'], q);
  // Too many numbers begin like these.
  for (const q of ['01711', '+880 17', '0171299988']) assert.deepEqual(await foundByStaff(q), [], q);
}

test('finds orders by recipient and phone number however these are typed', async () => {
  const { medicineId } = await pharmacy.stockMedicine({ name: 'Other' });
  const ordered = await pharmacy.as({ role: 'patient', email: 'ann-marie@mail.example' })('/orderMedi', {
    method: 'POST',
    json: {
      ...orderBody('ann-marie@mail.example', [{ medicineId, quantity: 1 }]),
      recipientName: 'Ana Núñez Marie O’Brien',
      customerPhone: '\u200e+880\u00a01711\u2011999888',
    },
  });
  assert.equal(ordered.status, 201, await ordered.clone().text());
  const stored = await pharmacy.collections.orders.findOne({ customerEmail: 'ann-marie@mail.example' });
  assert.deepEqual(
    [stored?.customerPhone, stored?.customerPhoneE164],
    ['+880\u00a01711\u2011999888', '+8801711999888'],
  );
  await assertFoundByStaff();
});

test('finds medicines, and orders by their medicines, however the name is typed', assertFound);

test('finds records of the previous release, too, once a replica of this one has started', async () => {
  const { medicines, orders } = pharmacy.collections;
  for await (const { _id, name } of medicines.find())
    await medicines.updateOne({ _id }, { $set: { nameKey: name.toLowerCase() }, $unset: { nameParts: 1 } });
  await orders.updateMany({}, { $unset: { number: 1, itemKeys: 1, recipientKeys: 1, customerPhoneE164: 1 } });
  // Until then its orders are found as before.
  const answer = await pharmacy.as({ role: 'patient', email })(
    `/orderMedi?email=${email}&q=${encodeURIComponent('CAF\u00c9')}`,
  );
  assert.deepEqual(
    ((await answer.json()) as Order[]).map(({ items }) => items[0]?.name),
    ['Caf\u00e9 Weiß'],
  );
  await pharmacy.db.collection('schemaChanges').deleteMany({});
  const { MONGODB_URI } = pharmacy.context.settings;
  const replica = await startTestService(pharmacyService, {
    mongoUri: MONGODB_URI,
    env: { CLINIC_TZ: 'Asia/Dhaka', MONGODB_DATABASE: pharmacy.db.databaseName },
  });
  await assertFound();
  await assertFoundByStaff();
  for (const { _id, number } of await orders.find().toArray()) assert.equal(number, orderNumberOf(_id));
  await replica.close();
});

test('finds a medicine by its new name only, whoever edits it', async () => {
  const { medicines } = pharmacy.collections;
  const { _id } = await pharmacy.stockMedicine({ name: 'Oldname' });
  const found = async (q: string): Promise<number> =>
    ((await (await pharmacy.anonymous(`/medicine?q=${q}`)).json()) as Medicine[]).length;
  assert.deepEqual([await found('ldna'), await found('ewna')], [1, 0]);
  const edited = await pharmacy.as('pharmacist')(`/medicine/${_id.toHexString()}`, {
    method: 'PATCH',
    json: { name: 'Newname with more than twenty-four letters' },
  });
  assert.equal(edited.status, 200, await edited.clone().text());
  assert.deepEqual(
    [
      await found('ldna'),
      await found('ewna'),
      await found('name%20with%20more%20than%20twenty-four'),
      await found('name%20with%20more%20than%20twenty-five'),
    ],
    [0, 1, 1, 0],
  );
  // As a replica of the previous release would: the old name is never found, the new one after the next read of the
  // history.
  await medicines.updateOne({ _id }, { $set: { name: 'Thirdname', nameKey: 'thirdname' } });
  assert.deepEqual([await found('ewna'), await found('hirdn')], [0, 0]);
  await searchFields('BD')[0]?.rewrite(pharmacy.context, [_id]);
  assert.deepEqual([await found('ewna'), await found('hirdn')], [0, 1]);
});
