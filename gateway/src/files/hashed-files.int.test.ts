import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { serve, type TestServer } from '../testing/servers.ts';
import { clinicRemote, shellHtml, startGateway, type TestGateway } from '../testing/start-gateway.ts';

const hashed = 'page.0123456789abcdef.js';
const immutable = 'public, max-age=31536000, immutable';

describe('files with a digest in their name', () => {
  /** Requests that reached the front-end's server, with their encoding. */
  const received: string[] = [];
  let frontEnd: TestServer;
  let gateway: TestGateway;
  let version = '1.0.0';

  before(async () => {
    frontEnd = await serve((req, res) => {
      if (req.url === '/remote.json') return void res.end(JSON.stringify(clinicRemote(version)));
      if (req.url === '/index.html') return void res.end(shellHtml);
      // Polled, like those two.
      if (req.url === '/releases.json') return void res.writeHead(404).end();
      const encoding = req.headers['accept-encoding'] ?? 'any';
      received.push(`${req.method} ${req.url} ${encoding}`);
      if (req.url?.includes('missing')) return void res.writeHead(404, { 'Cache-Control': immutable }).end();
      const body = req.url?.includes('long') ? 'x'.repeat(300_000) : `${encoding} file`;
      const etag = `"${encoding}"`;
      res.writeHead(200, {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': req.url?.includes('dated') ? 'public, max-age=60' : immutable,
        Vary: 'Accept-Encoding',
        ETag: etag,
        'Content-Length': body.length,
        'Set-Cookie': 'mine=1',
      });
      res.end(req.method === 'HEAD' ? undefined : body);
    });
    gateway = await startGateway({ REMOTES: `mf-clinic=${frontEnd.url}`, SHELL_URL: frontEnd.url });
  });
  beforeEach(() => {
    received.length = 0;
  });
  after(async () => {
    await gateway.close();
    await frontEnd.close();
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    gateway.ask(path, { method, headers: { 'Accept-Encoding': 'identity', ...headers } });

  it('are requested once for all visitors, with the same headers each time', async () => {
    const first = await get(`/mf/mf-clinic/${hashed}`);
    const second = await get(`/mf/mf-clinic/${hashed}`);
    assert.deepEqual(received, [`GET /${hashed} identity`]);
    for (const answer of [first, second]) {
      assert.equal(answer.status, 200);
      assert.equal(answer.text, 'identity file');
      assert.equal(answer.headers['set-cookie'], undefined);
    }
    const lasting = ({ date: _date, 'x-request-id': _id, ...headers }: typeof first.headers) => headers;
    assert.deepEqual(lasting(second.headers), lasting(first.headers));
    assert.equal(second.headers['cache-control'], immutable);
    assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id']);
  });

  it('are cached per encoding, however a browser writes Accept-Encoding', async () => {
    const name = 'styles.fedcba9876543210.css';
    for (const accepted of ['gzip, deflate, br, zstd', 'br;q=1.0, gzip;q=0.8', 'gzip', 'deflate, gzip;q=0.5', ''])
      await get(`/shell/${name}`, { 'Accept-Encoding': accepted });
    assert.deepEqual(received, [`GET /${name} br`, `GET /${name} gzip`, `GET /${name} identity`]);
  });

  it('get a 304 if the browser has them', async () => {
    const name = 'logo.00112233445566778899.svg';
    await get(`/shell/${name}`, { 'If-None-Match': '"identity"' });
    const answer = await get(`/shell/${name}`, { 'If-None-Match': '"identity"' });
    assert.equal(answer.status, 304);
    assert.equal(answer.text, '');
    assert.equal(answer.headers.etag, '"identity"');
    assert.deepEqual(received, [`GET /${name} identity`]);
  });

  for (const [what, path, method, headers] of [
    ['without a digest in the name', '/shell/page.js', 'GET', {}],
    ['that the server does not call immutable', '/shell/dated.0123456789abcdef.js', 'GET', {}],
    ['that are missing', '/shell/missing.0123456789abcdef.js', 'GET', {}],
    ['of more than 256 KB', '/shell/long.0123456789abcdef.js', 'GET', {}],
    ['of which a part is requested', '/shell/part.0123456789abcdef.js', 'GET', { Range: 'bytes=0-3' }],
    ['of which only the head is requested', '/shell/head.0123456789abcdef.js', 'HEAD', {}],
  ] as const) {
    it(`${what}: not cached`, async () => {
      await get(path, headers, method);
      received.length = 0;
      const answer = await get(path, headers, method);
      assert.ok(received.length > 0);
      assert.equal(answer.status, what === 'that are missing' ? 404 : 200);
      if (path.includes('long')) assert.equal(answer.text.length, 300_000);
    });
  }

  it('are requested again after the front-end publishes another build', async () => {
    await get(`/mf/mf-clinic/${hashed}`);
    version = '2.0.0';
    await gateway.gateway.poll();
    received.length = 0;
    await get(`/mf/mf-clinic/${hashed}`);
    assert.deepEqual(received, [`GET /${hashed} identity`]);
  });

  it('are served while the front-end’s server is down', async () => {
    const name = 'late.0123456789abcdef.js';
    await get(`/mf/mf-clinic/${name}`);
    await frontEnd.close();
    assert.equal((await get(`/mf/mf-clinic/${name}`)).status, 200);
    assert.equal((await get('/mf/mf-clinic/other.0123456789abcdef.js')).status, 503);
  });
});
