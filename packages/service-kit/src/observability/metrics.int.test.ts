import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { holdPort } from '../testing/hold-port.ts';
import { ObjectId } from 'mongodb';
import { startTestService } from '../testing/index.ts';
import { orderBody, shelfOf, shopService } from '../testing/shop-service.ts';
import { waitUntil } from '../testing/wait-until.ts';

const service = await startTestService(shopService, {
  env: { METRICS_PORT: String(await holdPort()), SLOW_COMMAND_MS: '1' },
});
after(() => service.close());

/** The metrics by name and labels, as `/metrics` shows them. */
async function figures(): Promise<(name: string, labels?: Readonly<Record<string, string>>) => number | undefined> {
  const text = await (await fetch(`${service.metricsUrl}/metrics`)).text();
  return (name, labels = {}) => {
    const fits = (line: string): boolean =>
      (line.startsWith(`${name} `) || line.startsWith(`${name}{`)) &&
      Object.entries(labels).every(([label, value]) => line.includes(`${label}="${value}"`));
    const line = text.split('\n').find(fits);
    return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
  };
}

/** Polls until a metric reaches its value: it is updated once the response's last byte has been sent. */
async function until(fits: (figure: Awaited<ReturnType<typeof figures>>) => boolean): Promise<void> {
  await waitUntil(async () => fits(await figures()));
}

const logged = (fits: (line: Record<string, unknown>) => boolean): Record<string, unknown> | undefined =>
  service.log.map((text) => JSON.parse(text) as Record<string, unknown>).find(fits);

test('counts requests, problems, repeated orders and database commands by call', { timeout: 60_000 }, async () => {
  const ann = service.as({ role: 'patient', email: 'ann@clinic.example' });
  const order = { method: 'POST', json: orderBody('ann@clinic.example'), headers: { 'Idempotency-Key': 'once' } };
  const first = await ann('/orderMedi', order);
  const again = await ann('/orderMedi', { ...order, headers: { ...order.headers, 'X-Request-Id': 'the-repeat' } });
  assert.deepEqual(await again.json(), await first.json());
  assert.equal((await service.anonymous('/orderMedi')).status, 401);

  const placed = { call: 'placeOrder', method: 'POST', status: '201' };
  await until((figure) => figure('http_request_duration_seconds_count', placed) === 2);
  await until((figure) => figure('http_request_duration_seconds_count', { call: 'listOrders', status: '401' }) === 1);
  const figure = await figures();
  assert.equal(figure('idempotency_replays_total', { call: 'placeOrder' }), 1);
  assert.equal(figure('problems_total', { call: 'listOrders', code: 'unauthenticated' }), 1);
  assert.ok((figure('mongodb_command_duration_seconds_count', { call: 'placeOrder' }) ?? 0) >= 4);
  assert.equal(figure('http_requests_in_flight'), 0);
  assert.equal(logged(({ requestId, msg }) => requestId === 'the-repeat' && msg === 'request')?.['replayed'], true);
});

test('shows the pool of connections', { timeout: 60_000 }, async () => {
  // Different lists, because concurrent requests for the same one share a read.
  await Promise.all(Array.from({ length: 40 }, (_, index) => service.anonymous(`/medicine?limit=${index + 1}`)));
  // Work in the background takes one now and then.
  await until((now) => now('mongodb_pool_connections_checked_out') === 0);
  const figure = await figures();
  assert.ok((figure('mongodb_pool_connections_open') ?? 0) >= 1);
  assert.equal(figure('mongodb_pool_wait_queue'), 0);
  assert.equal(figure('mongodb_pool_connections_max'), 50);
  assert.ok((figure('mongodb_pool_checkout_seconds_count') ?? 0) >= 40);
});

test('counts change listeners and their messages', { timeout: 60_000 }, async () => {
  const listening = new AbortController();
  const answer = await service.as('admin')('/orderMedi/changes', { signal: listening.signal });
  await answer.body?.getReader().read();
  await until((now) => now('http_requests_in_flight') === 1);
  const figure = await figures();
  assert.equal(figure('event_streams_open', { call: 'watchPharmacy' }), 1);
  assert.ok((figure('event_stream_messages_total', { call: 'watchPharmacy' }) ?? 0) >= 1);
  listening.abort();
  await until((now) => now('event_streams_open', { call: 'watchPharmacy' }) === 0);
});

test('logs a slow command with the request and the operations, without the query', { timeout: 60_000 }, async () => {
  // Sorting this many records, which no index does, takes more than a millisecond on any machine.
  await shelfOf(service).insertMany(
    Array.from({ length: 10_000 }, (_, index) => ({ _id: new ObjectId(), name: `medicine ${index}`, group: 1 })),
  );
  const headers = { 'X-Request-Id': 'a-slow-one' };
  assert.equal((await service.anonymous('/medicine?limit=5&sort=group', { headers })).status, 200);
  const line = logged(
    ({ requestId, msg, operations }) =>
      requestId === 'a-slow-one' && msg === 'slow database command' && String(operations).includes('find'),
  );
  assert.equal(line?.['call'], 'listMedicines');
  assert.equal(line?.['level'], 'warn');
  assert.ok(Number(line?.['ms']) >= 1);
  assert.match(String(line?.['operations']), /find shelf/);
});

test('reports why it is not ready', { timeout: 60_000 }, async () => {
  const ready = async () =>
    (await (await fetch(`${service.metricsUrl}/health/ready`)).json()) as {
      ready: boolean;
      checks: Record<string, string>;
    };
  assert.deepEqual(await ready(), { ready: true, checks: { database: 'ok', sessions: 'ok', process: 'ok' } });
  service.issuer.breakFeed();
  const report = await waitUntil(async () => {
    const now = await ready();
    return now.checks['sessions'] !== 'ok' && now;
  });
  assert.match(report.checks['sessions'] ?? '', /^lost \d+ s ago$/);
  assert.equal(report.ready, true, 'public calls still work');
  const figure = await figures();
  assert.equal(figure('session_feed_live'), 0);
  assert.ok((figure('session_feed_silence_seconds') ?? 0) > 4);
  service.issuer.restoreFeed();
  await waitUntil(async () => (await ready()).checks['sessions'] === 'ok');
});
