import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SegmentClaims } from './segment-claims.ts';

it('gives a segment to the first who claims it, and keeps it there', () => {
  const claims = new SegmentClaims();
  assert.deepEqual(claims.claim('gateway', ['mf']), []);
  assert.deepEqual(claims.claim('clinic', ['doctors', 'mf']), [{ owner: 'clinic', segment: 'mf', takenBy: 'gateway' }]);
  assert.deepEqual(claims.claim('billing', ['doctors', 'invoices']), [{ owner: 'billing', segment: 'doctors', takenBy: 'clinic' }]);
  assert.ok(claims.owns('clinic', 'doctors'));
  assert.ok(claims.owns('billing', 'invoices'));
  assert.equal(claims.ownerOf('nothing'), undefined);
});

it('gives what is given up to the next who wants it, and it stays there when the first wants it back', () => {
  const claims = new SegmentClaims();
  claims.claim('clinic', ['doctors']);
  claims.claim('billing', ['doctors']);
  claims.claim('clinic', []);
  assert.ok(claims.owns('billing', 'doctors'));
  assert.deepEqual(claims.claim('clinic', ['doctors']), [{ owner: 'clinic', segment: 'doctors', takenBy: 'billing' }]);
});

it('takes segments that differ in case for one', () => {
  const claims = new SegmentClaims();
  claims.claim('pages', ['medicinestore']);
  assert.deepEqual(claims.claim('pharmacy', ['medicineStore', 'medicine']), [{ owner: 'pharmacy', segment: 'medicineStore', takenBy: 'pages' }]);
  assert.ok(claims.owns('pharmacy', 'medicine'));
});

it('are shared out as they were elsewhere, while they are wanted', () => {
  const claims = new SegmentClaims();
  claims.claim('billing', ['invoices']);
  claims.claim('ledger', ['invoices', 'books']);
  claims.follow(new Map([['invoices', 'ledger'], ['books', 'gone']]));
  assert.equal(claims.ownerOf('invoices'), 'ledger');
  assert.equal(claims.ownerOf('books'), 'ledger');
  claims.claim('ledger', ['books']);
  assert.equal(claims.ownerOf('invoices'), 'billing');
});
