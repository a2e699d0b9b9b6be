import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { HistoryEntry, Session, User } from '@clinic/contracts';
import { startIdentityStack } from '../testing/identity-stack.ts';
import { confirmedPerson, refresh, verdict, type Person } from '../testing/people.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const stack = await startIdentityStack();
after(() => stack.close());

const change = (by: Person, email: string, json: object): Promise<Response> =>
  by.fetch(`/users/${email}`, { method: 'PATCH', json });
const history = async (person: Person): Promise<HistoryEntry[]> =>
  (await person.read<HistoryEntry[]>(`/users/${person.email}/history`)).filter(
    ({ action }) => action === 'profile changed',
  );

test('people change their own profile; the history has only the changed fields', async () => {
  const ann = await confirmedPerson(stack, 'ann@mail.example');
  const answer = await change(ann, ann.email, {
    firstName: ' Anna ',
    lastName: 'Lee',
    phone: '+880 1555 010101',
    address: '5 Lake Road',
  });
  assert.equal(answer.status, 200);
  const { firstName, lastName, phone, address, dateOfBirth } = (await answer.json()) as User;
  assert.deepEqual(
    { firstName, lastName, phone, address, dateOfBirth },
    { firstName: 'Anna', lastName: 'Lee', phone: '+880 1555 010101', address: '5 Lake Road', dateOfBirth: '' },
  );
  const [entry] = await history(ann);
  assert.deepEqual(
    [entry?.before, entry?.after],
    [
      { firstName: 'Ann', phone: '', address: '' },
      { firstName: 'Anna', phone: '+880 1555 010101', address: '5 Lake Road' },
    ],
  );
  // Lists find and sort them by the new name.
  const admin = await confirmedPerson(stack, 'ada@clinic.example', 'admin');
  const found = await admin.read<User[]>('/users?q=anna');
  assert.deepEqual(
    found.map(({ email }) => email),
    [ann.email],
  );
  assert.equal((await stack.user(ann.email)).sortName, 'anna lee');

  assert.equal((await change(ann, ann.email, { address: '' })).status, 200);
  assert.equal((await stack.user(ann.email)).address, undefined);
  // Unchanged values change nothing.
  assert.equal((await change(ann, ann.email, { address: '', phone: '+880 1555 010101' })).status, 200);
  assert.equal((await history(ann)).length, 2);
});

test('rejects invalid values and other people, and changes nothing', async () => {
  const person = await confirmedPerson(stack, 'person@mail.example');
  const stranger = await confirmedPerson(stack, 'stranger@mail.example');
  const admin = await confirmedPerson(stack, 'adam@clinic.example', 'admin');
  const before = await stack.user(person.email);
  for (const body of [
    {},
    { firstName: '' },
    { lastName: 'x'.repeat(201) },
    { phone: 'call me' },
    { dateOfBirth: '2026-02-30' },
    { dateOfBirth: '2999-12-31' },
    { address: 'a\u0007b' },
    { role: 'admin' },
  ]) {
    const answer = await verdict(change(person, person.email, body));
    assert.deepEqual(answer, [400, 'validation_failed'], JSON.stringify(body));
  }
  for (const other of [stranger, admin])
    assert.deepEqual(await verdict(change(other, person.email, { firstName: 'Mallory' })), [403, 'forbidden']);
  const smuggled = { firstName: 'Ann', role: 'admin', email: 'x@y.example', emailVerified: false };
  assert.equal((await change(person, person.email, smuggled)).status, 200);
  const { role, email, emailVerified } = await stack.user(person.email);
  assert.deepEqual({ ...before, role, email, emailVerified }, before);
});

test('a requested profile is complete with name and phone, and survives a late registration', async () => {
  const person = await confirmedPerson(stack, 'asked@mail.example');
  await stack.users.updateOne(
    { email: person.email },
    { $set: { firstName: '', lastName: '', phone: '', profileNeeded: true, registered: false } },
  );
  const needed = async (): Promise<boolean | undefined> =>
    ((await (await refresh(person)).json()) as Session).user.profileNeeded;
  await change(person, person.email, { firstName: 'Ann' });
  assert.equal(await needed(), true);
  await change(person, person.email, { phone: '12345' });
  assert.equal(await needed(), undefined);
  assert.equal((await person.register(person.email, { firstName: 'Late' })).status, 200);
  const { firstName, phone } = await stack.user(person.email);
  assert.deepEqual([firstName, phone], ['Ann', '12345']);
});

test('concurrent changes all take effect, each with its own history entry', async () => {
  const person = await confirmedPerson(stack, 'race@mail.example');
  const bodies = [
    { firstName: 'Anna' },
    { lastName: 'Lake' },
    { phone: '12345' },
    { dateOfBirth: '1990-02-03' },
    { address: '5 Lake Road' },
  ];
  const answers = await Promise.all(bodies.map((body) => change(person, person.email, body)));
  assert.deepEqual(statusesOf(answers), [200, 200, 200, 200, 200]);
  const { firstName, lastName, phone, dateOfBirth, address, sortName } = await stack.user(person.email);
  assert.deepEqual(
    [firstName, lastName, phone, dateOfBirth, address, sortName],
    ['Anna', 'Lake', '12345', '1990-02-03', '5 Lake Road', 'anna lake'],
  );
  assert.equal((await history(person)).length, 5);
});

test('a switched-off account can’t change its profile', async () => {
  const person = await confirmedPerson(stack, 'off@mail.example');
  // The token remains valid for a moment on a replica that hasn't been notified yet.
  await stack.users.updateOne({ email: person.email }, { $set: { disabled: true } });
  assert.deepEqual(await verdict(change(person, person.email, { firstName: 'Still' })), [403, 'account_disabled']);
  assert.equal((await stack.user(person.email)).firstName, 'Ann');
});
