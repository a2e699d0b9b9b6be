import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { toProblem } from './error-mapping.ts';

/** The driver's error when it cuts off a request because the server no longer responds to its monitor. */
class PoolClearedOnNetworkError extends MongoNetworkError {
  override get name(): string {
    return 'MongoPoolClearedOnNetworkError';
  }
}

test('a database that is down, paused or full is unavailable, with a time to retry', () => {
  for (const error of [
    new PoolClearedOnNetworkError('Connection interrupted due to server monitor timeout'),
    new MongoServerError({ message: 'the embedded database could not write: database or disk is full', code: 14_031 }),
    Object.assign(new MongoServerError({ message: 'connection 1 closed' }), {
      errorResponse: new MongoNetworkError('connection 1 closed'),
    }),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  ]) {
    const problem = toProblem(error);
    assert.deepEqual([problem.code, problem.status, problem.extras.retryAfter], ['unavailable', 503, 2], error.message);
  }
});

test('an unexpected error is an internal error', () => {
  for (const error of [new Error('a defect'), new MongoServerError({ message: 'unknown operator', code: 2 })])
    assert.equal(toProblem(error).code, 'internal');
});
