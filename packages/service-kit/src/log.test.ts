import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactUrl } from './log.ts';

test('keeps people out of logged addresses', () => {
  assert.equal(redactUrl('/appoinments?email=ann@clinic.example&limit=5'), '/appoinments?email=[redacted]&limit=5');
  assert.equal(redactUrl('/users/ann%40clinic.example'), '/users/[redacted]');
  assert.equal(redactUrl('/users?limit=5&q=Ann+Lee&role=admin'), '/users?limit=5&q=[redacted]&role=admin');
  assert.equal(redactUrl('/doctors?limit=5'), '/doctors?limit=5');
});
