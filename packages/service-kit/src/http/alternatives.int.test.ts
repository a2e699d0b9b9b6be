import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MongoClient, ObjectId, type Filter } from 'mongodb';
import { startTestDatabase } from '../testing/test-database.ts';
import { Page } from './answers.ts';
import { readPage } from './paging.ts';

interface Row {
  readonly _id: ObjectId;
  readonly names: readonly string[];
  readonly email: string;
  readonly at: Date;
  readonly status: string;
}

const database = await startTestDatabase();
const client = await MongoClient.connect(database.uri);
after(async () => {
  await client.close();
  await database.close();
});
const rows = client.db(database.newName()).collection<Row>('rows');
const words = ['ada', 'bo', 'cy', 'Ä', '\u{1F600}', 'ada bo'];
// Few distinct values, so that rows match several alternatives, and neighbours differ by _id alone.
await rows.insertMany(
  Array.from({ length: 400 }, (_, at) => ({
    _id: new ObjectId(),
    names: [words[at % 6] ?? '', words[(at * 5) % 6] ?? ''],
    email: `${words[(at * 7) % 6]}@mail.example`,
    at: new Date(Math.floor(at / 3) * 1000),
    status: at % 4 === 0 ? 'open' : 'shut',
  })),
);
const sorts = { email: { email: 1, at: -1, _id: -1 }, newest: { at: -1, _id: -1 } } as const;
const named = (word: string): Filter<Row> => ({ names: { $regex: `^${word}` } });
const addressed = (word: string): Filter<Row> => ({ email: { $gte: word, $lt: `${word}\uffff` } });

for (const [name, filter] of Object.entries<Filter<Row>>({
  'two fields': { $or: [named('ada'), addressed('ada')] },
  'two fields and a status': { status: 'open', $or: [named('bo'), addressed('cy')] },
  'a field of the sort': { at: { $gte: new Date(20_000) }, $or: [addressed('ada'), addressed('a'), named('cy')] },
  'one alternative': { $or: [named('ada')] },
  'no alternative that matches': { $or: [named('zz'), addressed('zz')] },
  'no alternatives': named('bo'),
}))
  for (const sort of Object.keys(sorts) as (keyof typeof sorts)[])
    test(`pages of ${name} by ${sort} have each row once, in order, with their number`, async () => {
      const expected = (await rows.find(filter).sort(sorts[sort]).toArray()).map(({ _id }) => _id.toHexString());
      const ids: string[] = [];
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const plan = { filter, apart: true, query: { limit: 7, cursor, sort }, sorts, defaultSort: sort };
        const page = await readPage(rows, { ...plan, map: ({ _id }) => _id.toHexString() });
        assert.ok(page instanceof Page);
        ids.push(...page.rows);
        assert.deepEqual(page.total, { count: expected.length, exact: true });
        cursor = page.next;
      }
      assert.deepEqual(ids, expected);
    });
