import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import type { ServiceProcess } from '@clinic/service-kit/testing/service-process';
import { sharedBackends } from './testing/service-process.ts';
import { orderBody, shelf } from './testing/test-pharmacy.ts';

const { client, db, collections, startService } = await sharedBackends();
const services = [await startService(), await startService()];

const clients = 40;
const stocks = [60, 45, 25, 80, 30];

interface OrderRequest {
  readonly email: string;
  readonly key: string;
  readonly basket: readonly { readonly medicineId: string; readonly quantity: number }[];
}

/**
 * Retries until there is a response, as a patient customer would: the same order with the same key, at the other
 * service if one is down.
 */
async function askUntilAnswered(
  { email, key, basket }: OrderRequest,
  first: number,
): Promise<{ status: number; id: string | undefined }> {
  for (let round = first; ; round += 1) {
    const service = services[round % 2] as ServiceProcess;
    const post = service.as({ role: 'patient', email }, { 'Idempotency-Key': key });
    try {
      const response = await post('/orderMedi', { method: 'POST', json: orderBody(email, basket) });
      const body = (await response.json()) as { _id?: string };
      if (response.status === 201 || response.status === 409) return { status: response.status, id: body._id };
      assert.equal(response.status, 503, 'a service that isn’t ready answers 503');
    } catch (error) {
      // Killed during the request: the order may or may not have been made.
      if (error instanceof assert.AssertionError) throw error;
    }
  }
}

/** Forty concurrent customers; after some of the responses one of the two services is killed and restarted. */
async function wave(number: number, ids: readonly string[], context: TestContext) {
  const killAfter = randomInt(3, 30);
  const victim = randomInt(2);
  context.diagnostic(`wave ${number}: service ${victim} is killed after ${killAfter} answers`);
  let answers = 0;
  let restarted: Promise<void> | undefined;
  const restart = async (): Promise<void> => {
    await services[victim]?.kill();
    // MongoDB keeps a dead client's transactions open for a minute, while orders for the same medicines retry.
    await client.db('admin').command({ killAllSessions: [] });
    services[victim] = await startService();
  };
  const answered = await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const request: OrderRequest = {
        email: `buyer${index}@mail.example`,
        key: `wave-${number}`,
        basket: [0, 2, 3].map((step) => ({
          medicineId: ids[(index + step * (index % 2 ? 1 : 4)) % ids.length] as string,
          quantity: 1 + ((index + number + step) % 3),
        })),
      };
      const answer = await askUntilAnswered(request, index);
      answers += 1;
      if (answers === killAfter) restarted = restart();
      return { ...answer, ...request };
    }),
  );
  await restarted;
  assert.ok(restarted, 'a service was killed');
  return answered;
}

test('forty customers, two services and three kills: nothing is oversold, lost, duplicated or left behind', async (context) => {
  const ids: string[] = [];
  for (const quantity of stocks) ids.push((await shelf(collections).stockMedicine({ quantity })).medicineId);
  const answers = [];
  for (const number of [1, 2, 3]) answers.push(...(await wave(number, ids, context)));

  const accepted = answers.filter(({ status }) => status === 201);
  assert.ok(accepted.length > 0 && accepted.length < answers.length, 'the stock could serve some of them');
  const orders = await collections.orders.find().toArray();
  const made = orders.map(({ _id }) => _id.toHexString()).toSorted();
  assert.deepEqual(
    made,
    accepted.map(({ id }) => id ?? '').toSorted(),
    'every accepted order exists once, and no other',
  );

  for (const [index, medicineId] of ids.entries()) {
    const taken = orders
      .flatMap(({ items }) => items)
      .filter((item) => item.medicineId === medicineId)
      .reduce((sum, { quantity }) => sum + quantity, 0);
    assert.equal(
      (await shelf(collections).stockOf(medicineId)).quantity,
      (stocks[index] ?? 0) - taken,
      `the stock taken of ${medicineId} equals the orders`,
    );
  }
  const events = await db.collection('events').find().toArray();
  const traces = events.map(
    ({ record, after: { orderId } }) => (record.type === 'order' ? record.id : orderId) as string,
  );
  assert.deepEqual([...new Set(traces)].toSorted(), made, 'rejected and interrupted orders left no trace');
  assert.ok(
    events.every(({ record, after: { quantity } }) => record.type !== 'medicine' || quantity >= 0),
    'stock never was below zero',
  );
  assert.equal(await db.collection('idempotency').countDocuments(), made.length);
});
