import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatOrderTotal, formatStorePrice, orderTotalMinor, toMajor, toMinor } from './money.ts';

test('cents survive the round trip through minor units', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 100_000_000 }), (minor) => toMinor(toMajor(minor)) === minor));
});

test('halves are rounded away from zero, despite binary fractions', () => {
  assert.deepEqual([1.005, 0.1 + 0.2, -1.005, 1e-7].map(toMinor), [101, 30, -101, 0]);
});

test('there is no negative zero', () => {
  assert.ok(Object.is(toMajor(-0), 0));
});

test('the store shows dollars, order tables taka', () => {
  assert.equal(formatStorePrice(123_450), '$1,234.50');
  assert.equal(
    formatOrderTotal(
      orderTotalMinor([
        { pricePerUnit: 0.1, quantity: 3 },
        { pricePerUnit: 1200, quantity: 1 },
      ]),
    ),
    '৳1,200.30',
  );
});
