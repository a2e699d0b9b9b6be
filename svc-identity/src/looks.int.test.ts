import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Look } from '@clinic/contracts';
import { looksWritten, type ExportedThing } from '@clinic/service-kit';
import { startIdentityStack } from './testing/identity-stack.ts';
import { confirmedPerson, verdict, type Person } from './testing/people.ts';

const stack = await startIdentityStack();
after(() => stack.close());
const admin = await confirmedPerson(stack, 'ada@clinic.example', 'admin');

async function looksAt(person: Person, reader: Person): Promise<string[]> {
  await looksWritten(stack.replica.context.db);
  const answer = await reader.fetch(`/users/${person.email}/looks`);
  assert.equal(answer.status, 200);
  return ((await answer.json()) as Look[])
    .map(({ by, how, what }) => `${by.email ?? by.role} ${how} ${what}`)
    .toSorted();
}
const read = async (path: string): Promise<void> => {
  const answer = await admin.fetch(path);
  assert.equal(answer.status, 200, path);
  await answer.text();
};

test('records an admin who opens, searches or exports an account, but not the person themselves or a whole list', async () => {
  const ann = await confirmedPerson(stack, 'ann@mail.example');
  await ann.fetch(`/users/${ann.email}`);
  await ann.fetch(`/users/${ann.email}/history`);
  await ann.fetch(`/users/${ann.email}/export`);
  await read('/users?limit=20');
  assert.deepEqual(await looksAt(ann, admin), []);
  await read(`/users/${ann.email}/history`);
  assert.deepEqual(await looksAt(ann, admin), ['ada@clinic.example opened account']);
  await read(`/users/${ann.email}/export`);
  assert.deepEqual(await looksAt(ann, admin), ['ada@clinic.example exported account']);
  assert.deepEqual(await looksAt(ann, ann), ['admin exported account']);
});

test('a search records everybody it found', async () => {
  const [ben, bea] = [
    await confirmedPerson(stack, 'ben.search@mail.example'),
    await confirmedPerson(stack, 'bea.search@mail.example'),
  ];
  await read('/users?q=search&limit=20');
  for (const person of [ben, bea])
    assert.deepEqual(await looksAt(person, admin), ['ada@clinic.example searched account']);
  assert.deepEqual(await verdict(ben.fetch(`/users/${bea.email}/looks`)), [403, 'forbidden']);
  const copy = await ben.read<ExportedThing[]>(`/users/${ben.email}/export`);
  assert.deepEqual(
    copy.filter(({ kind }) => kind === 'look').map(({ data }) => data['by']),
    ['admin'],
  );
});
