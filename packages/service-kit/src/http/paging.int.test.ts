import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ObjectId } from 'mongodb';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import { startTestService } from '../testing/index.ts';
import { shelfOf, shopService } from '../testing/shop-service.ts';
import { waitUntil } from '../testing/wait-until.ts';

const rowCount = 1_000;
const service = await startTestService(shopService);
// Few distinct names, so that most neighbouring rows differ by _id alone.
const rows = Array.from({ length: rowCount }, (_, at) => ({
  _id: new ObjectId(),
  name: `Medicine ${(at * 7) % 13}`,
  group: at % 3,
}));
await shelfOf(service).insertMany(rows);
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

test('compresses a long page that everybody may read, for clients that say they can read it', async () => {
  const sent = async (path: string, headers: Record<string, string>) => {
    const answer = await service.anonymous(path, { headers });
    return [
      answer.headers.get('content-encoding'),
      answer.headers.get('vary'),
      idsOf((await answer.json()) as Medicine[]).length,
    ];
  };
  assert.deepEqual(await sent('/medicine?limit=100', { 'accept-encoding': 'br, gzip' }), [
    'gzip',
    'Accept-Encoding',
    100,
  ]);
  assert.deepEqual(await sent('/medicine?limit=100', { 'accept-encoding': 'gzip;q=0' }), [
    null,
    'Accept-Encoding',
    100,
  ]);
  assert.deepEqual(await sent('/medicine?limit=1', { 'accept-encoding': 'gzip' }), [null, null, 1]);
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

test('counts a filtered list only if it has another page', async () => {
  const shelf = shelfOf(service);
  const others = (await shelf.find({ group: 1 }).skip(150).toArray()).map(({ _id }) => _id);
  await shelf.updateMany({ _id: { $in: others } }, { $set: { group: 5 } });
  for (const [limit, commands] of [
    [151, 1],
    [150, 1],
    [149, 2],
  ] as const) {
    const requestId = `counted-${limit}`;
    const answer = await service.anonymous(`/medicine?limit=${limit}&status=low%20stock`, {
      headers: { 'X-Request-Id': requestId },
    });
    assert.deepEqual(
      [answer.headers.get('x-total-count'), ((await answer.json()) as Medicine[]).length],
      ['150', Math.min(limit, 150)],
    );
    const line = await waitUntil(() => service.log.find((logged) => logged.includes(requestId)) ?? false);
    assert.equal((JSON.parse(line) as { readonly commands: number }).commands, commands);
  }
  await shelf.updateMany({ group: 5 }, { $set: { group: 1 } });
});

test('gives each client the size of the list after their own changes, even at the same time', async () => {
  const totals = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      await shelfOf(service).insertOne({ _id: new ObjectId(), name: 'Counted', group: 9 });
      return { at, total: Number((await read('/medicine?limit=1')).total) };
    }),
  );
  for (const { total } of totals) assert.ok(total > rowCount && total <= rowCount + 20);
  assert.equal((await read('/medicine?limit=1')).total, String(rowCount + 20));
  await shelfOf(service).deleteMany({ group: 9 });
});

test('stops counting if that would take longer than the page, and marks the count', async () => {
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
    // A cursor of another list with the same fields, and one of no list.
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

test('ends the read when the client disconnects', async () => {
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
  const logged = await waitUntil(() => service.log.find((line) => line.includes('goes-away')) ?? false);
  assert.match(logged, /"aborted":true/);
  assert.equal((await read('/medicine')).ids.length, rowCount + rows.length);
});

test('counts a list that grows beyond its page, and shrinks again', async () => {
  await using shop = await startTestService(shopService);
  const totals: (string | null)[] = [];
  const totalNow = async (): Promise<void> =>
    void totals.push((await shop.anonymous('/medicine?limit=2')).headers.get('x-total-count'));
  await totalNow();
  const rows = Array.from({ length: 4 }, (_, at) => ({ _id: new ObjectId(), name: `Medicine ${at}`, group: at }));
  for (const row of rows) {
    await shelfOf(shop).insertOne(row);
    await totalNow();
  }
  await shelfOf(shop).deleteMany({ group: { $gt: 1 } });
  await totalNow();
  await totalNow();
  assert.deepEqual(totals, ['0', '1', '2', '3', '4', '2', '2']);
});
