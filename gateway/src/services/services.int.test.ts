import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Problem, Registry } from '@clinic/contracts';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { billingPublication, startBilling, type Billing } from '../testing/billing.ts';
import { serve } from '../testing/servers.ts';
import { clinicRemote, startGateway, type TestGateway } from '../testing/start-gateway.ts';

const json = { headers: { Accept: 'application/json' } };

describe('a service the gateway does not know in advance', () => {
  let billing: Billing;
  let gateway: TestGateway;
  let lines: Record<string, unknown>[] = [];
  const logged = (msg: string): Record<string, unknown>[] => lines.filter((line) => line['msg'] === msg);
  const poll = (): Promise<void> => gateway.gateway.poll();
  beforeEach(async () => {
    lines = [];
    billing = await startBilling((_req, res) => res.end('an invoice'));
    gateway = await startGateway({}, { services: { billing: billing.url }, onLog: (line) => lines.push(line) });
  });
  afterEach(async () => {
    await gateway.close();
    await billing.close();
  });

  it('gets the requests for the segments it publishes', async () => {
    assert.equal((await gateway.ask('/invoices/7?x=1')).text, 'an invoice');
    assert.equal((await gateway.ask('/invoices', { method: 'POST', body: '{}' })).text, 'an invoice');
    assert.deepEqual(billing.seen, ['GET /invoices/7?x=1', 'POST /invoices']);
    assert.equal((await gateway.ask('/invoicesx', json)).status, 404);
    assert.match(String(gateway.gateway.health().parts['billing']), /^version 1\.0\.0; 127\.0\.0\.1:\d+ ready$/);
  });

  it('is rerouted when it publishes something else', async () => {
    billing.publication = billingPublication({ version: '1.1.0', segments: ['bills'] });
    await poll();
    assert.equal((await gateway.ask('/bills/7')).text, 'an invoice');
    assert.equal((await gateway.ask('/invoices/7', json)).status, 404);
    assert.deepEqual(
      logged('service registered').map(({ version }) => version),
      ['1.0.0', '1.1.0'],
    );
  });

  it('is polled regularly, also when its address changes', async () => {
    let ips = ['127.0.0.1'];
    await using own = await startGateway(
      {},
      { services: { billing: `http://billing.internal:${billing.port}` }, resolve: async () => ips, pollEveryMs: 40 },
    );
    billing.publication = billingPublication({ version: '1.1.0', segments: ['bills'] });
    await waitUntil(async () => (await own.ask('/bills/7', json)).status !== 404);
    await using _moved = await startBilling(
      (_req, res) => res.end('from elsewhere'),
      billingPublication({ segments: ['receipts'] }),
      billing.port,
      '127.0.0.2',
    );
    ips = ['127.0.0.2'];
    await waitUntil(async () => (await own.ask('/receipts', json)).status !== 404);
    assert.equal((await own.ask('/receipts')).text, 'from elsewhere');
    await waitUntil(async () => (await own.ask('/bills/7', json)).status === 404);
  });

  it('keeps its segments while its publication is invalid or it is unavailable', async () => {
    const other = { ...billingPublication(), segments: ['bills'] };
    const nonsense = [
      '',
      'no json',
      '[]',
      JSON.stringify({ ...other, name: 'clinic' }),
      JSON.stringify({ ...other, contractVersion: 2 }),
      JSON.stringify({ ...other, segments: ['a/b'] }),
      JSON.stringify({ ...other, segments: [] }),
      JSON.stringify({ ...other, calls: [{ id: 'pay', method: 'POST', path: '/bills/{:id' }] }),
    ];
    for (const text of nonsense) {
      billing.publication = text;
      await poll();
      assert.equal((await gateway.ask('/invoices/7')).text, 'an invoice', text);
      assert.equal((await gateway.ask('/bills/7', json)).status, 404, text);
    }
    assert.equal(
      logged('invalid publication, keeping the last good one').filter(({ upstream }) => upstream === 'billing').length,
      nonsense.length,
    );
    await billing.close();
    await poll();
    const unavailable = await gateway.ask('/invoices/7');
    assert.equal(unavailable.status, 503);
    assert.match(String(unavailable.json<Problem>().detail), /\(billing\)/);
    await using _back = await startBilling((_req, res) => res.end('back'), billingPublication(), billing.port);
    await poll();
    assert.equal((await gateway.ask('/invoices/7')).text, 'back');
  });

  it('does not get a segment that has another owner, which is logged once', async () => {
    billing.publication = billingPublication({
      segments: ['invoices', 'users', 'Medicine', 'about', 'ABOUT', 'mf', 'shell', 'health', 'login', 'appointments'],
    });
    await poll();
    await poll();
    assert.equal((await gateway.ask('/invoices/7')).text, 'an invoice');
    assert.equal((await gateway.ask('/users/7')).json<{ service: string }>().service, 'identity');
    for (const page of ['/about', '/login']) assert.match((await gateway.ask(page)).text, /id="registry"/, page);
    assert.deepEqual(billing.seen, ['GET /invoices/7']);
    assert.deepEqual(
      logged('segment left out: the address is taken').map(({ segment, takenBy }) => [segment, takenBy]),
      [
        ['users', 'service identity'],
        ['Medicine', 'service pharmacy'],
        ['about', 'pages'],
        ['ABOUT', 'pages'],
        ['mf', 'gateway'],
        ['shell', 'gateway'],
        ['health', 'gateway'],
        ['login', 'pages'],
        ['appointments', 'pages'],
      ],
    );
    assert.match(String(gateway.gateway.health().parts['billing']), /refused: \/users, /);
  });

  it('does not expose its publication or its health', async () => {
    for (const path of [
      '/.well-known/clinic-service',
      '/health/ready/../x',
      '/internal/session-feed',
      '/internal/staff',
      '/metrics',
    ])
      assert.notEqual((await gateway.ask(path, json)).status, 200, path);
    assert.equal((await gateway.ask('/health/ready')).text, 'ok\n');
    assert.deepEqual(billing.seen, []);
  });
});

