import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Problem, Registry } from '@clinic/contracts';
import { pages, redirects } from '@clinic/contracts/pages';
import { personalDataPath, type PersonalDataCalls } from '@clinic/contracts/personal-data-calls';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { billingPublication, startBilling, type Billing } from '../testing/billing.ts';
import { emptyFolder } from '../testing/remembered.ts';
import { ask, serve, type Answer } from '../testing/servers.ts';
import { clinicRemote, startGateway, type TestGateway } from '../testing/start-gateway.ts';

const json = { headers: { Accept: 'application/json' } };
const codeOf = (answer: Answer): string => answer.json<Problem>().code;

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
    assert.equal((await ask(gateway.url, '/invoices/7?x=1')).text, 'an invoice');
    assert.equal((await ask(gateway.url, '/invoices', { method: 'POST', body: '{}' })).text, 'an invoice');
    assert.deepEqual(billing.seen, ['GET /invoices/7?x=1', 'POST /invoices']);
    assert.equal((await ask(gateway.url, '/invoicesx', json)).status, 404);
    assert.match(String(gateway.gateway.health().parts['billing']), /^version 1\.0\.0; 127\.0\.0\.1:\d+ ready$/);
  });

  it('is rerouted when it publishes something else', async () => {
    billing.publication = billingPublication({ version: '1.1.0', segments: ['bills'] });
    await poll();
    assert.equal((await ask(gateway.url, '/bills/7')).text, 'an invoice');
    assert.equal((await ask(gateway.url, '/invoices/7', json)).status, 404);
    assert.deepEqual(
      logged('service registered').map(({ version }) => version),
      ['1.0.0', '1.1.0'],
    );
  });

  it('is polled regularly, also when its address changes', async () => {
    let ips = ['127.0.0.1'];
    const own = await startGateway(
      {},
      { services: { billing: `http://billing.internal:${billing.port}` }, resolve: async () => ips, pollEveryMs: 40 },
    );
    billing.publication = billingPublication({ version: '1.1.0', segments: ['bills'] });
    await waitUntil(async () => (await ask(own.url, '/bills/7', json)).status !== 404);
    const moved = await startBilling(
      (_req, res) => res.end('from elsewhere'),
      billingPublication({ segments: ['receipts'] }),
      billing.port,
      '127.0.0.2',
    );
    ips = ['127.0.0.2'];
    await waitUntil(async () => (await ask(own.url, '/receipts', json)).status !== 404);
    assert.equal((await ask(own.url, '/receipts')).text, 'from elsewhere');
    await waitUntil(async () => (await ask(own.url, '/bills/7', json)).status === 404);
    await own.close();
    await moved.close();
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
    ];
    for (const text of nonsense) {
      billing.publication = text;
      await poll();
      assert.equal((await ask(gateway.url, '/invoices/7')).text, 'an invoice', text);
      assert.equal((await ask(gateway.url, '/bills/7', json)).status, 404, text);
    }
    assert.equal(
      logged('invalid publication, keeping the last good one').filter(({ upstream }) => upstream === 'billing').length,
      nonsense.length,
    );
    await billing.close();
    await poll();
    const unavailable = await ask(gateway.url, '/invoices/7');
    assert.equal(unavailable.status, 503);
    assert.match(String(unavailable.json<Problem>().detail), /\(billing\)/);
    const back = await startBilling((_req, res) => res.end('back'), billingPublication(), billing.port);
    await poll();
    assert.equal((await ask(gateway.url, '/invoices/7')).text, 'back');
    await back.close();
  });

  it('does not get a segment that has another owner, which is logged once', async () => {
    billing.publication = billingPublication({
      segments: ['invoices', 'users', 'Medicine', 'about', 'ABOUT', 'mf', 'shell', 'health', 'login', 'appointments'],
    });
    await poll();
    await poll();
    assert.equal((await ask(gateway.url, '/invoices/7')).text, 'an invoice');
    assert.equal((await ask(gateway.url, '/users/7')).json<{ service: string }>().service, 'identity');
    for (const page of ['/about', '/login']) assert.match((await ask(gateway.url, page)).text, /id="registry"/, page);
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
      assert.notEqual((await ask(gateway.url, path, json)).status, 200, path);
    assert.equal((await ask(gateway.url, '/health/ready')).text, 'ok\n');
    assert.deepEqual(billing.seen, []);
  });
});

