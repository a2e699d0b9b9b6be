import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { publicationOf } from '@clinic/contracts/publication';
import { clinicCalls } from '@clinic/svc-clinic/contract';
import { CallPlans, planOf } from './call-plan.ts';

describe('call plans', () => {
  const plans = new CallPlans([
    { id: 'watch', method: 'GET', path: '/bills/changes', stream: true },
    { id: 'list', method: 'GET', path: '/bills', timeoutSeconds: 20 },
    { id: 'read', method: 'GET', path: '/bills/:id', timeoutSeconds: 3 },
    { id: 'file', method: 'GET', path: '/bills/:id/files/*name', safe: false },
    { id: 'pay', method: 'POST', path: '/bills/:id/pay{ments}', timeoutSeconds: 40, maxBodyBytes: 10 },
    { id: 'add', method: 'POST', path: '/bills' },
  ]);
  const find = (method: string, path: string) => plans.find(method, path);

  it('prefer an exact path to one with parameters', () => {
    assert.equal(find('GET', '/bills/changes').stream, true);
    assert.equal(find('GET', '/bills/changes/').stream, true);
    assert.equal(find('GET', '/bills').answerWithinMs, 20_000);
    assert.equal(find('GET', '/bills/7').answerWithinMs, 3_000);
    assert.equal(find('GET', '/bills/7/files/a/b.pdf').safe, false);
    for (const path of ['/bills/7/pay', '/bills/7/payments'])
      assert.deepEqual([find('POST', path).answerWithinMs, find('POST', path).maxBodyBytes], [40_000, 10]);
  });

  it('treat HEAD like GET, but as no stream', () => {
    assert.equal(find('HEAD', '/bills/7').answerWithinMs, 3_000);
    assert.equal(find('HEAD', '/bills/changes').stream, false);
  });

  it('use the default for all other calls, and retry only safe methods', () => {
    assert.deepEqual(find('POST', '/bills'), planOf('POST'));
    assert.deepEqual(find('GET', '/bills/7/unknown'), planOf('GET'));
    assert.deepEqual(find('DELETE', '/bills/changes'), planOf('DELETE'));
    assert.deepEqual(
      ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => planOf(method).safe),
      [true, true, true, false, false, false, false],
    );
  });
});

it('comes from the contracts for our own services', () => {
  const clinic = publicationOf('clinic', '1', Object.entries(clinicCalls));
  assert.ok(clinic.segments.includes('appoinments'));
  const plans = new CallPlans(clinic.calls);
  assert.equal(plans.find('GET', '/appoinments/changes').stream, true);
});
