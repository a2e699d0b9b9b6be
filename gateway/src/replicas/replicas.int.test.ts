import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, it } from 'node:test';
import type { Problem } from '@clinic/contracts';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { billingPublication, startBilling, type Billing } from '../testing/billing.ts';
import { serveAll, type Answer, type Sent } from '../testing/servers.ts';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../testing/start-gateway.ts';

const started: { gateway?: TestGateway; billings: Billing[] } = { billings: [] };
afterEach(async () => {
  await started.gateway?.close();
  await Promise.all(started.billings.splice(0).map((billing) => billing.close()));
});

/** A billing service that responds with its name. */
async function replica(name: string, port = 0, host?: string): Promise<Billing> {
  const billing = await startBilling((_req, res) => res.end(name), billingPublication(), port, host);
  started.billings.push(billing);
  return billing;
}

async function gatewayBefore(urls: string, options: TestGatewayOptions = {}): Promise<TestGateway> {
  return (started.gateway = await startGateway({}, { services: { billing: urls }, ...options }));
}

const invoice = (gateway: TestGateway, init: Sent = {}): Promise<Answer> => gateway.ask('/invoices', init);

/** Number of these requests that each replica answered. */
async function shares(gateway: TestGateway, requests: number, init: Sent = {}): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let i = 0; i < requests; i += 1) {
    const { status, text } = await invoice(gateway, init);
    const key = status === 200 ? text : String(status);
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

const change = { method: 'POST', body: '{}' };

describe('the addresses of a service', () => {
  it('take turns, and the one with fewer requests in flight comes first', async () => {
    const held: ServerResponse[] = [];
    const busy = await startBilling((_req, res) => void held.push(res));
    started.billings.push(busy);
    const idle = await replica('idle');
    const gateway = await gatewayBefore(`${busy.url}|${idle.url}`);
    const first = [gateway.ask('/invoices'), gateway.ask('/invoices')];
    await Promise.race(first);
    await waitUntil(() => held.length > 0);
    assert.deepEqual(await shares(gateway, 10), { idle: 10 });
    held[0]?.end('busy');
    assert.deepEqual((await Promise.all(first)).map(({ text }) => text).toSorted(), ['busy', 'idle']);
  });

  it('may come and go behind one name', async () => {
    let ips = ['127.0.0.1', '127.0.0.2'];
    const one = await replica('one');
    await replica('two', one.port, '127.0.0.2');
    const three = await replica('three', one.port, '127.0.0.3');
    const gateway = await gatewayBefore(`http://billing.internal:${one.port}`, {
      resolve: async (host) => (host === 'billing.internal' ? ips : []),
    });
    assert.deepEqual(await shares(gateway, 10), { one: 5, two: 5 });
    ips = ['127.0.0.3', '127.0.0.2'];
    await gateway.gateway.poll();
    assert.deepEqual(await shares(gateway, 10), { two: 5, three: 5 });
    assert.equal(three.seen.length, 5);
    assert.match(String(gateway.gateway.health().parts['billing']), /billing\.internal:\d+ \(127\.0\.0\.3\) ready/);
  });

  it('get no requests before they report ready', async () => {
    let ips = ['127.0.0.1'];
    const one = await replica('one');
    const asked = Promise.withResolvers<ServerResponse>();
    await using _coming = await serveAll(
      (req, res) => void (req.url === '/health/ready' ? asked.resolve(res) : res.end('too early')),
      one.port,
      '127.0.0.2',
    );
    const gateway = await gatewayBefore(`http://billing.internal:${one.port}`, {
      resolve: async () => ips,
      pollEveryMs: 3_600_000,
    });
    ips = ['127.0.0.1', '127.0.0.2'];
    const poll = gateway.gateway.poll();
    const answer = await asked.promise;
    assert.deepEqual(await shares(gateway, 10), { one: 10 });
    answer.end();
    await poll;
    assert.deepEqual(await shares(gateway, 10), { one: 5, 'too early': 5 });
    await gateway.close();
    delete started.gateway;
  });

  it('are kept while the name does not resolve', async () => {
    let unresolvable = false;
    const one = await replica('one');
    const gateway = await gatewayBefore(`http://billing.internal:${one.port}`, {
      resolve: async () => {
        if (unresolvable) throw new Error('getaddrinfo EAI_AGAIN');
        return ['127.0.0.1'];
      },
    });
    unresolvable = true;
    await gateway.gateway.poll();
    assert.equal((await invoice(gateway)).text, 'one');
  });
});

describe('a replica that is not ready', () => {
  it('gets no new requests, finishes those it has, and is taken back when it is ready', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const stopping = await startBilling(
      (req, res) => void (req.url === '/invoices/long' ? held.resolve(res) : res.end('stopping')),
    );
    started.billings.push(stopping);
    const other = await replica('other');
    const gateway = await gatewayBefore(`${stopping.url}|${other.url}`);
    let long: Promise<Answer> | undefined;
    while (!stopping.seen.includes('GET /invoices/long')) {
      long = gateway.ask('/invoices/long');
      await Promise.race([long, held.promise]);
    }
    const answering = await held.promise;
    stopping.ready = 503;
    await gateway.gateway.poll();
    assert.deepEqual(await shares(gateway, 10), { other: 10 });
    answering.end('finished');
    assert.equal((await long)?.text, 'finished');
    stopping.ready = 200;
    await gateway.gateway.poll();
    assert.deepEqual(await shares(gateway, 10), { stopping: 5, other: 5 });
  });

  it('still gets requests if there is no other: its own error may be more useful', async () => {
    const only = await replica('only');
    only.ready = 503;
    const gateway = await gatewayBefore(only.url);
    assert.equal((await invoice(gateway)).text, 'only');
  });

  it('is detected when it closes the connection after a response', async () => {
    const leaving = await startBilling((_req, res) => {
      leaving.ready = 503;
      res.writeHead(200, { Connection: 'close' }).end('leaving');
    });
    started.billings.push(leaving);
    const other = await replica('other');
    const gateway = await gatewayBefore(`${leaving.url}|${other.url}`, { pollEveryMs: 3_600_000 });
    assert.deepEqual(await shares(gateway, 10), { leaving: 1, other: 9 });
  });
});

