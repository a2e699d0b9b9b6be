import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shared } from './resolve.ts';

const found = [{ address: '192.0.2.1', family: 4 }];

test('looks a name up once at a time, and again afterwards', async () => {
  const asked: string[] = [];
  const waiting = Promise.withResolvers<void>();
  const lookUp = shared(async (host) => {
    asked.push(host);
    await waiting.promise;
    return found;
  });
  const answers = [lookUp('slow'), lookUp('slow'), lookUp('other')];
  assert.deepEqual(asked, ['slow', 'other']);
  waiting.resolve();
  assert.deepEqual(await Promise.all(answers), [found, found, found]);
  assert.deepEqual(await lookUp('slow'), found);
  assert.deepEqual(asked, ['slow', 'other', 'slow']);
});

test('gives the error to all waiting callers, then looks the name up again', async () => {
  let failing = true;
  const lookUp = shared(() => (failing ? Promise.reject(new Error('unknown')) : Promise.resolve(found)));
  const answers = [lookUp('host'), lookUp('host')];
  for (const answer of answers) await assert.rejects(answer, /unknown/);
  failing = false;
  assert.deepEqual(await lookUp('host'), found);
});
