import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loggedAddresses, segmentsOfPaths } from './logged-address.ts';

const known = new Set(segmentsOfPaths(['/users', '/users/:email/history', '/doctors/:id/free-times', '/files/*path']));
const logged = loggedAddresses((segment) => known.has(segment), ['ward']);
const id = '0123456789abcdef01234567';

describe('a logged address', () => {
  it('keeps known paths, ids, and values that can only be a number, a day or a fixed word', () => {
    for (const address of [
      '/',
      '/users',
      '/users/',
      `/doctors/${id}/free-times?date=2026-12-01`,
      '/users?limit=20&role=admin&sort=-name',
      '/users?status=in%20stock&from=2026-01-01&until=2026-12-01T09:30:00Z',
      `/users?_id=${id}`,
    ])
      assert.equal(logged(address), address);
  });

  it('keeps names of known parameters, without search terms', () => {
    assert.equal(
      logged('/users?q=Ann+Lee&email=ann@mail.example&limit=5'),
      '/users?q=[redacted]&email=[redacted]&limit=5',
    );
    assert.equal(logged('/users?ward=Ann&q'), '/users?ward=[redacted]&q');
  });

  it('redacts everything unknown', () => {
    assert.equal(logged('/users/ann%40mail.example/history'), '/users/[redacted]/history');
    assert.equal(logged('/users/Ann%20Lee'), '/users/[redacted]');
    assert.equal(logged('/no/such/Ann-Lee'), '/[redacted]/[redacted]/[redacted]');
    assert.equal(logged('/users?token=abc&password=Demo-1234&limit=5'), '/users?limit=5&[unknown]');
    assert.equal(logged('/users?ann@mail.example'), '/users?[unknown]');
    assert.equal(logged('/users?__proto__=1&constructor=2'), '/users?[unknown]');
  });

  it('redacts other text in place of a number, a day or a fixed word', () => {
    assert.equal(
      logged('/users?limit=Ann&date=Ann&status=Ann&role=Ann&sort=Ann&_id=Ann&limit=8801555010000'),
      '/users?limit=[redacted]&date=[redacted]&status=[redacted]&role=[redacted]&sort=[redacted]&_id=[redacted]&limit=[redacted]',
    );
  });

  it('stays short for long addresses', () => {
    assert.ok(logged(`/${'users/'.repeat(5000)}?${'limit=1&'.repeat(5000)}`).length < 250);
  });
});
