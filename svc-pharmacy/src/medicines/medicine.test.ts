import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls } from '@clinic/contracts/calls';
import { EJSON } from 'bson';
import { Double, Int32, ObjectId } from 'mongodb';
import { medicineDocument, toMedicineRecord } from './medicine.ts';

const document = (quantity: number, pricePerUnit: number) =>
  medicineDocument(
    new ObjectId('65f000000000000000000001'),
    { medicineId: 'MED-0001', name: 'Paracetamol', manufacturer: 'Maker', quantity, unit: 'box', expiryDate: '2027-05-31', pricePerUnit },
    { pharmacistEmail: 'pharmacist@clinic.example', addedDate: '2026-11-21', lowStockBelow: 10 },
  );

test('a record travels as canonical extended JSON where the specification says so', () => {
  assert.deepEqual(toMedicineRecord(document(42, 12.5)), {
    _id: { $oid: '65f000000000000000000001' },
    pharmacistEmail: 'pharmacist@clinic.example',
    medicine: {
      medicineId: 'MED-0001', name: 'Paracetamol', manufacturer: 'Maker', quantity: { $numberInt: '42' }, unit: 'box', expiryDate: '2027-05-31',
      pricePerUnit: { $numberDouble: '12.5' },
    },
    addedDate: '2026-11-21',
    status: 'in stock',
  });
});

test('its numbers are exactly what a driver would write and read', () => {
  for (const [quantity, price] of [[0, 0], [1, 12], [2_147_483_647, 999_999.99], [7, 0.1]] as const) {
    const { medicine } = toMedicineRecord(document(quantity, price));
    assert.deepEqual(medicine.quantity, EJSON.serialize(new Int32(quantity), { relaxed: false }));
    assert.deepEqual(medicine.pricePerUnit, EJSON.serialize(new Double(price), { relaxed: false }));
    assert.equal(EJSON.deserialize(medicine.pricePerUnit), price);
  }
});

test('the record fits its contract', () => {
  const record = toMedicineRecord(document(3, 1));
  assert.deepEqual(calls.addMedicine.response.parse(record), record);
});
