import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { serve, serveAll, type TestServer } from '../testing/servers.ts';
import { startWorkers, Visitor, type RunningGateway } from '../testing/several-workers.ts';
import { clinicRemote, publicRemote, shellHtml } from '../testing/start-gateway.ts';

const timeout = 120_000;

describe('a gateway of two workers', { timeout }, () => {
  let clinic: TestServer;
  let shell: TestServer;
  let remote: TestServer;
  let gateway: RunningGateway;
  let doctors = 0;
  let version = '1.0.0';
  const held: ServerResponse[] = [];
  const visitors: Visitor[] = [];

  before(async () => {
    clinic = await serve((req, res) => {
      if (req.url === '/appoinments/held') return void held.push(res);
      if (req.method === 'POST') doctors += 1;
      res.end(JSON.stringify({ doctors }));
    });
    shell = await serve((_req, res) => res.end(shellHtml));
    remote = await serve((_req, res) => res.end(JSON.stringify({ ...publicRemote, version })));
  });
  after(() => Promise.all([clinic, shell, remote].map((server) => server.close())));
  beforeEach(async () => {
    gateway = await startWorkers(2, {
      SERVICES: `clinic=${clinic.url}`,
      SHELL_URL: shell.url,
      REMOTES: `mf-public=${remote.url}`,
    });
    visitors.push(...Array.from({ length: 8 }, () => new Visitor(gateway.url)));
  });
  afterEach(async () => {
    for (const visitor of visitors.splice(0)) visitor.leave();
    await gateway.stop();
  });

  const everybodyAsks = (path: string): Promise<{ status: number; text: string }[]> =>
    Promise.all(visitors.map((visitor) => visitor.ask(path)));
  /** The workers that answered requests for a path. */
  const answeredBy = (path: string): Set<unknown> =>
    new Set(gateway.log.filter(({ msg, url }) => msg === 'request' && url === path).map(({ worker }) => worker));
  const requestsCounted = async (): Promise<number> => {
    const text = await (await fetch(`${gateway.operatorsUrl}/metrics`)).text();
    return Number(
      /gateway_request_duration_seconds_count\{target="clinic",method="GET",status="2xx"\} (\d+)/.exec(text)?.[1] ?? 0,
    );
  };

  it('answers from both workers and adds up their metrics', async () => {
    await everybodyAsks('/appoinments?limit=1');
    // Log lines are buffered.
    await gateway.logged(
      () => gateway.log.filter(({ url }) => url === '/appoinments?limit=1').length === visitors.length,
    );
    assert.equal(answeredBy('/appoinments?limit=1').size, 2);
    assert.equal(await requestsCounted(), visitors.length);
    const ready = await fetch(`${gateway.operatorsUrl}/health/ready`);
    const { parts } = (await ready.json()) as { parts: Record<string, string> };
    assert.equal(ready.status, 200);
    assert.equal(parts['workers'], '2 of 2 ready');
    assert.match(String(parts['mf-public']), /^ok, version 1\.0\.0/);
  });

  it('shows a change to all clients at once, whichever worker forwarded it', async () => {
    for (let round = 0; round < 40; round += 1) {
      await everybodyAsks('/doctors');
      const { text } = (await visitors[round % visitors.length]?.ask('/doc-pharma', 'POST')) ?? assert.fail();
      const seen = await everybodyAsks('/doctors');
      assert.deepEqual(
        seen.map((answer) => answer.text),
        visitors.map(() => text),
      );
    }
  });

  it('caches no list while a change is in flight in another worker', async () => {
    const slow = new Visitor(gateway.url);
    const change = slow.ask('/appoinments/held', 'POST');
    await waitUntil(async () => {
      await everybodyAsks('/doctors');
      return held.length > 0;
    });
    doctors += 1;
    const seen = await everybodyAsks('/doctors');
    assert.deepEqual(
      seen.map(({ text }) => text),
      visitors.map(() => JSON.stringify({ doctors })),
    );
    doctors += 1;
    const again = await everybodyAsks('/doctors');
    assert.deepEqual(
      again.map(({ text }) => text),
      visitors.map(() => JSON.stringify({ doctors })),
    );
    held.pop()?.end();
    assert.equal((await change).status, 200);
    slow.leave();
  });

  it('replaces a worker that dies, stays available meanwhile, and keeps its counters', async () => {
    await everybodyAsks('/appoinments');
    const before = await requestsCounted();
    const [first = 0, second = 0] = gateway.workers();
    process.kill(first, 'SIGKILL');
    await gateway.logged(({ msg }) => msg === 'worker exited, will be replaced');
    const newcomer = new Visitor(gateway.url);
    assert.equal((await newcomer.ask('/appoinments')).status, 200);
    newcomer.leave();
    assert.ok((await requestsCounted()) >= before);
    await gateway.logged(() => gateway.workers().length === 3);
    process.kill(second, 'SIGKILL');
    await gateway.logged(() => gateway.workers().length === 4);
    for (const visitor of visitors.splice(0)) visitor.leave();
    visitors.push(...Array.from({ length: 8 }, () => new Visitor(gateway.url)));
    assert.deepEqual(
      (await everybodyAsks('/appoinments')).map(({ status }) => status),
      visitors.map(() => 200),
    );
    await everybodyAsks('/doctors');
    const { text } = (await visitors[0]?.ask('/doc-pharma', 'POST')) ?? assert.fail();
    assert.deepEqual(
      (await everybodyAsks('/doctors')).map((answer) => answer.text),
      visitors.map(() => text),
    );
    assert.ok((await requestsCounted()) > before);
  });

  it('updates the registry in both workers', async () => {
    version = '2.0.0';
    for (const visitor of visitors) {
      await waitUntil(async () => (await visitor.ask('/registry.json')).text.includes('"version":"2.0.0"'));
    }
    version = '1.0.0';
  });

  it('finishes requests in flight in both workers when it stops, and leaves no process behind', async () => {
    const running = everybodyAsks('/appoinments/held');
    await waitUntil(() => held.length === visitors.length);
    const stopped = gateway.stop();
    await gateway.logged(
      () => gateway.log.filter(({ msg, worker }) => msg === 'stopping' && worker !== undefined).length === 2,
    );
    for (const res of held.splice(0)) res.end('finished');
    assert.deepEqual(
      (await running).map(({ status, text }) => [status, text]),
      visitors.map(() => [200, 'finished']),
    );
    assert.equal(await stopped, 0);
    for (const pid of gateway.workers()) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });
});

