import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFinal, nextStates } from '@clinic/contracts';
import { appointmentTransitions } from './transitions.ts';

test('an appointment moves from Pending to Confirmed or Cancelled, and from Confirmed to Cancelled only', () => {
  assert.deepEqual(nextStates(appointmentTransitions, 'Pending', ['doctor']), ['Confirmed', 'Cancelled']);
  assert.deepEqual(nextStates(appointmentTransitions, 'Confirmed', ['patient']), ['Cancelled']);
  assert.equal(isFinal(appointmentTransitions, 'Cancelled'), true);
});
