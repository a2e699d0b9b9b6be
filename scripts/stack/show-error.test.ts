import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorIn } from './show-error.ts';

test('an error shows its message, request and stack; other log lines show nothing', () => {
  const line = {
    level: 50,
    msg: 'request failed',
    requestId: 'r-1',
    err: { message: 'boom', stack: 'Error: boom\n    at x.ts:1' },
  };
  assert.equal(errorIn(JSON.stringify(line)), 'request failed (request r-1)\nError: boom\n    at x.ts:1');
  assert.equal(errorIn(JSON.stringify({ level: 50, msg: 'feed given up' })), 'feed given up');
  assert.equal(errorIn(JSON.stringify({ level: 'error', msg: 'feed given up' })), 'feed given up');
  assert.equal(errorIn(JSON.stringify({ level: 40, msg: 'slow' })), undefined);
  assert.equal(errorIn(JSON.stringify({ level: 'warn', msg: 'slow' })), undefined);
  assert.equal(errorIn(''), undefined);
});

test('what Node prints when a program crashes is shown as it is', () => {
  assert.equal(errorIn('SyntaxError: Unexpected token'), 'SyntaxError: Unexpected token');
  assert.equal(errorIn('{ not json'), '{ not json');
});
