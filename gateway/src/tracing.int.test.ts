import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { attributeOf, startCollector } from '@clinic/service-kit/testing/collector';
import { openTracing } from '@clinic/service-kit/tracing';
import { pino } from 'pino';
import { type Echo } from './testing/servers.ts';
import { startGateway } from './testing/start-gateway.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

/** A gateway with a collector. */
async function startTraced(t: TestContext) {
  const collector = await startCollector();
  t.after(() => collector.close());
  const tracing = await openTracing({
    name: 'gateway',
    endpoint: collector.url,
    ratio: 1,
    log: pino({ level: 'silent' }),
  });
  t.after(() => tracing?.close());
  const gateway = await startGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }, { tracing });
  t.after(() => gateway.close());
  return { gateway, collector };
}

test(
  'starts a trace that the service continues, with a span of its own for the request to it',
  { timeout: 60_000 },
  async (t) => {
    const { gateway, collector } = await startTraced(t);

    const answer = await gateway.ask('/doctors/1/free-days', {
      headers: { 'x-request-id': 'from-the-browser', 'sec-fetch-site': 'same-origin' },
    });
    const requestId = String(answer.headers['x-request-id']);
    const forwarded = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(String(answer.json<Echo>().headers['traceparent']));
    const server = await collector.until(({ name }) => name === 'GET clinic');
    assert.equal(server.traceId, forwarded?.[1]);
    assert.equal(attributeOf(server, 'clinic.request_id'), requestId);
    const sent = await collector.until(({ name }) => name === 'send clinic');
    assert.equal(sent.parentSpanId, server.spanId);
    assert.equal(sent.spanId, forwarded?.[2], 'the service’s span must be a child of this one');
    assert.equal(attributeOf(sent, 'http.response.status_code'), 200);
  },
);

test(
  'starts a new trace, whatever a client claims to continue, without a forwarding span for its own responses',
  { timeout: 60_000 },
  async (t) => {
    const { gateway, collector } = await startTraced(t);
    await gateway.ask('/robots.txt', { headers: { traceparent, 'sec-fetch-site': 'same-origin' } });
    const server = await collector.until(({ name }) => name === 'GET gateway');
    assert.ok(!server.parentSpanId);
    assert.notEqual(server.traceId, traceId);
    assert.deepEqual(
      collector.spans.map(({ name }) => name),
      ['GET gateway'],
    );
    assert.deepEqual([...collector.services], ['gateway']);
  },
);
