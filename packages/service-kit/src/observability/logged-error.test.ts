import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { loggedError, reasonOf } from './logged-error.ts';

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

test('keeps the kind and place of a defect', () => {
  const { type, message, stack } = loggedError(
    thrownBy(() => (undefined as unknown as { readonly name: string }).name),
  );
  assert.deepEqual([type, message], ['TypeError', "Cannot read properties of undefined (reading 'name')"]);
  assert.match(stack?.[0] ?? '', /logged-error\.test\.ts:\d+:\d+\)?$/);
});

test('drops the database’s keys and documents', () => {
  const error = new MongoServerError({
    message: 'E11000 duplicate key error dup key: { email: "ann@mail.example" }',
    code: 11000,
    keyValue: { email: 'ann@mail.example' },
    writeErrors: [{ op: { name: 'Ann Lee' } }],
  });
  const logged = loggedError(new Error('the user could not be saved', { cause: error }));
  assert.equal(logged.message, 'the user could not be saved');
  assert.deepEqual(
    [logged.cause?.type, logged.cause?.code, logged.cause?.message],
    ['MongoServerError', 11000, undefined],
  );
  assert.doesNotMatch(JSON.stringify(logged), /ann@|Ann Lee|dup key/);
});

test('a reason in one line names what was down, and quotes nobody', () => {
  const quoting = new MongoServerError({ message: 'E11000 dup key: { email: "ann@mail.example" }', code: 11000 });
  const parsing = thrownBy(() => JSON.parse('ann@mail.example'));
  const reasons: [unknown, string][] = [
    [new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }), 'fetch failed: connect ECONNREFUSED'],
    [new MongoNetworkError('connection 1 closed'), 'connection 1 closed'],
    [new DOMException('The operation timed out', 'TimeoutError'), 'The operation timed out'],
    [quoting, 'MongoServerError 11000'],
    [new Error('not saved', { cause: quoting }), 'not saved: MongoServerError 11000'],
    [parsing, 'SyntaxError'],
    ['ann@mail.example', 'string'],
  ];
  for (const [error, reason] of reasons) assert.equal(reasonOf(error), reason);
});

test('drops text that failed to parse', () => {
  const logged = loggedError(thrownBy(() => JSON.parse('Ann Lee')));
  assert.equal(logged.type, 'SyntaxError');
  assert.ok(logged.stack && logged.stack.length > 0);
  assert.doesNotMatch(JSON.stringify(logged), /Ann Lee/);
});

test('drops thrown values that aren’t errors', () => {
  assert.deepEqual(loggedError('Ann Lee'), { type: 'string' });
});
