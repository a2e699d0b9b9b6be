import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../stack/settings.ts';
import { oldestNode, warnedOf } from './engines.ts';

test('npm ci warns on the oldest supported Node about a library that requires a later one, and about no other', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; engines?: object }>;
  };
  const zod = lock.packages['node_modules/zod'];
  assert.ok(zod);
  zod.engines = { node: '>=22' };
  const warned = warnedOf(oldestNode(), JSON.stringify(lock));
  assert.deepEqual(warned, [`zod@${zod.version}`], 'npm run engines fixes the others');
});