describe('two claims to the same address', () => {
  it('are served first come, first served: the first keeps it until it releases it', async () => {
    const first = await startBilling((_req, res) => res.end('first'));
    const second = await startBilling((_req, res) => res.end('second'), billingPublication({ name: 'accounts' }));
    const gateway = await startGateway({}, { services: { billing: first.url, accounts: second.url } });
    const owner = (await ask(gateway.url, '/invoices')).text;
    const [winner, loser] = owner === 'first' ? [first, second] : [second, first];
    for (let polls = 0; polls < 3; polls += 1) await gateway.gateway.poll();
    assert.equal((await ask(gateway.url, '/invoices')).text, owner);
    winner.publication = billingPublication({ name: winner === first ? 'billing' : 'accounts', segments: ['bills'] });
    await gateway.gateway.poll();
    assert.notEqual((await ask(gateway.url, '/invoices')).text, owner);
    assert.equal((await ask(gateway.url, '/bills')).text, owner);
    await gateway.close();
    await Promise.all([winner.close(), loser.close()]);
  });

  it('are served the same way if one is a page’s: the later page waits until the address is free', async () => {
    const page = { path: '/invoices/:id', layout: 'public', access: 'everyone', title: 'Invoice' } as const;
    let descriptor = clinicRemote();
    const remote = await serve((_req, res) => res.end(JSON.stringify(descriptor)));
    const billing = await startBilling((_req, res) => res.end('an invoice'));
    const gateway = await startGateway({ REMOTES: `mf-clinic=${remote.url}` }, { services: { billing: billing.url } });
    const listed = async (): Promise<string[]> =>
      (await ask(gateway.url, '/registry.json')).json<Registry>().remotes[0]?.pages.map(({ path }) => path) ?? [];
    descriptor = { ...clinicRemote('1.1.0'), pages: [...pages['mf-clinic'], page], redirects: redirects['mf-clinic'] };
    await gateway.gateway.poll();
    assert.equal((await ask(gateway.url, '/invoices/7')).text, 'an invoice');
    assert.ok(!(await listed()).includes(page.path));
    billing.publication = billingPublication({ segments: ['bills'] });
    await gateway.gateway.poll();
    assert.match((await ask(gateway.url, '/invoices/7')).text, /id="registry"/);
    assert.ok((await listed()).includes(page.path));
    await gateway.close();
    await Promise.all([remote.close(), billing.close()]);
  });
});

const ourPaths = ['/jwt/session', '/users', '/update-role/1', '/doctors', '/appoinments', '/medicine', '/orderMedi'];

