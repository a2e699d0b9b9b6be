import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideAccess, isOwner, type Caller, type RestrictedAccess } from './access.ts';

const byAdminOrOwn: RestrictedAccess = { kind: 'restricted', roles: ['admin'], self: { in: 'query', field: 'email' } };
const byDoctorThemselves: RestrictedAccess = {
  kind: 'restricted',
  roles: ['admin'],
  self: { in: 'query', field: 'email', role: 'doctor' },
};
const byOwners: RestrictedAccess = {
  kind: 'restricted',
  roles: ['admin'],
  owners: [{ as: 'patient' }, { as: 'doctor', role: 'doctor' }],
};
const byThemselves: RestrictedAccess = { kind: 'restricted', roles: [], self: { in: 'body', field: 'customeremail' } };

const caller = (role: Caller['role'], { email = 'amina@mail.example', confirmed = true } = {}): Caller => ({
  id: 'amina',
  role,
  email,
  confirmed,
});

test('a role listed in the rule is allowed whatever the request contains', () => {
  assert.equal(decideAccess(byAdminOrOwn, caller('admin'), { query: {} }), 'allowed');
});

test('naming your own email address is allowed, in any case of letters', () => {
  const rule = byAdminOrOwn;
  assert.equal(decideAccess(rule, caller('patient'), { query: { email: 'Amina@Mail.Example' } }), 'allowed');
  assert.equal(decideAccess(rule, caller('patient'), { query: { email: 'other@mail.example' } }), 'forbidden');
  assert.equal(decideAccess(rule, caller('patient'), { query: {} }), 'forbidden');
});

test('only the doctor reads the doctor’s unconfirmed appointments', () => {
  const rule = byDoctorThemselves;
  assert.equal(decideAccess(rule, caller('doctor'), { query: { email: 'amina@mail.example' } }), 'allowed');
  assert.equal(decideAccess(rule, caller('patient'), { query: { email: 'amina@mail.example' } }), 'forbidden');
});

test('the owners of a record may make a call on it', () => {
  const rule = byOwners;
  assert.equal(decideAccess(rule, caller('patient'), { params: { id: 'x' } }), 'owners');
  assert.equal(isOwner(rule, caller('patient'), { patient: 'amina', doctor: 'd' }), true);
  assert.equal(isOwner(rule, caller('patient'), { patient: 'x', doctor: 'd' }), false);
  assert.equal(isOwner(rule, caller('patient'), { patient: undefined, doctor: undefined }), false);
});

test('a record of a doctor’s account is theirs only while they are a doctor', () => {
  const rule = byOwners;
  const ownership = { patient: 'x', doctor: 'amina' };
  assert.equal(isOwner(rule, caller('doctor'), ownership), true);
  assert.equal(isOwner(rule, caller('patient'), ownership), false);
  assert.equal(isOwner(rule, caller('doctor', { confirmed: false }), ownership), false);
});

test('an unconfirmed account has no rights over others, whatever its role', () => {
  const unconfirmed = { confirmed: false };
  assert.equal(decideAccess(byAdminOrOwn, caller('admin', unconfirmed), { query: {} }), 'forbidden');
  assert.equal(
    decideAccess(byDoctorThemselves, caller('doctor', unconfirmed), {
      query: { email: 'amina@mail.example' },
    }),
    'forbidden',
  );
  assert.equal(
    decideAccess(byAdminOrOwn, caller('patient', unconfirmed), {
      query: { email: 'amina@mail.example' },
    }),
    'allowed',
  );
});

test('a right lets its holder in whatever their role, while their address is confirmed', () => {
  const rule: RestrictedAccess = { ...byOwners, rights: ['reception'] };
  const holder = { ...caller('patient'), rights: ['stock', 'reception'] };
  assert.equal(decideAccess(rule, holder, {}), 'allowed');
  assert.equal(decideAccess(rule, { ...holder, confirmed: false }, {}), 'owners');
  assert.equal(decideAccess(rule, { ...holder, rights: ['stock', 'a newer one'] }, {}), 'owners');
  assert.equal(decideAccess({ ...byAdminOrOwn }, holder, { query: {} }), 'forbidden');
});

test('a rule without roles lets nobody act for anyone else', () => {
  assert.equal(decideAccess(byThemselves, caller('admin'), { body: { customeremail: 'x@mail.example' } }), 'forbidden');
});
