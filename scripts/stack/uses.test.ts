import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildReads, programsRunning, sources } from './uses.ts';

test('a changed folder restarts every program that runs its code, directly or through a package', () => {
  assert.deepEqual(programsRunning(['svc-clinic']), ['svc-clinic']);
  assert.deepEqual(programsRunning(['stand-ins/demo-data']), ['svc-identity', 'svc-clinic', 'svc-pharmacy']);
  assert.deepEqual(programsRunning(['packages/service-kit']), [
    'svc-identity',
    'svc-clinic',
    'svc-messages',
    'svc-pharmacy',
    'gateway',
  ]);
  assert.deepEqual(programsRunning(['stand-ins/mongo-embedded']), ['mongo']);
  assert.ok(programsRunning(['packages/contracts']).includes('auth-emulator'));
  const graceful = programsRunning(['packages/graceful-server']);
  assert.ok(graceful.includes('shell') && graceful.includes('svc-clinic') && !graceful.includes('mongo'));
  assert.deepEqual(programsRunning(['mf-clinic', 'packages/ui']), []);
});

test('a build reads the front-ends and their packages', () => {
  for (const folder of [
    'shell',
    'mf-clinic',
    'packages/ui',
    'packages/app-kit',
    'packages/webpack-config',
    'stand-ins/demo-data',
  ])
    assert.ok(buildReads.has(folder) && sources.has(folder), folder);
  // mf-messages reads the contract of its service, and all that the contract imports.
  assert.ok(!buildReads.has('gateway'));
});