describe('a gateway that starts while services are unavailable', () => {
  let dead = '';
  before(async () => {
    const server = await serve(() => undefined);
    await server.close();
    dead = server.url;
  });
  const allDead = () => ({ identity: dead, clinic: dead, pharmacy: dead });
  const isUnavailable = (answer: Answer, path: string): void => {
    assert.deepEqual([answer.status, codeOf(answer)], [503, 'unavailable'], path);
    assert.ok(Number(answer.headers['retry-after']) >= 1);
  };

  it('treats the addresses of known services as unavailable, not unknown', async () => {
    const gateway = await startGateway({}, { services: allDead() });
    for (const path of ourPaths) {
      const answer = await ask(gateway.url, path, json);
      isUnavailable(answer, path);
      assert.match(String(answer.json<Problem>().detail), /\((?:identity|clinic|pharmacy)\)/);
    }
    assert.equal((await ask(gateway.url, '/invoices', json)).status, 404);
    assert.equal((await ask(gateway.url, '/invoices', { method: 'POST', body: '{}' })).status, 405);
    await gateway.close();
  });

  it('treats any free address as unavailable until every new service has published', async (t) => {
    const folder = emptyFolder();
    t.after(() => folder.remove());
    const env = { PUBLICATIONS_DIR: folder.path };
    const gateway = await startGateway(env, { services: { ...allDead(), billing: dead } });
    for (const path of [...ourPaths, '/invoices']) {
      isUnavailable(await ask(gateway.url, path, json), path);
      isUnavailable(await ask(gateway.url, path, { method: 'POST', body: '{}' }), path);
    }
    const page = await ask(gateway.url, '/invoices', { headers: { Accept: 'text/html' } });
    assert.deepEqual([page.status, page.headers['content-type']], [503, 'text/html; charset=utf-8']);
    // Pages, the gateway's own addresses and those no service may claim work as before.
    const others = { '/': 200, '/about': 200, '/robots.txt': 200, '/health/live': 200, '/nothing.txt': 404 };
    for (const [path, status] of Object.entries(others))
      assert.equal((await ask(gateway.url, path)).status, status, path);
    await gateway.close();

    const billing = await startBilling((_req, res) => res.end('an invoice'), billingPublication());
    const alone = await startGateway({ ...env, SERVICES: `billing=${billing.url}` });
    assert.equal((await ask(alone.url, '/invoices')).text, 'an invoice');
    assert.equal((await ask(alone.url, '/users', json)).status, 404);
    await alone.close();
    await billing.close();
  });

  it('remembers what a service published last, calls included', async (t) => {
    const folder = emptyFolder();
    t.after(() => folder.remove());
    const list = { id: 'list', method: 'GET', path: '/invoices/shared', shared: true };
    const billing = await startBilling((_req, res) => res.end('an invoice'), billingPublication({}, [list]));
    t.after(() => billing.close());
    const env = { PUBLICATIONS_DIR: folder.path, SERVICES: `billing=${billing.url}` };
    const first = await startGateway(env);
    billing.publication = billingPublication({ version: '1.1.0', segments: ['invoices', 'bills'] }, [list]);
    await first.gateway.poll();
    await first.close();

    billing.publication = 'not now';
    const second = await startGateway(env);
    assert.match(String(second.gateway.health().parts['billing']), /^version 1\.1\.0; /);
    for (let visit = 0; visit < 2; visit += 1) await ask(second.url, '/invoices/shared');
    await ask(second.url, '/bills/7');
    assert.deepEqual(billing.seen, ['GET /invoices/shared', 'GET /bills/7']);
    assert.equal((await ask(second.url, '/users', json)).status, 404);
    await second.close();
  });

  it('ignores and logs a remembered publication that is unreadable or invalid', async (t) => {
    const folder = emptyFolder();
    t.after(() => folder.remove());
    const contents = ['', '{"half', '{}', JSON.stringify(billingPublication({ name: 'clinic' }))];
    for (const text of contents) {
      writeFileSync(path.join(folder.path, 'billing.json'), text);
      const lines: Record<string, unknown>[] = [];
      const gateway = await startGateway(
        { PUBLICATIONS_DIR: folder.path, SERVICES: `billing=${dead}` },
        { onLog: (line) => lines.push(line) },
      );
      isUnavailable(await ask(gateway.url, '/invoices', json), text);
      assert.equal(lines.filter(({ msg }) => msg === 'the remembered publication was ignored').length, 1, text);
      await gateway.close();
    }
  });

  it('works without a folder it can write to', async (t) => {
    const folder = emptyFolder();
    t.after(() => folder.remove());
    const file = path.join(folder.path, 'a file');
    writeFileSync(file, '');
    const billing = await startBilling((_req, res) => res.end('an invoice'));
    t.after(() => billing.close());
    const gateway = await startGateway({ PUBLICATIONS_DIR: file, SERVICES: `billing=${billing.url}` });
    assert.equal((await ask(gateway.url, '/invoices')).text, 'an invoice');
    await gateway.close();
  });
});

