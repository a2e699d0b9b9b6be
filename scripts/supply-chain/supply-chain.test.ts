import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllowed, notAllowed } from './licences.ts';
import { lockedPackages } from './lock-file.ts';

test('every package in use has a licence on the list', () => {
  assert.deepEqual(
    notAllowed(lockedPackages()).map(({ name, license }) => `${name}: ${license ?? 'none'}`),
    [],
  );
});

test('a licence expression is allowed if one of its alternatives is', () => {
  assert.ok(isAllowed('MIT') && isAllowed('(MIT OR GPL-3.0)') && isAllowed('Apache-2.0 AND MIT'));
  assert.ok(!isAllowed('GPL-3.0') && !isAllowed('MIT AND GPL-3.0') && !isAllowed('none') && !isAllowed('UNLICENSED'));
});

test('the lock file has the digest of every package, and no download address', () => {
  const packages = lockedPackages();
  assert.ok(packages.length > 500);
  assert.deepEqual(
    packages.filter(({ resolved }) => resolved !== undefined).map(({ name, resolved }) => `${name} from ${resolved}`),
    [],
  );
  // npm only records digests of what it has installed, not of packages for other platforms.
  assert.deepEqual(
    packages.filter(({ integrity, optional }) => integrity === undefined && !optional).map(({ name }) => name),
    [],
  );
  const weak = packages.filter(({ integrity }) => integrity !== undefined && !integrity.startsWith('sha512-'));
  assert.deepEqual(
    weak.map(({ name, integrity }) => `${name}: ${integrity}`),
    [],
  );
});
