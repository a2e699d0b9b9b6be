import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFinal, nextStates } from '@clinic/contracts';
import { medicineStatusFor, orderTransitions } from './transitions.ts';

test('a customer cancels while pending and marks Delivered once shipped; staff may do everything', () => {
  assert.deepEqual(nextStates(orderTransitions, 'pending', ['customer']), ['Cancelled']);
  assert.deepEqual(nextStates(orderTransitions, 'Shipped', ['customer']), ['Delivered']);
  assert.deepEqual(nextStates(orderTransitions, 'pending', ['pharmacist']), ['Shipped', 'Delivered', 'Cancelled']);
  assert.deepEqual(nextStates(orderTransitions, 'Shipped', ['admin']), ['Delivered', 'Cancelled']);
  assert.equal(isFinal(orderTransitions, 'Delivered'), true);
});

test('status follows from stock', () => {
  assert.deepEqual(
    [0, 1, 9, 10].map((quantity) => medicineStatusFor(quantity, 10)),
    ['out of stock', 'low stock', 'low stock', 'in stock'],
  );
});