describe('a published call', () => {
  const holding: ServerResponse[] = [];
  const calls = [
    { id: 'slow', method: 'POST', path: '/invoices/slow', timeoutSeconds: 60 },
    { id: 'quick', method: 'GET', path: '/invoices/:id/quick', timeoutSeconds: 0.05 },
    { id: 'upload', method: 'PUT', path: '/invoices/:id', maxBodyBytes: 300_000 },
    { id: 'watch', method: 'GET', path: '/invoices/changes', stream: true },
    { id: 'list', method: 'GET', path: '/invoices/shared', shared: true },
    { id: 'once', method: 'GET', path: '/invoices/once', safe: false },
  ];
  let billing: Billing;
  let gateway: TestGateway;
  beforeEach(async () => {
    billing = await startBilling(
      (req, res) => {
        let bytes = 0;
        req.on('data', (chunk: Buffer) => (bytes += chunk.length));
        req.on('end', () => {
          if (/slow|quick/.test(req.url ?? '')) holding.push(res);
          else if (req.url?.endsWith('once')) req.socket.resetAndDestroy();
          else res.end(String(bytes));
        });
      },
      billingPublication({}, calls),
    );
    gateway = await startGateway({}, { services: { billing: billing.url } });
  });
  afterEach(async () => {
    await gateway.close();
    await billing.close();
  });
  after(() => holding.splice(0));

  it('may set its timeout', async () => {
    const slow = ask(gateway.url, '/invoices/slow', { method: 'POST', body: '{}' });
    const quick = await ask(gateway.url, '/invoices/7/quick');
    assert.equal(quick.status, 503);
    assert.match(String(quick.json<Problem>().detail), /too long to respond/);
    for (const res of holding) res.end('late');
    assert.equal((await slow).text, 'late');
  });

  it('may set its maximum body size', async () => {
    const body = 'x'.repeat(250_000);
    assert.equal((await ask(gateway.url, '/invoices/7', { method: 'PUT', body })).text, '250000');
    assert.equal((await ask(gateway.url, '/invoices/7', { method: 'PATCH', body })).status, 413);
  });

  it('may say whether its response is shared and whether it may be retried', async () => {
    await ask(gateway.url, '/invoices/shared');
    await ask(gateway.url, '/invoices/shared');
    await ask(gateway.url, '/invoices/7');
    await ask(gateway.url, '/invoices/7');
    assert.deepEqual(billing.seen, ['GET /invoices/shared', 'GET /invoices/7', 'GET /invoices/7']);
    assert.equal((await ask(gateway.url, '/invoices/once')).status, 503);
    assert.deepEqual(billing.seen.slice(3), ['GET /invoices/once']);
  });

  it('that copies or erases personal data is listed, with the services that haven’t published theirs', async () => {
    const path = '/invoices/erasure';
    billing.publication = billingPublication({}, [
      { id: 'eraseBilling', method: 'POST', path, personalData: 'erasure' },
      // Another service's address.
      { id: 'eraseUsers', method: 'POST', path: '/users/erasure', personalData: 'erasure' },
    ]);
    await gateway.gateway.poll();
    const { calls: listed, unknown } = (await ask(gateway.url, personalDataPath)).json<PersonalDataCalls>();
    assert.deepEqual(
      listed.map(({ service, id }) => `${service}: ${id}`),
      [
        'clinic: exportClinicData',
        'clinic: eraseClinicData',
        'pharmacy: exportPharmacyData',
        'pharmacy: erasePharmacyData',
        'billing: eraseBilling',
      ],
    );
    assert.deepEqual(listed.at(-1), {
      service: 'billing',
      id: 'eraseBilling',
      method: 'POST',
      path,
      personalData: 'erasure',
    });
    assert.deepEqual(unknown, []);

    const folder = emptyFolder();
    const dead = await serve(() => undefined);
    await dead.close();
    const other = await startGateway({ PUBLICATIONS_DIR: folder.path }, { services: { billing: dead.url } });
    assert.deepEqual((await ask(other.url, personalDataPath)).json<PersonalDataCalls>().unknown.at(-1), 'billing');
    await other.close();
    folder.remove();
  });
});
