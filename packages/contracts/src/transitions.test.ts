import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFinal, judgeTransition, nextStates, type TransitionTable } from './transitions.ts';

const orders: TransitionTable<'pending' | 'shipped' | 'delivered', 'staff' | 'customer'> = {
  pending: { shipped: ['staff'], delivered: ['staff', 'customer'] },
  shipped: { delivered: ['staff', 'customer'] },
  delivered: {},
};

test('offers what the person may do, in the table’s order', () => {
  assert.deepEqual(nextStates(orders, 'pending', ['staff', 'customer']), ['shipped', 'delivered']);
  assert.deepEqual(nextStates(orders, 'pending', ['customer']), ['delivered']);
});

test('a status of a newer release leads nowhere here', () => {
  const newer = 'returned' as 'pending';
  assert.deepEqual(nextStates(orders, newer, ['staff']), []);
  assert.equal(isFinal(orders, newer), true);
  assert.equal(judgeTransition(orders, newer, 'shipped', ['staff']), 'impossible');
});

test('distinguishes impossible from forbidden', () => {
  assert.equal(judgeTransition(orders, 'delivered', 'shipped', ['staff']), 'impossible');
  assert.equal(judgeTransition(orders, 'pending', 'shipped', ['customer']), 'forbidden');
  assert.equal(judgeTransition(orders, 'pending', 'shipped', ['staff']), 'allowed');
});
