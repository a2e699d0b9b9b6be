import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appointmentTransitions,
  isFinal,
  judgeTransition,
  medicineStatusFor,
  nextStates,
  orderTransitions,
} from './transitions.ts';

test('an appointment moves from Pending to Confirmed or Cancelled, and from Confirmed to Cancelled only', () => {
  assert.deepEqual(nextStates(appointmentTransitions, 'Pending', ['doctor']), ['Confirmed', 'Cancelled']);
  assert.deepEqual(nextStates(appointmentTransitions, 'Confirmed', ['patient']), ['Cancelled']);
  assert.equal(isFinal(appointmentTransitions, 'Cancelled'), true);
});

test('a customer cancels while pending and marks Delivered once shipped; staff may do everything', () => {
  assert.deepEqual(nextStates(orderTransitions, 'pending', ['customer']), ['Cancelled']);
  assert.deepEqual(nextStates(orderTransitions, 'Shipped', ['customer']), ['Delivered']);
  assert.deepEqual(nextStates(orderTransitions, 'pending', ['pharmacist']), ['Shipped', 'Delivered', 'Cancelled']);
  assert.deepEqual(nextStates(orderTransitions, 'Shipped', ['admin']), ['Delivered', 'Cancelled']);
});

test('a status of a newer release leads nowhere here', () => {
  const newer = 'Arrived' as 'Pending';
  assert.deepEqual(nextStates(appointmentTransitions, newer, ['admin']), []);
  assert.equal(isFinal(appointmentTransitions, newer), true);
  assert.equal(judgeTransition(appointmentTransitions, newer, 'Cancelled', ['admin']), 'impossible');
});

test('distinguishes impossible from forbidden', () => {
  assert.equal(judgeTransition(orderTransitions, 'Delivered', 'Cancelled', ['admin']), 'impossible');
  assert.equal(judgeTransition(orderTransitions, 'pending', 'Shipped', ['customer']), 'forbidden');
  assert.equal(judgeTransition(orderTransitions, 'pending', 'Cancelled', ['customer']), 'allowed');
});

test('status follows from stock', () => {
  assert.deepEqual(
    [0, 1, 9, 10].map((quantity) => medicineStatusFor(quantity, 10)),
    ['out of stock', 'low stock', 'low stock', 'in stock'],
  );
});
