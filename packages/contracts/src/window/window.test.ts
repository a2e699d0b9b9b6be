import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowFaults, windowOf } from './window.ts';

const until = '2027-06-30';

test('a window has the newest contract version, and the previous one while it has an adapter', () => {
  assert.deepEqual(windowOf(4), { newest: 4, oldest: 4 });
  assert.deepEqual(windowOf(4, { version: 3, until }), { newest: 4, oldest: 3 });
});

test('a raised version needs an adapter for the last release, until a date', () => {
  const faults = (
    newest: number,
    past: { version: number; until: string } | undefined,
    today = '2027-06-30',
  ): string[] => windowFaults('remotes', { newest, past, released: 3, today });
  assert.deepEqual(faults(3, undefined), []);
  assert.deepEqual(faults(4, { version: 3, until }), []);
  assert.deepEqual(faults(4, undefined), ['the contract for remotes is 4, and nothing adapts what was built for 3']);
  assert.deepEqual(faults(5, { version: 4, until }), [
    'the contract for remotes went from 3 to 5: raise it by one, once a release',
  ]);
  // One release later.
  assert.deepEqual(faults(3, { version: 2, until }), []);
  assert.deepEqual(faults(3, { version: 1, until }), ['the adapter for contract 1 of remotes should be for 2']);
  assert.deepEqual(faults(3, { version: 2, until }, '2027-07-01'), [
    'the adapter for contract 2 of remotes ended on 2027-06-30: delete it',
  ]);
});
