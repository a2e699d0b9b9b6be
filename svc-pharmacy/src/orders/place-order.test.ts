import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObjectId } from 'mongodb';
import { medicineRecord } from '../medicines/medicine-record.ts';
import { mergeLines, shortageOf } from './place-order.ts';

const today = '2026-11-21';
const medicine = (quantity: number, expiryDate = '2027-01-01') =>
  medicineRecord(
    new ObjectId(),
    { medicineId: 'M', name: 'Medicine', manufacturer: '', quantity, unit: 'box', expiryDate, pricePerUnit: 1 },
    { pharmacistEmail: '', addedDate: today, lowStockBelow: 10 },
  );

test('lines of the same medicine are merged, ordered by id', () => {
  const lines = [
    { medicineId: 'b', quantity: 2 },
    { medicineId: 'a', quantity: 1 },
    { medicineId: 'b', quantity: 3 },
  ];
  assert.deepEqual(mergeLines(lines), [
    { medicineId: 'a', quantity: 1 },
    { medicineId: 'b', quantity: 5 },
  ]);
});

test('a line has the reason why it can’t be delivered and what is left', () => {
  const requested = { medicineId: 'M', quantity: 5 };
  const base = { medicineId: 'M', name: 'Medicine', requested: 5 };
  assert.equal(shortageOf(requested, medicine(5), today), undefined);
  assert.deepEqual(shortageOf(requested, undefined, today), {
    medicineId: 'M',
    requested: 5,
    available: 0,
    reason: 'unknown',
  });
  assert.deepEqual(shortageOf(requested, medicine(0), today), { ...base, available: 0, reason: 'out of stock' });
  assert.deepEqual(shortageOf(requested, medicine(4), today), { ...base, available: 4, reason: 'not enough' });
  assert.deepEqual(shortageOf(requested, medicine(9, '2026-11-20'), today), {
    ...base,
    available: 0,
    reason: 'expired',
  });
});

test('rejects more than the customer’s limit, unless the stock is smaller', () => {
  const requested = { medicineId: 'M', quantity: 5 };
  const line = { medicineId: 'M', name: 'Medicine', requested: 5 };
  assert.equal(
    shortageOf(requested, medicine(9), today, () => 5),
    undefined,
  );
  assert.deepEqual(
    shortageOf(requested, medicine(9), today, () => 4),
    { ...line, available: 4, reason: 'limit' },
  );
  assert.deepEqual(
    shortageOf(requested, medicine(9), today, () => -3),
    { ...line, available: 0, reason: 'limit' },
  );
  assert.deepEqual(
    shortageOf(requested, medicine(3), today, () => 4),
    { ...line, available: 3, reason: 'not enough' },
  );
  assert.deepEqual(
    shortageOf(requested, medicine(4), today, () => 4),
    { ...line, available: 4, reason: 'not enough' },
  );
});
