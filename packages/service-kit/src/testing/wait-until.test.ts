import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allOrFirstError } from './start-together.ts';
import { waitUntil } from './wait-until.ts';

test('once one part has failed, the others’ waits end with its error', async () => {
  const over = new AbortController();
  const parts = [
    waitUntil(() => false, 90_000, undefined, over.signal),
    Promise.reject<never>(new Error('the machine stopped')),
  ];
  await assert.rejects(allOrFirstError(parts, over), /^Error: the machine stopped$/);
  await assert.rejects(parts[0] ?? assert.fail(), /^Error: the machine stopped$/);
});