describe('two claims to the same address', () => {
  it('are served first come, first served: the first keeps it until it releases it', async () => {
    const first = await startBilling((_req, res) => res.end('first'));
    const second = await startBilling((_req, res) => res.end('second'), billingPublication({ name: 'accounts' }));
    await using gateway = await startGateway({}, { services: { billing: first.url, accounts: second.url } });
    const owner = (await gateway.ask('/invoices')).text;
    const [winner, loser] = owner === 'first' ? [first, second] : [second, first];
    for (let polls = 0; polls < 3; polls += 1) await gateway.gateway.poll();
    assert.equal((await gateway.ask('/invoices')).text, owner);
    winner.publication = billingPublication({ name: winner === first ? 'billing' : 'accounts', segments: ['bills'] });
    await gateway.gateway.poll();
    assert.notEqual((await gateway.ask('/invoices')).text, owner);
    assert.equal((await gateway.ask('/bills')).text, owner);
    await Promise.all([winner.close(), loser.close()]);
  });

  it('are served the same way if one is a page’s: the later page waits until the address is free', async () => {
    const page = { path: '/invoices/:id', layout: 'public', access: 'everyone', title: 'Invoice' } as const;
    let descriptor = clinicRemote();
    await using remote = await serve((_req, res) => res.end(JSON.stringify(descriptor)));
    await using billing = await startBilling((_req, res) => res.end('an invoice'));
    await using gateway = await startGateway(
      { REMOTES: `mf-clinic=${remote.url}` },
      { services: { billing: billing.url } },
    );
    const listed = async (): Promise<string[]> =>
      (await gateway.ask('/registry.json')).json<Registry>().remotes[0]?.pages.map(({ path }) => path) ?? [];
    descriptor = { ...clinicRemote('1.1.0'), pages: [...clinicRemote().pages, page] };
    await gateway.gateway.poll();
    assert.equal((await gateway.ask('/invoices/7')).text, 'an invoice');
    assert.ok(!(await listed()).includes(page.path));
    billing.publication = billingPublication({ segments: ['bills'] });
    await gateway.gateway.poll();
    assert.match((await gateway.ask('/invoices/7')).text, /id="registry"/);
    assert.ok((await listed()).includes(page.path));
  });
});
