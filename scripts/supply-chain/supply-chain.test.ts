import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed, notAllowed } from './licences.ts';
import { lockedPackages } from './lock-file.ts';

test('every package in use is under a licence of the list', () => {
  assert.deepEqual(notAllowed(lockedPackages()).map(({ name, license }) => `${name}: ${license ?? 'none'}`), []);
});

test('an expression is allowed when one way to read it is', () => {
  assert.ok(isAllowed('MIT') && isAllowed('(MIT OR GPL-3.0)') && isAllowed('Apache-2.0 AND MIT'));
  assert.ok(!isAllowed('GPL-3.0') && !isAllowed('MIT AND GPL-3.0') && !isAllowed('none') && !isAllowed('UNLICENSED'));
});

test('the lock file names every package by its content, and no place to load it from', () => {
  const packages = lockedPackages();
  assert.ok(packages.length > 500);
  assert.deepEqual(packages.filter(({ resolved }) => resolved !== undefined).map(({ name, resolved }) => `${name} from ${resolved}`), []);
  // npm writes down the content of what it has installed: not of what is for other systems than the one it ran on.
  assert.deepEqual(packages.filter(({ integrity, optional }) => integrity === undefined && !optional).map(({ name }) => name), []);
  const weak = packages.filter(({ integrity }) => integrity !== undefined && !integrity.startsWith('sha512-'));
  assert.deepEqual(weak.map(({ name, integrity }) => `${name}: ${integrity}`), []);
});
