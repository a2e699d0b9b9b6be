import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pharmacyCalls } from '../contract/calls.ts';
import { EJSON } from 'bson';
import { Decimal128, Double, Int32, Long, ObjectId } from 'mongodb';
import { usualLimits } from './household-limits.ts';
import { medicineRecord, toMedicine } from './medicine-record.ts';

const document = (quantity: number, pricePerUnit: number) =>
  medicineRecord(
    new ObjectId('65f000000000000000000001'),
    {
      medicineId: 'MED-0001',
      name: 'Paracetamol',
      manufacturer: 'Maker',
      quantity,
      unit: 'box',
      expiryDate: '2027-05-31',
      pricePerUnit,
    },
    { pharmacistEmail: 'pharmacist@clinic.example', addedDate: '2026-11-21', lowStockBelow: 10 },
  );

test('a record uses canonical extended JSON where the wire format requires it', () => {
  assert.deepEqual(toMedicine(document(42, 12.5), usualLimits), {
    _id: { $oid: '65f000000000000000000001' },
    pharmacistEmail: 'pharmacist@clinic.example',
    medicine: {
      medicineId: 'MED-0001',
      name: 'Paracetamol',
      manufacturer: 'Maker',
      quantity: { $numberInt: '42' },
      unit: 'box',
      expiryDate: '2027-05-31',
      pricePerUnit: { $numberDouble: '12.5' },
    },
    addedDate: '2026-11-21',
    status: 'in stock',
    customerLimit: 10,
  });
});

test('a record’s numbers match what a driver writes and reads', () => {
  for (const [quantity, price] of [
    [0, 0],
    [1, 12],
    [2_147_483_647, 999_999.99],
    [7, 0.1],
  ] as const) {
    const { medicine } = toMedicine(document(quantity, price), usualLimits);
    assert.deepEqual(medicine.quantity, EJSON.serialize(new Int32(quantity), { relaxed: false }));
    assert.deepEqual(medicine.pricePerUnit, EJSON.serialize(new Double(price), { relaxed: false }));
    assert.equal(EJSON.deserialize(medicine.pricePerUnit), price);
  }
});

test('every kind of number that a driver writes is read unchanged, plain or wrapped', () => {
  const body = pharmacyCalls.addMedicine.body;
  const medicine = { name: 'Paracetamol', expiryDate: '2027-05-31' };
  const read = (quantity: unknown, pricePerUnit: unknown) => {
    const parsed = body.parse(JSON.parse(JSON.stringify({ medicine: { ...medicine, quantity, pricePerUnit } })));
    return [parsed.medicine.quantity, parsed.medicine.pricePerUnit];
  };
  const wrap = (value: unknown) => EJSON.serialize(value, { relaxed: false }) as unknown;
  for (const [quantity, price] of [
    [0, 0],
    [1, 12],
    [2_147_483_647, 999_999.99],
    [7, 0.1],
    [40, 1e-2],
    [3, 1_000_000],
  ] as const) {
    assert.deepEqual(read(quantity, price), [quantity, price]);
    assert.deepEqual(read(wrap(new Int32(quantity)), wrap(new Double(price))), [quantity, price]);
    assert.deepEqual(read(wrap(Long.fromNumber(quantity)), wrap(Decimal128.fromString(String(price)))), [
      quantity,
      price,
    ]);
    assert.deepEqual(read(wrap(new Double(quantity)), wrap(new Double(price))), [quantity, price]);
    // Relaxed extended JSON writes plain numbers.
    assert.deepEqual(
      read(
        EJSON.serialize(new Int32(quantity), { relaxed: true }),
        EJSON.serialize(new Double(price), { relaxed: true }),
      ),
      [quantity, price],
    );
  }
});

test('invalid numbers are rejected, wrapped or not', () => {
  const body = pharmacyCalls.addMedicine.body;
  for (const value of [
    { $numberInt: '1.5' },
    { $numberInt: 'x' },
    { $numberInt: 4 },
    { $numberDouble: 'NaN' },
    { $numberDouble: 'Infinity' },
    { $numberLong: '99999999999' },
    { $numberDecimal: '1E9999' },
    { $numberInt: '0x10' },
    '4',
    true,
    null,
    [4],
    {},
  ]) {
    assert.equal(
      body.safeParse({ medicine: { name: 'A', expiryDate: '2027-05-31', pricePerUnit: 1, quantity: value } }).success,
      false,
      JSON.stringify(value),
    );
  }
});
