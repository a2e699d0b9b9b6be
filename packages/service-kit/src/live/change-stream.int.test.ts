import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { orderBody, shopService, type ShopSettings } from '../testing/shop-service.ts';
import { startTestDatabase } from '../testing/test-database.ts';
import { startTestService, type TestService } from '../testing/index.ts';

/** A client may have missed changes of this many milliseconds before its position. */
const overlap = 15_000;

const database = await startTestDatabase();
const shop = await startTestService(shopService, { mongoUri: database.uri });
after(async () => {
  await shop.close();
  await database.close();
});

/** Listens as a gateway does for a browser. */
async function listen(service: TestService<ShopSettings>, who: 'admin' | 'patient' | 'doctor', lastId?: string) {
  const stop = new AbortController();
  const response = await service.as(who)('/orderMedi/changes', {
    signal: stop.signal,
    headers: lastId === undefined ? {} : { 'Last-Event-ID': lastId },
  });
  assert.equal(response.status, 200);
  assert.ok(response.body);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** The next message of this kind; `undefined` if the stream ends. */
  const next = async (event: string): Promise<{ id: number; data: unknown } | undefined> => {
    for (;;) {
      const found = new RegExp(`(?:^|\\n)id: (\\d+)\\nevent: ${event}\\ndata: (.*)\\n\\n`).exec(text);
      if (found) {
        text = text.slice(found.index + found[0].length);
        return { id: Number(found[1]), data: JSON.parse(found[2] ?? '') };
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return { next, stop: () => stop.abort() };
}

/** @returns the request's id */
async function order(email = 'patient@clinic.example'): Promise<string> {
  const placed = await shop.as('patient')('/orderMedi', { method: 'POST', json: orderBody(email) });
  assert.equal(placed.status, 201);
  return placed.headers.get('x-request-id') ?? assert.fail('no request id');
}

test('a client that reconnects, even to another replica, gets what changed meanwhile', async (t) => {
  const first = await listen(shop, 'patient');
  const ready = await first.next('ready');
  assert.ok(ready);
  first.stop();
  const by = await order();
  const replica = await startTestService(shopService, {
    mongoUri: database.uri,
    env: { MONGODB_DATABASE: shop.db.databaseName },
  });
  t.after(() => replica.close());
  for (const service of [shop, replica]) {
    const again = await listen(service, 'patient', String(ready.id));
    const change = await again.next('change');
    assert.deepEqual(change?.data, { lists: ['listOrders'], by: [by] });
    assert.ok(change.id >= ready.id);
    again.stop();
  }
});

test('a client that reconnects too late, or with an unknown position, must load everything', async () => {
  for (const lastId of ['0', String(Date.now() - 301_000), 'abc', String(Date.now() + overlap + 60_000)]) {
    const line = await listen(shop, 'doctor', lastId);
    assert.deepEqual((await line.next('change'))?.data, { lists: ['listOrders'] }, lastId);
    line.stop();
  }
});

test('a client that reconnects gets no changes of others, and nobody the request of another', async () => {
  const line = await listen(shop, 'doctor', String(Date.now() - 1_000));
  await order();
  const admin = await listen(shop, 'admin');
  assert.deepEqual((await admin.next('change'))?.data, { lists: ['listOrders'] });
  const beat = await line.next('(?:beat|change)');
  assert.deepEqual(beat?.data, {});
  admin.stop();
  line.stop();
});

test('a change of rights ends the stream at once, and its last message says why', async () => {
  const line = await listen(shop, 'doctor');
  assert.ok(await line.next('ready'));
  shop.issuer.tell({ sub: shop.issuer.idOf('doctor@clinic.example'), ver: 2 });
  assert.deepEqual((await line.next('session'))?.data, {});
  assert.equal(await line.next('beat'), undefined);
});

test('unconfirmed accounts can’t use up confirmed patients’ streams, nor patients those of staff', async (t) => {
  const stop = new AbortController();
  t.after(() => stop.abort());
  // Keep each response: an unreferenced one is garbage-collected, and its stream ends.
  const held: Response[] = [];
  const open = async (role: 'patient' | 'doctor', kind: string, confirmed: boolean, people: number) => {
    const statuses: number[] = [];
    for (let number = 0; number < people; number += 1) {
      const person = shop.as({ role, email: `${kind}${number}@mail.example`, confirmed });
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => person('/orderMedi/changes', { signal: stop.signal })),
      );
      held.push(...answers);
      statuses.push(...answers.map(({ status }) => status));
    }
    return {
      open: statuses.filter((status) => status === 200).length,
      busy: statuses.filter((status) => status === 503).length,
    };
  };
  assert.deepEqual(await open('patient', 'stranger', false, 32), { open: 300, busy: 20 });
  assert.deepEqual(await open('patient', 'patient', true, 31), { open: 300, busy: 10 });
  assert.deepEqual(await open('doctor', 'doctor', true, 21), { open: 200, busy: 10 });
});
