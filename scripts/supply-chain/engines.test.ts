import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';
import { oldestNode, warnedOf } from './engines.ts';

const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');

test('npm ci has no warnings on the oldest supported Node', () => {
  assert.deepEqual(warnedOf(oldestNode(), lock), [], 'npm run engines fixes it');
});

test('npm reports which library requires a later Node', () => {
  const packages = JSON.parse(lock) as { packages: Record<string, { version: string; engines?: object }> };
  const zod = packages.packages['node_modules/zod'];
  assert.ok(zod);
  zod.engines = { node: '>=22' };
  assert.deepEqual(warnedOf(oldestNode(), JSON.stringify(packages)), [`zod@${zod.version}`]);
});
