import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { startBilling } from '../testing/billing.ts';
import { ask, serve } from '../testing/servers.ts';
import { clinicRemote, startGateway, type TestGateway } from '../testing/start-gateway.ts';

const limits = { readWithinMs: 300 };

/** More than all buffers between a service and a client hold. */
const large = Buffer.alloc(64 * 1024 * 1024);

/** A client that sends requests and reads nothing. */
async function openUnread(t: TestContext, { port }: TestGateway, path: string, times = 1): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause();
  // The gateway cuts it off.
  socket.on('error', () => undefined);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: clinic\r\n\r\n`.repeat(times));
  return socket;
}

const connectionsOf = ({ gateway: { server } }: TestGateway): Promise<number> =>
  promisify(server.getConnections.bind(server))();

test('a response that nobody reads is cut, and one whose service pauses for longer isn’t', async (t) => {
  const unread: ServerResponse[] = [];
  let paused: ServerResponse | undefined;
  await using billing = await startBilling((req, res) => {
    if (req.url === '/invoices/large') {
      unread.push(res);
      res.end(large);
    } else {
      paused = res;
      res.write('first ');
    }
  });
  await using gateway = await startGateway({}, { ...limits, services: { billing: billing.url } });
  const slow = ask(gateway.url, '/invoices/slow');
  await waitUntil(() => paused !== undefined);
  await openUnread(t, gateway, '/invoices/large');
  await waitUntil(() => unread[0]?.destroyed === true);
  assert.equal(unread[0]?.writableFinished, false);
  await waitUntil(() =>
    gateway.gateway.metrics.registry.metrics().then((text) => text.includes('in_flight{target="billing"} 1')),
  );
  paused?.end('second');
  assert.equal((await slow).text, 'first second');
});

test('responses from the gateway’s memory are cut too, also when they are complete', async (t) => {
  const file = '/entry.0123456789abcdef0123.js';
  const files = await serve((req, res) => {
    if (req.url !== file) return void res.end(JSON.stringify(clinicRemote()));
    res.setHeader('cache-control', 'public, max-age=31536000, immutable').end('x'.repeat(200 * 1024));
  });
  t.after(() => files.close());
  await using gateway = await startGateway({ REMOTES: `mf-clinic=${files.url}` }, limits);
  await ask(gateway.url, `/mf/mf-clinic${file}`, { headers: { connection: 'close' } });
  await waitUntil(async () => (await connectionsOf(gateway)) === 0);
  await openUnread(t, gateway, `/mf/mf-clinic${file}`, 100);
  await waitUntil(async () => (await connectionsOf(gateway)) === 1);
  await waitUntil(async () => (await connectionsOf(gateway)) === 0);
});
