import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoServerError } from 'mongodb';
import { loggedError } from './logged-error.ts';

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

test('keeps what a defect is and where', () => {
  const { type, message, stack } = loggedError(thrownBy(() => (undefined as unknown as { readonly name: string }).name));
  assert.deepEqual([type, message], ['TypeError', "Cannot read properties of undefined (reading 'name')"]);
  assert.match(stack?.[0] ?? '', /logged-error\.test\.ts:\d+:\d+\)?$/);
});

test('keeps no key or document of the database', () => {
  const error = new MongoServerError({ message: 'E11000 duplicate key error dup key: { email: "ann@mail.example" }', code: 11000, keyValue: { email: 'ann@mail.example' }, writeErrors: [{ op: { name: 'Ann Lee' } }] });
  const logged = loggedError(new Error('the user could not be saved', { cause: error }));
  assert.equal(logged.message, 'the user could not be saved');
  assert.deepEqual([logged.cause?.type, logged.cause?.code, logged.cause?.message], ['MongoServerError', 11000, undefined]);
  assert.doesNotMatch(JSON.stringify(logged), /ann@|Ann Lee|dup key/);
});

test('keeps no text that could not be parsed', () => {
  const logged = loggedError(thrownBy(() => JSON.parse('Ann Lee')));
  assert.equal(logged.type, 'SyntaxError');
  assert.ok(logged.stack && logged.stack.length > 0);
  assert.doesNotMatch(JSON.stringify(logged), /Ann Lee/);
});

test('keeps nothing of what is no error', () => {
  assert.deepEqual(loggedError('Ann Lee'), { type: 'string' });
});
