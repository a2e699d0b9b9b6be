import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SegmentClaims } from './segment-claims.ts';

it('assigns a segment to its first claimant, and keeps it there', () => {
  const claims = new SegmentClaims();
  assert.deepEqual(claims.claim('gateway', ['mf']), []);
  assert.deepEqual(claims.claim('clinic', ['doctors', 'mf']), [{ segment: 'mf', takenBy: 'gateway' }]);
  assert.deepEqual(claims.claim('billing', ['doctors', 'invoices']), [{ segment: 'doctors', takenBy: 'clinic' }]);
  assert.ok(claims.owns('clinic', 'doctors'));
  assert.ok(claims.owns('billing', 'invoices'));
  assert.equal(claims.ownerOf('nothing'), undefined);
});

it('assigns a released segment to the next claimant, which keeps it when the first claims it again', () => {
  const claims = new SegmentClaims();
  claims.claim('clinic', ['doctors']);
  claims.claim('billing', ['doctors']);
  claims.claim('clinic', []);
  assert.ok(claims.owns('billing', 'doctors'));
  assert.deepEqual(claims.claim('clinic', ['doctors']), [{ segment: 'doctors', takenBy: 'billing' }]);
});

it('treats segments that differ only in case as the same', () => {
  const claims = new SegmentClaims();
  claims.claim('pages', ['medicinestore']);
  assert.deepEqual(claims.claim('pharmacy', ['medicineStore', 'medicine']), [
    { segment: 'medicineStore', takenBy: 'pages' },
  ]);
  assert.ok(claims.owns('pharmacy', 'medicine'));
});
