import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionCalls } from '@clinic/contracts/session/calls';
import { specialties } from '@clinic/svc-clinic/contract/limits';
import { demoAccounts, demoDoctors, demoPharmacists, demoUsers } from './index.ts';

test('every demo user is valid for registration and has an email address of their own', () => {
  for (const user of demoUsers)
    assert.deepEqual(sessionCalls.registerUser.body.safeParse(user).error?.issues, undefined);
  assert.equal(new Set(demoUsers.map((user) => user.email)).size, demoUsers.length);
});

test('each demo account has the role it is named after', () => {
  const roleOf = new Map(demoUsers.map((user) => [user.email, user.role]));
  for (const [role, email] of Object.entries(demoAccounts)) assert.equal(roleOf.get(email), role);
});

test('three doctors for each of the six specialties, some unavailable, one without listed times', () => {
  const perSpecialty = Object.fromEntries(
    specialties.map((s) => [s, demoDoctors.filter((doctor) => doctor.specialty === s).length]),
  );
  assert.deepEqual(perSpecialty, Object.fromEntries(specialties.map((s) => [s, 3])));
  assert.equal(demoDoctors.filter((doctor) => !doctor.isAvailable).length, 2);
  assert.equal(demoDoctors.filter((doctor) => doctor.availableTimes.length === 0).length, 1);
  assert.equal(demoPharmacists.length, 5);
});
