import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Problem } from '@clinic/contracts';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { createInternalServer } from './operators/operators-server.ts';
import { billingPublication, startBilling, type Billing } from './testing/billing.ts';
import { ask } from './testing/servers.ts';
import { startGateway, type TestGateway } from './testing/start-gateway.ts';

let billing: Billing;
let broken: Billing;
let gateway: TestGateway;
let lines: Record<string, unknown>[] = [];
const held: ServerResponse[] = [];
const ids: unknown[] = [];
beforeEach(async () => {
  lines = [];
  ids.splice(0);
  billing = await startBilling((req, res) => {
    ids.push(req.headers['x-request-id']);
    if (req.url === '/invoices/held') held.push(res);
    else res.writeHead(req.url === '/invoices/unknown' ? 404 : 200).end();
  });
  broken = await startBilling(
    (req) => req.socket.resetAndDestroy(),
    billingPublication({ name: 'broken', segments: ['broken'] }),
  );
  gateway = await startGateway(
    {},
    { services: { billing: billing.url, broken: broken.url }, onLog: (line) => lines.push(line) },
  );
});
afterEach(async () => {
  await gateway.close();
  await Promise.all([billing.close(), broken.close()]);
});

const metrics = (): Promise<string> => gateway.gateway.metrics.registry.metrics();

describe('metrics', () => {
  it('count requests, errors and durations by part, and show the state of its replicas', async () => {
    await gateway.ask('/invoices');
    await gateway.ask('/invoices/unknown');
    await gateway.ask('/broken', { method: 'POST', body: '{}' });
    await gateway.ask('/broken');
    const running = gateway.ask('/invoices/held');
    await waitUntil(() => held.length > 0);
    const text = await metrics();
    const { host } = new URL(billing.url);
    const expected = [
      'gateway_request_duration_seconds_count{target="billing",method="GET",status="2xx"} 1',
      'gateway_request_duration_seconds_count{target="billing",method="GET",status="4xx"} 1',
      'gateway_request_duration_seconds_count{target="broken",method="POST",status="5xx"} 1',
      'gateway_requests_in_flight{target="billing"} 1',
      'gateway_streams_open{target="billing"} 0',
      `gateway_replica_left_out{target="billing",replica="${host}"} 0`,
      `gateway_replica_ready{target="billing",replica="${host}"} 1`,
      'gateway_retries_total{target="broken"} 1',
      'gateway_failures_total{target="broken",reason="down"} 2',
    ];
    for (const line of expected)
      assert.ok(
        text.split('\n').includes(line),
        `${line} in\n${text
          .split('\n')
          .filter((one) => one.startsWith('gateway_'))
          .join('\n')}`,
      );
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
    held[0]?.end();
    await running;
    const open = `gateway_replica_left_out{target="broken",replica="${new URL(broken.url).host}"} 1`;
    await waitUntil(async () => {
      await gateway.ask('/broken');
      return (await metrics()).includes(open);
    });
  });

  it('have their own port', async () => {
    assert.equal((await gateway.ask('/metrics', { headers: { Accept: 'application/json' } })).status, 404);
    const internal = createInternalServer(gateway.gateway);
    internal.listen(0, '127.0.0.1');
    await once(internal, 'listening');
    const url = `http://127.0.0.1:${(internal.address() as AddressInfo).port}`;
    assert.match((await ask(url, '/metrics')).text, /^gateway_replica_ready/m);
    const ready = (await ask(url, '/health/ready')).json<{ parts: Record<string, string> }>();
    assert.match(String(ready.parts['billing']), /^version 1\.0\.0; 127\.0\.0\.1:\d+ ready$/);
    assert.match(String(ready.parts['mf-public']), /^ok, version /);
    // Every service that the gateway knows, also one added later, for Prometheus.
    const targets = (await ask(url, '/targets')).json<{ targets: string[]; labels: { part: string } }[]>();
    assert.deepEqual(targets.find(({ labels }) => labels.part === 'svc-billing')?.targets, ['127.0.0.1:0']);
    internal.closeAllConnections();
    internal.close();
  });
});

