import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { isProblem } from '@clinic/contracts';
import { identityCalls } from './contract/calls.ts';
import { startIdentityStack } from './testing/identity-stack.ts';

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await stack.login('admin@clinic.example', 'admin');

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '$where',
    '__proto__',
    'constructor',
    '../..',
    '%00',
    '\0',
    '(((((',
    '[',
    '\\',
    '^$.*',
    '{"$gt":""}',
    'a'.repeat(24),
    'admin@clinic.example',
    '\ud800',
    '-1',
    '1e999',
    'NaN',
  ),
);
const fields = fc.constantFrom(
  'email',
  'firstName',
  'lastName',
  'phone',
  'dateOfBirth',
  'newRole',
  'role',
  '__proto__',
  '$set',
  'password',
);
const body = fc.oneof(
  fc.dictionary(fields, fc.oneof(nasty, fc.jsonValue({ maxDepth: 3 }))),
  fc.jsonValue({ maxDepth: 4 }),
);
const query = fc.dictionary(fc.constantFrom('q', 'role', 'limit', 'cursor', 'sort', 'q[$ne]', '__proto__'), nasty);

// These two would end the test's session.
const calls = Object.entries(identityCalls).filter(([id]) => id !== 'endSession' && id !== 'endSessions');

test(
  'responds to any input, to malformed requests with a problem, and never breaks',
  { timeout: 120_000 },
  async () => {
    const users = await stack.users.countDocuments();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...calls), nasty, query, body, async ([, route], param, search, json) => {
        const path = route.path.replace(/:\w+/, () => encodeURIComponent(param.toWellFormed()) || 'x');
        const parameters = new URLSearchParams(Object.entries(search)).toString();
        const answer = await admin.fetch(`${path}?${parameters}`, {
          method: route.method,
          ...(route.method !== 'GET' && { json }),
        });
        assert.ok(answer.status < 500, `${route.method} ${path}?${parameters} answered ${answer.status}`);
        if (answer.status >= 400) assert.ok(isProblem(await answer.json()));
      }),
      { numRuns: 400 },
    );
    assert.equal(await stack.users.countDocuments(), users);
    assert.equal((await admin.fetch('/jwt/session')).status, 200);
  },
);
