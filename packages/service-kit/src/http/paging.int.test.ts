import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ObjectId } from 'mongodb';
import type { Medicine } from '@clinic/contracts';
import { startTestService, type TestService } from '../testing/index.ts';
import { shelfOf, shopService, type ShopSettings } from '../testing/shop-service.ts';

const rowCount = 1_000;
let service: TestService<ShopSettings>;
before(async () => {
  service = await startTestService(shopService);
  // Few distinct names, so that most neighbouring rows differ by _id alone.
  const rows = Array.from({ length: rowCount }, (_, at) => ({
    _id: new ObjectId(),
    name: `Medicine ${(at * 7) % 13}`,
    group: at % 3,
  }));
  await shelfOf(service).insertMany(rows);
});
after(() => service.close());

const idsOf = (records: Medicine[]): string[] => records.map(({ _id }) => _id.$oid);
const read = async (path: string): Promise<{ ids: string[]; next: string | undefined; total: string | null }> => {
  const answer = await service.anonymous(path);
  assert.equal(answer.status, 200);
  const next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  return { ids: idsOf((await answer.json()) as Medicine[]), next, total: answer.headers.get('x-total-count') };
};
const readAll = async (path: string, between?: (page: number) => Promise<void>): Promise<string[]> => {
  const ids: string[] = [];
  let next: string | undefined = path;
  for (let page = 0; next !== undefined; page += 1) {
    const answer = await read(next);
    ids.push(...answer.ids);
    next = answer.next;
    await between?.(page);
  }
  return ids;
};

test('returns the whole list without limit, in the default order', async () => {
  const { ids, next, total } = await read('/medicine');
  assert.equal(ids.length, rowCount);
  assert.deepEqual([next, total], [undefined, null]);
  assert.deepEqual(
    ids,
    (await shelfOf(service).find().sort({ name: 1, _id: 1 }).toArray()).map(({ _id }) => _id.toHexString()),
  );
});

const orders: Record<string, Record<string, 1 | -1>> = {
  name: { name: 1, _id: 1 },
  '-name': { name: -1, _id: -1 },
  group: { group: 1, name: -1, _id: 1 },
};
for (const [sort, order] of Object.entries(orders)) {
  test(`pages by ${sort} through all rows, each once, in order`, async () => {
    const ids = await readAll(`/medicine?limit=37&sort=${sort}`);
    assert.deepEqual(
      ids,
      (await shelfOf(service).find().sort(order).toArray()).map(({ _id }) => _id.toHexString()),
    );
  });
}

test('pages through a filtered list and reports its size', async () => {
  const { total } = await read('/medicine?limit=10&status=low%20stock&sort=group');
  assert.equal(total, '333');
  assert.equal((await read('/medicine?limit=10')).total, '1000');
  const ids = await readAll('/medicine?limit=50&status=low%20stock&sort=group');
  assert.equal(new Set(ids).size, 333);
  assert.equal(ids.length, 333);
});

test('stops counting if it would take longer than the page, and says so', async () => {
  const shelf = shelfOf(service);
  const there = await shelf.countDocuments({ group: 1 });
  await shelf.insertMany(
    Array.from({ length: 5_000 - there }, () => ({ _id: new ObjectId(), name: 'Counted', group: 1 })),
  );
  const counted = async (): Promise<(string | null)[]> => {
    const { headers } = await service.anonymous('/medicine?limit=1&status=low%20stock');
    return [headers.get('x-total-count'), headers.get('x-total-count-relation')];
  };
  assert.deepEqual(await counted(), ['5000', null]);
  await shelf.insertOne({ _id: new ObjectId(), name: 'Counted', group: 1 });
  assert.deepEqual(await counted(), ['5000', 'gte']);
  await shelf.deleteMany({ name: 'Counted' });
});

test('neither skips nor repeats rows while others are added and removed', async () => {
  const before = new Set(idsOf((await (await service.anonymous('/medicine')).json()) as Medicine[]));
  const added: ObjectId[] = [];
  const ids = await readAll('/medicine?limit=100', async (page) => {
    const row = { _id: new ObjectId(), name: `Medicine ${page}`, group: 0 };
    added.push(row._id);
    await shelfOf(service).insertOne(row);
  });
  await shelfOf(service).deleteMany({ _id: { $in: added } });
  assert.equal(new Set(ids).size, ids.length);
  const seen = new Set(ids);
  assert.ok([...before].every((id) => seen.has(id)));
});

test('rejects cursors of other lists and forged ones', async () => {
  const { next } = await read('/medicine?limit=10');
  const cursor = new URL(next ?? '', service.url).searchParams.get('cursor') ?? '';
  assert.match(cursor, /^[\w-]+$/);
  const forge = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const [list, sort, name, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
  assert.deepEqual([list, sort], ['listMedicines', 'name']);
  const forged = [
    {},
    [],
    ['name'],
    [list, sort],
    [list, sort, name],
    [list, sort, name, { $gt: '' }],
    [list, sort, [name], id],
    [list, 'email', name, id],
    [list, sort, name, id, id],
    // One of another list with the same fields, and one of none.
    ['listOrders', sort, name, id],
    [sort, name, id],
  ];
  for (const bad of ['x', '%25', cursor.slice(3), ...forged.map(forge)]) {
    const answer = await service.anonymous(`/medicine?limit=10&cursor=${bad}`);
    assert.equal(answer.status, 400, bad);
    assert.equal(((await answer.json()) as { code: string }).code, 'validation_failed');
  }
  assert.equal((await service.anonymous(`/medicine?limit=10&sort=group&cursor=${cursor}`)).status, 400);
  assert.equal((await service.anonymous('/medicine?limit=10&sort=constructor')).status, 400);
});

test('continues after rows with the longest allowed names', async () => {
  const names = Array.from({ length: 3 }, (_, at) => `${at}${'ঔ'.repeat(198)}${at}`);
  await shelfOf(service).insertMany(names.map((name) => ({ _id: new ObjectId(), name, group: 8 })));
  assert.equal((await readAll('/medicine?limit=1&sort=name')).length, rowCount + 3);
  await shelfOf(service).deleteMany({ group: 8 });
});

test('ends the read when the client goes away', async () => {
  const text = 'x'.repeat(100);
  const rows = Array.from({ length: 20_000 }, () => ({ _id: new ObjectId(), name: text, group: 7 }));
  await shelfOf(service).insertMany(rows);
  const abort = new AbortController();
  const answer = await service.anonymous('/medicine', {
    signal: abort.signal,
    headers: { 'X-Request-Id': 'goes-away' },
  });
  const reader = answer.body?.getReader();
  await reader?.read();
  abort.abort();
  const began = performance.now();
  const logged = (): string | undefined => service.log.find((line) => line.includes('goes-away'));
  while (!logged()) {
    assert.ok(performance.now() - began < 5_000, 'the request never ended');
    await service.anonymous('/health/live');
  }
  assert.match(logged() ?? '', /"aborted":true/);
  assert.equal((await read('/medicine')).ids.length, rowCount + rows.length);
});
