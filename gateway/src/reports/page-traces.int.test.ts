import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { attributeOf, startCollector, type Collector } from '@clinic/service-kit/testing/collector';
import { openTracing, type Tracing } from '@clinic/service-kit/tracing';
import { pino } from 'pino';
import { ask, serve, type TestServer } from '../testing/servers.ts';
import { clinicRemote, startGateway, type TestGateway } from '../testing/start-gateway.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const script = '<script defer src="/shell/trace.0123.js" integrity="sha384-A"></script>';
const shellPage = `<head><title>Clinic</title>
  <link rel="preload" href="/shell/trace.0123.js" as="script" integrity="sha384-A" data-for="trace">
</head>`;

const call = {
  spanId: '1'.repeat(16),
  method: 'GET',
  path: '/doctors/1/free-days',
  startedMsAgo: 900,
  ms: 40,
  status: 200,
};
const booking = {
  ...call,
  spanId: '2'.repeat(16),
  method: 'POST',
  path: '/appoinments',
  startedMsAgo: 800,
  status: 409,
};
const report = {
  traceId,
  spanId: 'f'.repeat(16),
  kind: 'submit',
  page: '/appoinment/64b0c0ffee0000000000beef',
  startedMsAgo: 1000,
  ms: 300,
  calls: [call, booking],
};

describe('page traces', () => {
  let collector: Collector;
  let tracing: Tracing | undefined;
  let shell: TestServer;
  let remote: TestServer;
  let gateway: TestGateway;
  let untraced: TestGateway;

  before(async () => {
    collector = await startCollector();
    tracing = await openTracing({ name: 'gateway', endpoint: collector.url, ratio: 0, log: pino({ level: 'silent' }) });
    shell = await serve((_req, res) => res.end(shellPage));
    remote = await serve((_req, res) => res.end(JSON.stringify(clinicRemote())));
    const env = {
      SHELL_URL: shell.url,
      REMOTES: `mf-clinic=${remote.url}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    };
    gateway = await startGateway({ ...env, BROWSER_TRACES_SAMPLER_ARG: '1' }, { tracing });
    untraced = await startGateway(env, { tracing });
  });
  after(async () => {
    await gateway.close();
    await untraced.close();
    await tracing?.close();
    for (const server of [shell, remote, collector]) await server.close();
  });

  const send = async ({ url }: TestGateway, body: unknown, site = 'same-origin'): Promise<number> => {
    const headers = { 'sec-fetch-site': site };
    return (await ask(url, '/page-traces', { method: 'POST', headers, body: JSON.stringify(body) })).status;
  };

  it('are started by a script in sampled pages only, which no cache may share', async () => {
    const chosen = await gateway.ask('/login');
    assert.ok(chosen.text.includes(script), chosen.text);
    assert.equal(chosen.headers['cache-control'], 'private, no-cache');
    const other = await untraced.ask('/login');
    assert.ok(!other.text.includes('trace'), other.text);
    assert.equal(other.headers['cache-control'], 'no-cache');
  });

  it('reach the collector with route paths and calls in place of addresses', async () => {
    const sentAt = Date.now();
    assert.equal(await send(gateway, report), 204);
    const did = await collector.until(({ name }) => name === 'submit /appoinment/:_id bookAppointment');
    assert.deepEqual([did.traceId, did.spanId, did.parentSpanId], [traceId, report.spanId, undefined]);
    const read = await collector.until(({ name }) => name === 'GET listFreeDays');
    const booked = await collector.until(({ name }) => name === 'POST bookAppointment');
    assert.deepEqual(
      [read, booked].map(({ spanId, parentSpanId, kind }) => [spanId, parentSpanId, kind]),
      [call, booking].map(({ spanId }) => [spanId, report.spanId, 3]),
    );
    assert.equal(attributeOf(booked, 'http.response.status_code'), 409);
    const startedMs = Number(BigInt(did.startTimeUnixNano) / 1_000_000n);
    assert.ok(startedMs >= sentAt - 1000 && startedMs <= Date.now() - 1000, 'measured by our clock');
    assert.equal(BigInt(did.endTimeUnixNano) - BigInt(did.startTimeUnixNano), 300_000_000n);
    assert.ok(collector.services.has('browser'));
    assert.doesNotMatch(JSON.stringify(collector.spans), /beef/);
  });

  it('reveal nothing about people, whatever addresses or other content they carry', async () => {
    const unknown = { ...call, path: '/Ann-Lee' };
    assert.equal(await send(gateway, { ...report, page: '/about/Ann-Lee', note: 'Ann Lee', calls: [unknown] }), 204);
    await collector.until(({ name }) => name === 'submit [unknown] [unknown]');
    assert.doesNotMatch(JSON.stringify(collector.spans), /Ann/);
  });

  it('are rejected from other sites, if invalid, and where tracing is off', async () => {
    assert.equal(await send(gateway, report, 'cross-site'), 403);
    for (const bad of [
      { ...report, traceId: '0'.repeat(32) },
      { ...report, spanId: 'x' },
      { ...report, kind: 'Ann Lee' },
      { ...report, ms: -1 },
      { ...report, calls: [] },
      { ...report, calls: Array.from({ length: 31 }, () => call) },
      { ...report, calls: [{ ...call, method: 'Ann' }] },
      { ...report, page: `/${'a'.repeat(17_000)}` },
    ])
      assert.equal(await send(gateway, bad), 400, JSON.stringify(bad).slice(0, 300));
    assert.notEqual(await send(untraced, report), 204);
  });
});
