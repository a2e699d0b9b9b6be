import assert from 'node:assert/strict';
import test from 'node:test';
import { availabilityOf } from './availability.ts';

const nextFree = { date: '2026-12-01', time: '09:30' };
const availableTimes = ['09:30'];

test('a doctor who takes appointments but has no time left is fully booked, not available', () => {
  assert.equal(availabilityOf({ isAvailable: true, availableTimes, nextFree }), 'Available');
  assert.equal(availabilityOf({ isAvailable: true, availableTimes, nextFree: null }), 'Fully booked');
  assert.equal(availabilityOf({ isAvailable: true, availableTimes: [], nextFree: null }), 'Available');
  assert.equal(availabilityOf({ isAvailable: false, availableTimes, nextFree }), 'Not available');
});
