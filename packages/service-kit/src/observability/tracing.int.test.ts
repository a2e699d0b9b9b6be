import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test, type TestContext } from 'node:test';
import type { CommandStartedEvent } from 'mongodb';
import { startTestService } from '../testing/index.ts';
import { attributeOf, startCollector } from '../testing/collector.ts';
import { orderBody, shopService } from '../testing/shop-service.ts';

/** A shop that reports to a collector, and the commands that it sends to its database. */
async function tracedShop(t: TestContext) {
  const collector = await startCollector();
  t.after(() => collector.close());
  const service = await startTestService(shopService, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  t.after(() => service.close());
  const commands: CommandStartedEvent[] = [];
  service.client.on('commandStarted', (event) => commands.push(event));
  return { collector, service, commands };
}

test(
  'sends each request and its database commands to a collector, within the client’s trace',
  { timeout: 60_000 },
  async (t) => {
    const { collector, service, commands } = await tracedShop(t);

    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'X-Request-Id': 'from-the-browser' };
    const ann = service.as({ role: 'patient', email: 'ann@clinic.example' });
    assert.equal((await ann('/orderMedi?email=ann@clinic.example&limit=5', { headers })).status, 200);

    const server = await collector.until(({ name }) => name === 'GET listOrders');
    assert.deepEqual(
      { ...server, spanId: '', attributes: [] },
      { ...server, traceId, parentSpanId: 'b7ad6b7169203331', kind: 2, spanId: '', attributes: [] },
    );
    assert.equal(attributeOf(server, 'http.response.status_code'), 200);
    assert.equal(attributeOf(server, 'clinic.request_id'), 'from-the-browser');
    const found = await collector.until(
      ({ name, parentSpanId }) => name === 'find orders' && parentSpanId === server.spanId,
    );
    assert.equal(found.traceId, traceId);
    assert.equal(found.kind, 3);
    assert.equal(attributeOf(found, 'db.system.name'), 'mongodb');
    assert.deepEqual([...collector.services], ['svc-pharmacy']);
    assert.doesNotMatch(JSON.stringify(collector.spans), /ann@/, 'spans contain nothing about people');

    const own = commands
      .filter(({ command }) => command['comment'] === 'from-the-browser')
      .map(({ commandName }) => commandName);
    assert.deepEqual(own, ['find'], 'every command carries the id of its request');
    const line = service.log
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find(({ requestId }) => requestId === 'from-the-browser');
    assert.equal(line?.['trace'], traceId);
  },
);

test('every operation carries its request’s id, in transactions too', { timeout: 60_000 }, async (t) => {
  const { collector, service, commands } = await tracedShop(t);
  const ann = service.as({ role: 'patient', email: 'ann@clinic.example' });
  const placed = await ann('/orderMedi', {
    method: 'POST',
    json: orderBody('ann@clinic.example'),
    headers: { 'X-Request-Id': 'order-1', 'Idempotency-Key': 'k1' },
  });
  assert.equal(placed.status, 201);
  const names = commands
    .filter(({ command }) => command['comment'] === 'order-1')
    .map(({ commandName }) => commandName);
  assert.deepEqual(names, ['find', 'insert', 'findAndModify', 'update', 'insert', 'insert']);
  const server = await collector.until(({ name }) => name === 'POST placeOrder');
  await collector.until(({ name, parentSpanId }) => name === 'commitTransaction' && parentSpanId === server.spanId);
});

test('an unavailable collector only loses its traces', { timeout: 60_000 }, async () => {
  await using service = await startTestService(shopService, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
  });
  assert.equal((await service.anonymous('/medicine')).status, 200);
});

// `@opentelemetry/api` alone comes with prom-client.
test('without an endpoint the libraries aren’t loaded', () => {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { if (/@opentelemetry.(?!api)|open-telemetry/.test(url)) loaded.push(url); return next(url, context); } });
    const { openTracing } = await import(${JSON.stringify(new URL('./tracing.ts', import.meta.url).href)});
    await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)});
    console.log(JSON.stringify([await openTracing({ name: 'x', ratio: 1 }) === undefined, loaded]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  });
  assert.equal(stdout, '[true,[]]\n', stderr);
});