describe('the log', () => {
  it('has each request with the id that service and client see, its target, and the reason for a failure', async () => {
    const answered = await gateway.ask('/invoices');
    const lost = await gateway.ask('/broken?email=ann@clinic.example', {
      method: 'POST',
      body: '{}',
      headers: { 'X-Request-Id': 'ab'.repeat(16) },
    });
    await gateway.ask('/invoices', { headers: { 'X-Request-Id': 'Ann.Lee-12345' } });
    const lostId = String(lost.headers['x-request-id']);
    await gateway.gateway.poll();
    const requests = lines.filter(({ msg }) => msg === 'request');
    assert.deepEqual(
      requests
        .slice(0, 2)
        .map(({ requestId, method, url, status, target, replica }) => [
          requestId,
          method,
          url,
          status,
          target,
          replica,
        ]),
      [
        [answered.headers['x-request-id'], 'GET', '/invoices', 200, 'billing', new URL(billing.url).host],
        [lostId, 'POST', '/broken?email=[redacted]', 503, 'broken', new URL(broken.url).host],
      ],
    );
    assert.equal(ids.at(0), answered.headers['x-request-id']);
    assert.equal(lost.json<Problem>().requestId, lostId);
    // Our pages' own request ids help to investigate requests without a response; other clients' ids aren't logged.
    assert.deepEqual(
      requests.map(({ clientRequestId }) => clientRequestId),
      [undefined, 'ab'.repeat(16), undefined],
    );
    assert.doesNotMatch(JSON.stringify(lines), /Ann\.Lee/);
    const [why] = lines.filter(({ msg }) => msg === 'no response from upstream');
    assert.deepEqual([why?.['requestId'], why?.['upstream'], why?.['reason']], [lostId, 'broken', 'down']);
  });
});

describe('too many requests at once', () => {
  it('are rejected with Retry-After, without affecting other services', async () => {
    held.splice(0);
    const running = Array.from({ length: 200 }, () => gateway.ask('/invoices/held'));
    await waitUntil(() => held.length === 200);
    const refused = await gateway.ask('/invoices');
    assert.equal(refused.status, 503);
    assert.equal(refused.headers['retry-after'], '1');
    assert.match(String(refused.json<Problem>().detail), /^This part of the clinic \(billing\) is busy/);
    assert.equal((await gateway.ask('/users')).status, 200);
    for (const res of held) res.end();
    assert.deepEqual([...new Set((await Promise.all(running)).map(({ status }) => status))], [200]);
    assert.equal((await gateway.ask('/invoices')).status, 200);
  });

  it('from one network, whatever its addresses, leave capacity for others', async () => {
    held.splice(0);
    await using behindProxy = await startGateway({ TRUST_PROXY: 'true' }, { services: { billing: billing.url } });
    const from = (address: string, path: string) => behindProxy.ask(path, { headers: { 'X-Forwarded-For': address } });
    // One household or rented server has all addresses of a /64.
    const running = Array.from({ length: 200 }, (_, one) => from(`2001:db8:1:2::${one}`, '/invoices/held'));
    await waitUntil(() => held.length === 200);
    assert.equal((await from('2001:db8:1:2::1000', '/invoices')).status, 503);
    for (let one = 0; one < 10; one += 1) assert.equal((await from('198.51.100.7', '/invoices')).status, 200);
    // Many such networks together still can't exceed the reserve: 250 in all.
    const others = Array.from({ length: 50 }, (_, one) => from(`198.51.100.${one}`, '/invoices/held'));
    await waitUntil(() => held.length === 250);
    assert.equal((await from('198.51.100.77', '/invoices')).status, 503);
    for (const res of held) res.end();
    assert.deepEqual([...new Set((await Promise.all([...running, ...others])).map(({ status }) => status))], [200]);
  });
});
