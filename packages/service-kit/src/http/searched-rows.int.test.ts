import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MongoClient, ObjectId, type CommandStartedEvent, type Document, type Filter } from 'mongodb';
import { startTestDatabase } from '../testing/test-database.ts';
import { Page } from './answers.ts';
import { readPage } from './paging.ts';
import { SearchedRows, searchFilter, type Search } from './searched-rows.ts';

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

/** The query that a pipeline begins with. */
function firstStages([{ $match: filter } = {}, second = {}, third = {}]: readonly Document[]): Document {
  const { $sort: sort, $limit: limit = third['$limit'] as unknown } = second;
  return { filter, ...(sort && { sort }), limit };
}

/** Documents that the queries of an action examine for what their first stages find, by query. */
async function examined(collection: string, act: () => Promise<unknown>): Promise<number[]> {
  const queries: Document[] = [];
  const listen = ({ command }: CommandStartedEvent): void => {
    const { filter, sort, limit, pipeline } = command as Document;
    if (command['find'] === collection) queries.push({ find: collection, filter, sort, limit });
    if (command['aggregate'] === collection) queries.push({ find: collection, ...firstStages(pipeline as Document[]) });
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
  // Neither finds few: there are at least as many as the first rows show. Open ones are read in order, at most all of them.
  const common = await readOf(named('odd'), open);
  assert.deepEqual([common.first, common.total.exact, common.most], [size - 3, false, size / 3]);
  assert.ok(common.total.count >= 20 && common.total.count < 3_000, String(common.total.count));
});

test('rows that few of many records meet are all found, within bounds, or the search must be narrowed', async () => {
  const broad = rows.db.collection<Row>('broad');
  await broad.createIndexes([
    { key: { names: 1 } },
    { key: { status: 1, at: -1, _id: -1 } },
    { key: { at: -1, _id: -1 } },
  ]);
  const size = 3_000;
  // Both words are in half of the rows, but only in the oldest together; the newest of these are shut.
  await broad.insertMany(
    Array.from({ length: size }, (_, at) => ({
      _id: new ObjectId(),
      names: at < 30 ? ['left', 'right'] : [at % 2 ? 'left' : 'right'],
      email: '',
      at: new Date(at),
      status: at < 20 ? 'open' : 'shut',
    })),
  );
  const bounds = { few: 100, nextInOrder: 500, many: 2_000 };
  const found = async (most: number, ...conditions: Filter<Row>[]): Promise<number[]> => {
    let found: readonly Row[] = [];
    const page = { sort: sorts.newest, limit: 12, projection: {}, beyond: (filter: Filter<Row>) => filter };
    const docs = await examined('broad', async () => {
      found = await new SearchedRows(broad, [conditions], { ...bounds, many: most }).first(page);
    });
    assert.ok(Math.max(...docs) <= bounds.many + 1, String(docs));
    return found.map(({ at }) => at.getTime());
  };
  const from = (newest: number): number[] => Array.from({ length: 12 }, (_, at) => newest - at);
  assert.deepEqual(await found(bounds.many, named('left'), named('right')), from(29));
  assert.deepEqual(await found(bounds.many, named('left'), named('right'), { at: { $lt: new Date(2_000) } }), from(29));
  // The next rows in order fill a page, however many meet each condition.
  assert.deepEqual((await found(0, named('left'), { status: 'shut' })).slice(0, 2), [2_999, 2_997]);
  await assert.rejects(found(1_000, named('left'), named('right')), {
    code: 'validation_failed',
    message: 'This finds too many to search through. Add a word, or more letters.',
  });
});

test('the first row of each: found among more rows than are read, within bounds, or the search must be narrowed', async () => {
  const visits = rows.db.collection<Row>('visits');
  await visits.createIndexes([{ key: { names: 1 } }, { key: { at: -1, _id: -1 } }]);
  // One comes all the time; three others came once, long ago.
  await visits.insertMany(
    Array.from({ length: 1_500 }, (_, at) => ({
      _id: new ObjectId(),
      names: ['ada'],
      email: at < 3 ? `old${at}` : 'often',
      at: new Date(at),
      status: '',
    })),
  );
  const bounds = { few: 100, nextInOrder: 500, many: 1_600 };
  const found = async (limit: number, most: number): Promise<string[]> => {
    let found: readonly Row[] = [];
    const page = { sort: sorts.newest, limit, projection: { email: 1, at: 1 }, beyond: (all: Filter<Row>) => all };
    const docs = await examined('visits', async () => {
      const once = new SearchedRows(visits, [[named('ada')]], { ...bounds, many: most }, ['email']);
      found = await once.first(page);
    });
    assert.ok(Math.max(...docs) <= bounds.many + 1, String(docs));
    return found.map(({ email, at }) => `${email} ${at.getTime()}`);
  };
  assert.deepEqual(await found(3, bounds.many), ['often 1499', 'old2 2', 'old1 1']);
  // Those in order suffice.
  assert.deepEqual(await found(1, 0), ['often 1499']);
  await assert.rejects(found(3, 1_000), { code: 'validation_failed' });
});
