import assert from 'node:assert/strict';
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { billingPublication, startBilling } from '../testing/billing.ts';
import { open } from '../testing/servers.ts';
import { startGateway, type TestGateway } from '../testing/start-gateway.ts';

const watch = [{ id: 'watch', method: 'GET', path: '/invoices/changes', stream: true }];

/** A service with one change stream, behind a gateway. */
async function startStreaming(t: TestContext, listener: RequestListener): Promise<TestGateway> {
  const feed = await startBilling(listener, billingPublication({}, watch));
  const gateway = await startGateway({}, { services: { billing: feed.url } });
  t.after(async () => {
    await gateway.close();
    await feed.close();
  });
  return gateway;
}

describe('event streams', () => {
  it('do not use up the limit of ordinary requests, however many there are', async (t) => {
    const listeners = new Set<ServerResponse>();
    const gateway = await startStreaming(t, (req, res) => {
      if (req.url !== '/invoices/changes') return void res.end('an invoice');
      listeners.add(res);
      res.once('close', () => listeners.delete(res));
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    });
    const streams = await Promise.all(Array.from({ length: 300 }, () => open(gateway.url, '/invoices/changes')));
    assert.deepEqual([...new Set(streams.map(({ statusCode }) => statusCode))], [200]);
    assert.equal(listeners.size, 300);
    for (let visit = 0; visit < 20; visit += 1) assert.equal((await gateway.ask('/invoices')).text, 'an invoice');
    const answers = await Promise.all(Array.from({ length: 150 }, () => gateway.ask('/invoices')));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const metrics = await gateway.gateway.metrics.registry.metrics();
    assert.match(metrics, /^gateway_streams_open\{target="billing"\} 300$/m);
    assert.match(metrics, /^gateway_requests_in_flight\{target="billing"\} 0$/m);
    // They end for the service when their clients leave.
    for (const stream of streams) stream.destroy();
    await waitUntil(() => listeners.size === 0);
  });

  it('end when the service ends them and when the gateway stops', async (t) => {
    const listeners: ServerResponse[] = [];
    const gateway = await startStreaming(t, (_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
      listeners.push(res);
    });
    const [one, two] = await Promise.all([
      open(gateway.url, '/invoices/changes'),
      open(gateway.url, '/invoices/changes'),
    ]);
    const textOf = async (stream: AsyncIterable<Buffer>): Promise<string> => {
      let text = '';
      for await (const chunk of stream) text += chunk.toString();
      return text;
    };
    const texts = Promise.all([textOf(one), textOf(two)]);
    await waitUntil(() => listeners.length === 2);
    listeners[0]?.end();
    await gateway.gateway.close();
    assert.deepEqual(await texts, ['data: 1\n\n', 'data: 1\n\n']);
  });
});
