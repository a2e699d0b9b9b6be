import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { balancerAgent, gatewayAgent, gracefully, Watchers } from './index.ts';

async function start(listener: RequestListener): Promise<{ server: Server; port: number; close: () => Promise<void> }> {
  const server = createServer({ keepAliveTimeout: 600_000 }, listener);
  const close = gracefully(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, close };
}

async function ask(port: number, agent?: Agent, headers: Record<string, string> = {}): Promise<string> {
  const [res] = (await once(request({ port, host: '127.0.0.1', agent, headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  let text = '';
  for await (const chunk of res) text += String(chunk);
  return text;
}

describe('a server that stops', () => {
  it('finishes requests in flight, accepts no new ones, and does not wait for unused connections', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const { port, close } = await start(
      (req, res) => void (req.url === '/held' ? held.resolve(res) : res.end('quick')),
    );
    const agent = new Agent({ keepAlive: true });
    assert.equal(await ask(port, agent), 'quick');
    const unused: Socket = connect(port, '127.0.0.1');
    await once(unused, 'connect');
    const running = once(request({ port, host: '127.0.0.1', path: '/held' }).end(), 'response');
    const answering = await held.promise;

    const closed = close();
    await once(unused.resume(), 'close');
    await assert.rejects(ask(port), { code: 'ECONNREFUSED' });
    answering.end('finished');
    const [res] = (await running) as [IncomingMessage];
    assert.equal(res.statusCode, 200);
    res.resume();
    await closed;
    agent.destroy();
  });

  it('cuts off requests that do not end', { timeout: 30_000 }, async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const { port, close } = await start((_req, res) => held.resolve(res));
    const failed = once(request({ port, host: '127.0.0.1' }).end(), 'error');
    await held.promise;
    await close();
    const [error] = (await failed) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNRESET');
  });
});

describe('watchers of a server’s readiness', () => {
  it('are waited for until all have been notified', async () => {
    const watchers = new Watchers();
    let stopping = false;
    const { port, close } = await start((req, res) => {
      res.once('finish', () => watchers.checked(req, stopping));
      res.end(stopping ? 'stopping' : 'ready');
    });
    const gateways = [new Agent({ keepAlive: true, maxSockets: 1 }), new Agent({ keepAlive: true, maxSockets: 1 })];
    const poll = (agent: Agent | undefined): Promise<string> => ask(port, agent, { 'User-Agent': gatewayAgent });
    for (const agent of gateways) assert.equal(await poll(agent), 'ready');
    stopping = true;
    let notified = false;
    const allNotified = watchers.allNotified().then(() => (notified = true));
    assert.equal(await poll(gateways[0]), 'stopping');
    assert.equal(notified, false);
    assert.equal(await poll(gateways[1]), 'stopping');
    await allNotified;
    for (const agent of gateways) agent.destroy();
    await close();
  });

  it('include load balancers, which open a connection for each check', async () => {
    const watchers = new Watchers();
    let stopping = false;
    const { port, close } = await start((req, res) => {
      res.once('finish', () => watchers.checked(req, stopping));
      res.end();
    });
    const check = (list = ''): Promise<string> =>
      ask(port, undefined, { 'User-Agent': `${balancerAgent}${list}`, Connection: 'close' });
    await check();
    await check('/another-list');
    stopping = true;
    let notified = false;
    const allNotified = watchers.allNotified().then(() => (notified = true));
    await ask(port, undefined, { Connection: 'close' });
    await check();
    assert.equal(notified, false);
    await check('/another-list');
    await allNotified;
    await close();
  });

  it('are not waited for if they have left, or aren’t gateways', async () => {
    const watchers = new Watchers();
    const { port, close } = await start((req, res) => {
      res.once('finish', () => watchers.checked(req, false));
      res.end();
    });
    await watchers.allNotified();
    const gateway = new Agent({ keepAlive: true });
    await ask(port, gateway, { 'User-Agent': gatewayAgent });
    const browser = new Agent({ keepAlive: true });
    await ask(port, browser, { 'User-Agent': 'browser' });
    const allNotified = watchers.allNotified();
    gateway.destroy();
    await allNotified;
    browser.destroy();
    await close();
  });

  it('are waited for at most two and a half seconds', async () => {
    const watchers = new Watchers();
    const { port, close } = await start((req, res) => {
      res.once('finish', () => watchers.checked(req, false));
      res.end();
    });
    const silent = new Agent({ keepAlive: true });
    await ask(port, silent, { 'User-Agent': gatewayAgent });
    await watchers.allNotified();
    silent.destroy();
    await close();
  });
});
