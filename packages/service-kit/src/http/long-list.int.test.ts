import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { ObjectId } from 'mongodb';
import { startServer } from '@clinic/mongo-embedded';
import { startTestService, type TestService } from '../testing/index.ts';
import { ordersOf, shelfOf, shopService, type ShopSettings } from '../testing/shop-service.ts';

const rowCount = 10_000;

/** A service with a list too long for any socket buffer. */
async function startWithLongList(t: TestContext, mongoUri?: string): Promise<TestService<ShopSettings>> {
  const service = await startTestService(shopService, mongoUri === undefined ? {} : { mongoUri });
  t.after(() => service.close());
  const name = 'x'.repeat(1_000);
  await shelfOf(service).insertMany(Array.from({ length: rowCount }, () => ({ _id: new ObjectId(), name, group: 1 })));
  return service;
}

/** Reads the first chunk of the list, runs `happens`, then reads the rest. */
async function readAround(
  service: TestService<ShopSettings>,
  happens: () => unknown,
  list = service.anonymous('/medicine'),
): Promise<string> {
  const reader = (await list).body?.getReader() ?? assert.fail('no body');
  const decoder = new TextDecoder();
  let text = '';
  let { done, value } = await reader.read();
  happens();
  while (!done) {
    text += decoder.decode(value, { stream: true });
    ({ done, value } = await reader.read());
  }
  return text;
}

test('shutdown lets a list in flight finish', { timeout: 60_000 }, async (t) => {
  const service = await startWithLongList(t);
  let closed: Promise<void> | undefined;
  const text = await readAround(service, () => (closed = service.close()));
  assert.equal((JSON.parse(text) as unknown[]).length, rowCount);
  await closed;
  await assert.rejects(service.anonymous('/health/live'));
});

test('a list that fails half-way is cut off instead of looking complete', { timeout: 60_000 }, async (t) => {
  const engine = await startServer({ port: 0 });
  const service = await startWithLongList(t, engine.uri);
  await assert.rejects(readAround(service, () => engine.close()));
});

test('a list ends with the rights of whoever reads it slowly', { timeout: 60_000 }, async (t) => {
  const service = await startTestService(shopService);
  t.after(() => service.close());
  const order = {
    customerId: 'a'.repeat(24),
    customeremail: 'ann@mail.example',
    customerPhone: '',
    deliveryAddress: 'x'.repeat(10_000),
    orderDate: '2026-12-01T10:00:00.000Z',
    status: 'pending',
    items: [],
  } as const;
  const rows = Array.from({ length: 3_000 }, () => ({ ...order, items: [], _id: new ObjectId() }));
  await ordersOf(service).insertMany(rows);
  const list = () => service.as('admin')('/orderMedi');
  const text = await readAround(service, () => undefined, list());
  assert.equal((JSON.parse(text) as unknown[]).length, rows.length);
  const sub = service.issuer.idOf('admin@clinic.example');
  await assert.rejects(readAround(service, () => service.issuer.tell({ sub, ver: 2 }), list()));
});