describe('a replica that fails', () => {
  it('costs nothing if it refuses connections: even a change is retried elsewhere, as it was never sent', async () => {
    const dead = await replica('dead');
    const other = await replica('other');
    const gateway = await gatewayBefore(`${dead.url}|${other.url}`, { pollEveryMs: 3_600_000 });
    await dead.close();
    assert.deepEqual(await shares(gateway, 6, change), { other: 6 });
    assert.deepEqual(await shares(gateway, 6), { other: 6 });
    assert.match(String(gateway.gateway.health().parts['billing']), /left out/);
    // Once it responds again, it gets requests at once.
    await replica('back', dead.port);
    await gateway.gateway.poll();
    assert.deepEqual(await shares(gateway, 10, change), { other: 5, back: 5 });
  });

  it('gets no requests after repeated failures until a trial succeeds', async () => {
    let broken = true;
    const flaky = await startBilling((req, res) => void (broken ? req.socket.resetAndDestroy() : res.end('flaky')));
    started.billings.push(flaky);
    const other = await replica('other');
    const gateway = await gatewayBefore(`${flaky.url}|${other.url}`);
    // Safe requests are retried on the other replica, so clients notice nothing.
    assert.deepEqual(await shares(gateway, 20), { other: 20 });
    assert.ok(flaky.seen.length < 10, `${flaky.seen.length} of 20 were tried there first`);
    // It reports ready, but its requests still fail.
    await gateway.gateway.poll();
    assert.deepEqual(await shares(gateway, 20), { other: 20 });
    assert.ok(flaky.seen.length < 12, `${flaky.seen.length} of 40 were tried there first`);
    broken = false;
    await waitUntil(async () => (await invoice(gateway)).text === 'flaky');
    assert.deepEqual(await shares(gateway, 10), { flaky: 5, other: 5 });
  });

  it('leads to a 503 at once, with Retry-After, if it is the only one', async () => {
    let broken = true;
    const flaky = await startBilling((req, res) => void (broken ? req.socket.resetAndDestroy() : res.end('flaky')));
    started.billings.push(flaky);
    const gateway = await gatewayBefore(flaky.url);
    await waitUntil(async () => {
      await invoice(gateway, change);
      assert.match(String(gateway.gateway.health().parts['billing']), /left out/);
    });
    const before = flaky.seen.length;
    const refused = await invoice(gateway);
    assert.equal(refused.status, 503);
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(refused.headers['content-type'], 'application/problem+json');
    assert.match(String(refused.json<Problem>().detail), /\(billing\) isn’t responding/);
    assert.equal(flaky.seen.length, before);
    broken = false;
    await waitUntil(async () => (await invoice(gateway)).status === 200);
  });
});

it('reuses connections between requests, whatever the method', async () => {
  const connections = new Set<unknown>();
  const billing = await startBilling((req, res) => {
    connections.add(req.socket);
    assert.equal(req.headers.connection, 'keep-alive', req.method);
    req.resume().on('end', () => res.end(req.method === 'HEAD' ? undefined : 'an invoice'));
  });
  started.billings.push(billing);
  const gateway = await gatewayBefore(billing.url, {
    // A poll would need a connection of its own.
    pollEveryMs: 3_600_000,
    onLog: ({ msg }) => assert.notEqual(msg, 'replica not ready'),
  });
  for (const method of ['GET', 'HEAD', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'GET']) {
    const body = /GET|HEAD|OPTIONS/.test(method) ? undefined : '{}';
    assert.equal(
      (
        await gateway.ask('/invoices', {
          method,
          body,
          headers: body === undefined ? {} : { 'Content-Length': '2' },
        })
      ).status,
      200,
      method,
    );
  }
  assert.equal(connections.size, 1);
});
