import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { searchFilter } from '@clinic/service-kit';
import { applySchemaChanges } from '@clinic/service-kit';
import { MongoClient } from 'mongodb';
import { startTestDatabase } from '@clinic/service-kit/testing';
import { schemaChanges } from './schema-changes.ts';
import { userRecord } from './testing/people.ts';
import { userConditions } from './users/list-users.ts';
import { usersOf } from './users/user-record.ts';

const names = [
  ['Jos\u00e9', '\u0130stanbul'],
  ['Jose\u0301', 'Weiß'],
  ['জ\u09dfা', 'রহমান'],
  ['জ\u09af\u09bcা', 'রহমান'],
  ['Anne-Marie', 'O’Brien Núñez'],
] as const;
const asked: readonly (readonly [q: string, found: readonly number[]])[] = [
  ['JOS\u00c9', [0, 1]],
  ['jose\u0301', [0, 1]],
  ['istanbul', [0]],
  ['\u0130STANBUL jos\u00e9', [0]],
  ['weiss', [1]],
  ['WEI\u1e9e', [1]],
  ['জ\u09dfা', [2, 3]],
  ['জ\u09af\u09bcা র', [2, 3]],
  ['nunez', [4]],
  ["o'brien", [4]],
  ['O\u2011BRIEN anne', [4]],
  ['obrien', [4]],
  ['marie', [4]],
  ['user-4@', [4]],
  ['+880 (1555) 010101', [0, 1, 2, 3, 4]],
  ['01555010101', [0, 1, 2, 3, 4]],
  ['01555-010', [0, 1, 2, 3, 4]],
  ['00880 1555 010101', [0, 1, 2, 3, 4]],
  ['1555010101', [0, 1, 2, 3, 4]],
  ['০১৫৫৫ ০১০', [0, 1, 2, 3, 4]],
  ['+٨٨٠١٥٥٥', [0, 1, 2, 3, 4]],
  ['01556', []],
  ['USER2@', [2]],
  ['eis', [1]],
  ['w', [1]],
  ['W', [1]],
  ['ñ', [0, 4]],
  ['র', [2, 3]],
  ['x', []],
  ['OS\u00c9', [0, 1]],
  ['os\u00e9 anbu', [0]],
  ['\u09bc', [2, 3]],
  ['ser2@', []],
  ['\u0130stanbul'.repeat(4), []],
  ['---', []],
  ['+()', []],
  ['...', []],
  ['--', []],
  ['\u200b', []],
  ['.*', []],
  ['', [0, 1, 2, 3, 4]],
];

const database = await startTestDatabase();
const client = await MongoClient.connect(database.uri);
after(async () => {
  await client.close();
  await database.close();
});
const db = client.db(database.newName('identity'));
const users = usersOf({ db });
await users.insertMany(
  names.map(([firstName, lastName], at) =>
    userRecord(`user${at === 4 ? '-' : ''}${at}@mail.example`, { firstName, lastName }),
  ),
);

async function assertFound(): Promise<void> {
  for (const [q, numbers] of asked) {
    for (const role of [undefined, 'patient'] as const) {
      const found = await users
        .find(searchFilter([userConditions({ q, role })]))
        .sort({ _id: 1 })
        .toArray();
      assert.deepEqual(
        found.map(({ email }) => Number(/\d/.exec(email)?.[0])),
        numbers,
        q,
      );
    }
  }
}

test('finds users however their names are typed, and nobody for a search without a letter or digit', assertFound);

test('finds users of the previous release, too, after the schema change', async () => {
  for await (const { _id, firstName, lastName, email } of users.find()) {
    const sortName = `${firstName} ${lastName}`.toLowerCase();
    await users.updateOne(
      { _id },
      {
        $unset: { phoneE164: 1, letters: 1 },
        $set: { sortName, words: [...sortName.split(' '), email, '8801555010101'] },
      },
    );
  }
  assert.equal(await users.countDocuments(searchFilter([userConditions({ q: 'weiss' })])), 0);
  const log = { info: () => undefined } as never;
  await applySchemaChanges(
    {
      db,
      client,
      log,
      settings: { CLINIC_COUNTRY: 'BD' } as never,
      stopping: new AbortController().signal,
      inTransaction: (work) => client.withSession((session) => session.withTransaction(() => work(session))),
    },
    schemaChanges,
  );
  await assertFound();
});

test('finds users by their date of birth, with the year or the day first', async () => {
  await users.insertOne(userRecord('born@mail.example', { lastName: 'Born', dateOfBirth: '1931-04-09' }));
  for (const q of ['1931-04-09', '1931-4-9', '9/4/1931', '09.04.1931', ' 9-4-1931 ', '৯/৪/১৯৩১'])
    assert.deepEqual(
      (await users.find(searchFilter([userConditions({ q })])).toArray()).map(({ email }) => email),
      ['born@mail.example'],
      q,
    );
  assert.equal(await users.findOne(searchFilter([userConditions({ q: '4/9/1931' })])), null);
});
