import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erasedEmail, hasNoEmail, idOfNoEmail, isErasedEmail, noEmail } from './erased-person.ts';

test('a deleted person has one address in all services, which is recognised as such', () => {
  const email = erasedEmail('64F1A2B3C4D5E6F7A8B9C0D1');
  assert.equal(email, 'deleted-64f1a2b3c4d5e6f7a8b9c0d1@deleted.invalid');
  assert.equal(isErasedEmail(email.toUpperCase()), true);
  assert.equal(isErasedEmail('deleted-me@deleted.invalid'), false);
  assert.equal(isErasedEmail('deleted-64f1a2b3c4d5e6f7a8b9c0d1@mail.example'), false);
});

test('a patient without an email address has one that tells the id, and is nobody’s', () => {
  const id = '64f1a2b3c4d5e6f7a8b9c0d1';
  const email = noEmail(id.toUpperCase());
  assert.deepEqual([hasNoEmail(email), isErasedEmail(email), idOfNoEmail(email)], [true, false, id]);
  for (const other of [
    erasedEmail(id),
    `patient-${id}@mail.example`,
    `patient-${id}x@no-email.invalid`,
    `${id}@no-email.invalid`,
  ])
    assert.equal(idOfNoEmail(other), undefined, other);
});
