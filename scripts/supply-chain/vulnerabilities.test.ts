import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAudit } from './vulnerabilities.ts';

test('an audit lists vulnerabilities, most severe first', () => {
  const vulnerabilities = {
    b: { severity: 'low', range: '<2', via: [] },
    a: { severity: 'low', range: '*' },
    z: { severity: 'critical', range: '1.x', fixAvailable: true },
  };
  assert.deepEqual(readAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: {} })), {
    kind: 'answered',
    weak: [
      { name: 'z', severity: 'critical', range: '1.x' },
      { name: 'a', severity: 'low', range: '*' },
      { name: 'b', severity: 'low', range: '<2' },
    ],
  });
  assert.deepEqual(readAudit('{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}'), {
    kind: 'answered',
    weak: [],
  });
});

test('a registry without audits is never treated as a clean result', () => {
  assert.deepEqual(readAudit('{"message":"405 Method Not Allowed","method":"POST","statusCode":405}'), {
    kind: 'unknown',
    reason: '405 Method Not Allowed',
  });
  assert.deepEqual(readAudit('{"error":{"code":"ENOTFOUND","summary":"request failed"}}'), {
    kind: 'unknown',
    reason: 'request failed',
  });
  for (const nonsense of ['', '{}', '[]', 'null', '<html>', '{"vulnerabilities":{"a":{}}}'])
    assert.equal(readAudit(nonsense).kind, 'unknown', nonsense);
});
