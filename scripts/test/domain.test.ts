import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UserError } from '../log.ts';
import { foldersOf, testsOf } from './domain.ts';

test('a domain is its front-end and its service, or the one that it has', () => {
  assert.deepEqual(foldersOf('clinic'), ['mf-clinic', 'svc-clinic']);
  assert.deepEqual(foldersOf('public'), ['mf-public']);
  assert.throws(() => foldersOf('dental'), UserError);
});

test('its checks are its own tests and those of the contract, without a browser', () => {
  const tests = testsOf(foldersOf('pharmacy'));
  const folders = new Set(tests.map(({ path }) => path.split('/')[0]));
  assert.deepEqual(folders, new Set(['mf-pharmacy', 'packages', 'scripts', 'svc-pharmacy']));
  assert.ok(tests.some(({ path }) => path === 'scripts/release/changes.test.ts'));
  assert.ok(tests.every(({ runner }) => runner !== 'playwright'));
});