describe('workers that cannot start', { timeout }, () => {
  it('end the gateway, which reports why', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const env = {
      SERVICES: 'clinic=http://127.0.0.1:1',
      SHELL_URL: 'http://127.0.0.1:1',
      REMOTES: 'mf-clinic=http://127.0.0.1:1',
      PORT: String((taken.address() as AddressInfo).port),
    };
    await assert.rejects(startWorkers(2, env), /ended with 1: [^]*EADDRINUSE/);
    taken.close();
  });
});

describe('two services that claim the same segment', { timeout }, () => {
  it('are routed the same way by all workers', async () => {
    const publication = (name: string): string =>
      JSON.stringify({ name, version: '1.0.0', contractVersion: 1, segments: ['invoices'], calls: [] });
    const start = (name: string): Promise<TestServer> =>
      serveAll((req, res) => void res.end(req.url?.startsWith('/.well-known') ? publication(name) : name));
    const servers = await Promise.all([start('billing'), start('ledger')]);
    const shell = await serve((_req, res) => res.end(shellHtml));
    const remote = await serve((_req, res) => res.end(JSON.stringify(clinicRemote())));
    const gateway = await startWorkers(4, {
      SERVICES: `billing=${servers[0]?.url},ledger=${servers[1]?.url}`,
      SHELL_URL: shell.url,
      REMOTES: `mf-clinic=${remote.url}`,
    });
    const visitors = Array.from({ length: 8 }, () => new Visitor(gateway.url));
    const owners = new Set(
      (await Promise.all(visitors.map((visitor) => visitor.ask('/invoices')))).map(({ text }) => text),
    );
    assert.equal(owners.size, 1);
    for (const visitor of visitors) visitor.leave();
    assert.equal(await gateway.stop(), 0);
    await Promise.all([...servers, shell, remote].map((server) => server.close()));
  });
});
