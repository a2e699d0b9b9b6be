// During a deployment, a front-end's old and new servers run side by side.
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { serve, serveAll, type TestServer } from '../testing/servers.ts';
import { clinicRemote, startGateway, type TestGateway } from '../testing/start-gateway.ts';

describe('two servers of one front-end', () => {
  const files = [new Set(['/old.js', '/both.js']), new Set(['/new.js', '/both.js'])];
  const asked: string[] = [];
  const ready = 'ok\n';
  const servers: TestServer[] = [];
  let gateway: TestGateway;
  before(async () => {
    for (const [index, has] of files.entries()) {
      servers.push(
        await serveAll((req, res) => {
          const url = req.url ?? '';
          if (url === '/health/ready') return void res.end(ready);
          if (url === '/remote.json') return void res.end(JSON.stringify(clinicRemote()));
          // Polled, like those two.
          if (url === '/releases.json') return void res.writeHead(404).end();
          asked.push(`${index} ${req.method} ${url}`);
          if (has.has(url)) res.end(`server ${index}`);
          else res.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found\n');
        }),
      );
    }
    gateway = await startGateway({ REMOTES: `mf-clinic=${servers.map(({ url }) => url).join('|')}` });
  });
  after(async () => {
    await gateway.close();
    for (const server of servers) await server.close();
  });

  it('are both tried for a file that only one has', async () => {
    for (let i = 0; i < 4; i += 1) {
      for (const [path, text] of [
        ['/old.js', 'server 0'],
        ['/new.js', 'server 1'],
      ] as const) {
        const answer = await gateway.ask(`/mf/mf-clinic${path}`);
        assert.deepEqual([answer.status, answer.text], [200, text]);
        assert.equal((await gateway.ask(`/mf/mf-clinic${path}`, { method: 'HEAD' })).status, 200);
      }
    }
    assert.match(
      await gateway.gateway.metrics.registry.metrics(),
      /^gateway_retries_total\{target="mf-clinic"\} [1-9]/m,
    );
  });

  it('answer 404 if neither has it, after each is tried once', async () => {
    asked.length = 0;
    const answer = await gateway.ask('/mf/mf-clinic/none.js');
    assert.deepEqual([answer.status, answer.text], [404, 'not found\n']);
    assert.deepEqual(asked.toSorted(), ['0 GET /none.js', '1 GET /none.js']);
  });

  it('are listed for operators individually', async () => {
    const parts = (): Readonly<Record<string, string>> => gateway.gateway.health().parts;
    const [first, second] = servers.map(({ url }) => new URL(url).host);
    assert.equal(parts()['mf-clinic'], `ok, version 1.0.0; ${first} ready; ${second} ready`);
  });
});

it('answers 404 for a missing file while the other server, which reports ready, breaks every request', async () => {
  let broken = 0;
  const start = (answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<TestServer> =>
    serveAll((req, res) => {
      if (req.url === '/health/ready') return void res.end('ok\n');
      if (req.url === '/remote.json') return void res.end(JSON.stringify(clinicRemote()));
      answer(req, res);
    });
  await using without = await start((_req, res) => void res.writeHead(404).end());
  await using breaking = await start((req) => {
    broken += 1;
    req.socket.resetAndDestroy();
  });
  await using gateway = await startGateway({ REMOTES: `mf-clinic=${without.url}|${breaking.url}` });
  const leftOut = (): boolean => /left out/.test(String(gateway.gateway.health().parts['mf-clinic']));
  for (let visit = 0; visit < 40 && !leftOut(); visit += 1) await gateway.ask(`/mf/mf-clinic/any-${visit}.js`);
  assert.ok(leftOut(), `${broken} requests broke`);
  assert.equal((await gateway.ask('/mf/mf-clinic/none.js')).status, 404);
});

describe('Node warns of no leak', () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  beforeEach(() => {
    warnings.length = 0;
    process.on('warning', onWarning);
  });
  afterEach(() => process.off('warning', onWarning));
  const assertNone = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(warnings, []);
  };

  it('however many front-ends there are', async () => {
    await using server = await serveAll((_req, res) => res.end('a file'));
    const names = Array.from({ length: 15 }, (_, index) => `mf-${String.fromCodePoint(97 + index)}`);
    await using gateway = await startGateway({ REMOTES: names.map((name) => `${name}=${server.url}`).join() });
    for (const name of names) assert.equal((await gateway.ask(`/mf/${name}/file.js`)).status, 200);
    await assertNone();
  });

  it('however many of its servers are asked for a file', async () => {
    let asked = 0;
    await using stack = new AsyncDisposableStack();
    const urls: string[] = [];
    for (let server = 0; server < 5; server += 1)
      urls.push(
        stack.use(
          await serve((req, res) => {
            if (req.url === '/remote.json') return void res.end(JSON.stringify(clinicRemote()));
            if (req.url === '/none.js') asked += 1;
            res.writeHead(404).end();
          }),
        ).url,
      );
    await using gateway = await startGateway({ REMOTES: `mf-clinic=${urls.join('|')}` });
    assert.equal((await gateway.ask('/mf/mf-clinic/none.js')).status, 404);
    assert.equal(asked, 5);
    await assertNone();
  });
});
