import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import { connectTo } from '../testing/raw.ts';
import { GatewayRequest } from './gateway-request.ts';
import { PreparedHead } from './prepared-head.ts';

const strictTransport = 'max-age=31536000';
const usual = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/**
 * A server that answers everything with one prepared head.
 *
 * @param https - whether each request came by https, in order
 */
async function start(t: TestContext, status: number, https: readonly boolean[] = []): Promise<number> {
  const body = status === 304 ? [] : ['Content-Length', '4'];
  const head = new PreparedHead(status, ['ETag', '"x"', ...body]);
  let requests = 0;
  const server = createServer({ IncomingMessage: GatewayRequest, keepAliveTimeout: 65_000 }, (req, res) => {
    req.requestId = `request-${requests}`;
    if (https[requests]) req.origin = { address: '', protocol: 'https', strictTransport };
    requests += 1;
    head.write(req, res);
    if (status === 304) res.end();
    else res.end(Buffer.from('body'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

const built = (t: TestContext): (() => number) => {
  const { mock } = t.mock.method(ServerResponse.prototype, 'writeHead');
  return () => mock.callCount();
};

for (const status of [200, 304])
  it(`sends the same head for ${status} again, with the request's own id, on one connection`, async (t) => {
    const heads = built(t);
    using connection = await connectTo(await start(t, status));
    const answers = [];
    for (let request = 0; request < 3; request += 1) answers.push(await connection.write(usual).answer());
    const [first] = answers;
    assert.equal(first?.headers['keep-alive'], 'timeout=65');
    assert.equal(first?.headers['x-frame-options'], 'DENY');
    assert.deepEqual(
      answers,
      answers.map((_, request) => ({
        status,
        reason: status === 304 ? 'Not Modified' : 'OK',
        headers: { ...first?.headers, 'x-request-id': `request-${request}` },
        body: status === 304 ? '' : 'body',
      })),
    );
    // Node's internal field still exists; without it everything works, but each head is built again.
    assert.equal(heads(), 1);
  });

it('has a head of its own for a connection that closes', async (t) => {
  const port = await start(t, 200);
  for (const request of [
    usual,
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    usual,
    'GET / HTTP/1.0\r\n\r\n',
  ]) {
    using connection = await connectTo(port);
    const { headers, body } = await connection.write(request).answer();
    assert.deepEqual([headers['connection'], body], [request === usual ? 'keep-alive' : 'close', 'body']);
    if (request !== usual) assert.equal(await connection.rest(), '');
  }
});

it('sends Strict-Transport-Security over https only', async (t) => {
  const heads = built(t);
  const https = [false, true, true, false];
  using connection = await connectTo(await start(t, 200, https));
  for (const secure of https) {
    const { headers } = await connection.write(usual).answer();
    assert.equal(headers['strict-transport-security'], secure ? strictTransport : undefined);
  }
  assert.equal(heads(), 3);
});
