// During a deployment, a front-end's old and new servers run side by side.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { serveAll, type TestServer } from '../testing/servers.ts';
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
