import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MongoClient, ObjectId, type CommandStartedEvent, type Document, type Filter } from 'mongodb';
import { startTestDatabase } from '../testing/test-database.ts';
import { Page } from './answers.ts';
import { readPage } from './paging.ts';
import { searchFilter, type Search } from './searched-rows.ts';

interface Row {
  readonly _id: ObjectId;
  readonly names: readonly string[];
  readonly email: string;
  readonly at: Date;
  readonly status: string;
}

const database = await startTestDatabase();
const client = await MongoClient.connect(database.uri, { monitorCommands: true });
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

for (const [name, search] of Object.entries<Search<Row>>({
  'two fields': [[named('ada')], [addressed('ada')]],
  'two fields and a status': [
    [{ status: 'open' }, named('bo')],
    [addressed('cy'), { status: 'open' }],
  ],
  'a field of the sort': [[{ at: { $gte: new Date(20_000) } }, addressed('ada')], [addressed('a')], [named('cy')]],
  'two words and a status': [[named('ada'), named('bo'), { status: 'shut' }]],
  'one alternative': [[named('ada')]],
  'no alternative that matches': [[named('zz')], [addressed('zz')]],
  'an empty condition': [[{}, named('bo')]],
}))
  for (const sort of Object.keys(sorts) as (keyof typeof sorts)[])
    test(`pages of ${name} by ${sort} have each row once, in order, with their number`, async () => {
      const expected = (await rows.find(searchFilter(search)).sort(sorts[sort]).toArray()).map(({ _id }) =>
        _id.toHexString(),
      );
      const ids: string[] = [];
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
        const plan = { filter: search, query: { limit: 7, cursor, sort }, sorts, defaultSort: sort };
        const page = await readPage(rows, { ...plan, map: ({ _id }) => _id.toHexString() });
        assert.ok(page instanceof Page);
        ids.push(...page.rows);
        assert.deepEqual(page.total, { count: expected.length, exact: true });
        cursor = page.next;
      }
      assert.deepEqual(ids, expected);
    });

/** Documents that the queries of an action examine for what their first stages find, by query. */
async function examined(collection: string, act: () => Promise<unknown>): Promise<number[]> {
  const queries: Document[] = [];
  const listen = ({ command }: CommandStartedEvent): void => {
    const { filter, sort, limit, pipeline } = command as Document;
    const [{ $match: matched = {} } = {}, { $limit: most } = {}] = (pipeline ?? []) as readonly Document[];
    if (command['find'] === collection) queries.push({ find: collection, filter, sort, limit });
    if (command['aggregate'] === collection) queries.push({ find: collection, filter: matched, limit: most });
  };
  client.on('commandStarted', listen);
  await act();
  client.off('commandStarted', listen);
  return Promise.all(
    queries.map(async (query) => {
      const { executionStats } = await rows.db.command({ explain: query, verbosity: 'executionStats' });
      return (executionStats as { readonly totalDocsExamined: number }).totalDocsExamined;
    }),
  );
}

test('a search with several conditions reads little more than the one that finds fewest, and stops counting', async () => {
  const many = rows.db.collection<Row>('many');
  await many.createIndexes([
    { key: { names: 1 } },
    { key: { status: 1, at: -1, _id: -1 } },
    { key: { at: -1, _id: -1 } },
  ]);
  const size = 18_000;
  // Every third row is open; the newest are shut. A seldom name is in 600 old rows, of which 200 are open.
  await many.insertMany(
    Array.from({ length: size }, (_, at) => ({
      _id: new ObjectId(),
      names: ['common', at % 2 ? 'odd' : 'even', ...(at < 600 ? ['seldom'] : [])],
      email: '',
      at: new Date(at),
      status: at % 3 ? 'shut' : 'open',
    })),
  );
  const readOf = async (...conditions: Filter<Row>[]) => {
    let page: unknown;
    const docs = await examined('many', async () => {
      page = await readPage(many, {
        filter: [conditions],
        query: { limit: 20 },
        sorts,
        defaultSort: 'newest',
        map: ({ at }) => at.getTime(),
      });
    });
    assert.ok(page instanceof Page && page.total);
    return { first: page.rows[0] as number, total: page.total, most: Math.max(...docs) };
  };
  const open = { status: 'open' };
  const exactly = (count: number) => ({ count, exact: true });
  // Whether a condition finds few is known after this many rows.
  const most = 5_001;
  assert.deepEqual(await readOf(named('seldom'), open), { first: 597, total: exactly(200), most: 600 });
  assert.deepEqual(await readOf(named('common'), named('seldom')), { first: 599, total: exactly(600), most });
  const early = { at: { $lt: new Date(90) } };
  assert.deepEqual(await readOf(named('common'), early), { first: 89, total: exactly(90), most });
  // Neither finds few: there are at least as many as the first rows show.
  const common = await readOf(named('odd'), open);
  assert.deepEqual([common.first, common.total.exact, common.most], [size - 3, false, most]);
  assert.ok(common.total.count >= 20 && common.total.count < 3_000, String(common.total.count));
});
