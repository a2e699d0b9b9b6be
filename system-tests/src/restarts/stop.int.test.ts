import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { holdPort } from '@clinic/service-kit/testing/hold-port';
import { balancerAgent, gatewayAgent } from '@clinic/graceful-server';
import { rememberedClinic } from '../../../gateway/src/testing/remembered.ts';
import { startServer } from '@clinic/mongo-embedded';
import { startTestIssuer } from '@clinic/service-kit/testing';
import { startProgram, type RunningProgram } from './program.ts';

const urlOf = ({ log }: RunningProgram): string => String(log.find((line) => line['msg'] === 'listening')?.['url']);

async function open(url: string, agent?: Agent, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const [res] = (await once(request(url, { agent, headers }).end(), 'response')) as [IncomingMessage];
  return res;
}

async function textOf(res: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of res) text += String(chunk);
  return text;
}

/** Stops a program and expects it to exit of its own accord: one that takes too long ends itself with an error. */
async function assertEnds(program: RunningProgram): Promise<void> {
  assert.equal(await program.stop(), 0, program.errors());
  assert.equal(program.errors(), '');
}

/** Serves until the test ends. @returns its address */
async function listen(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A gateway's settings in front of one server that is everything. */
const behind = (url: string): NodeJS.ProcessEnv => ({
  NODE_ENV: 'test',
  SERVICES: `identity=${url}`,
  SHELL_URL: url,
  REMOTES: `mf-public=${url}`,
  DEMO_MODE: 'true',
  AUTH_EMULATOR_URL: url,
});

describe('on SIGTERM', { timeout: 300_000 }, () => {
  test('the gateway reports that it isn’t ready, finishes responses, ends streams and exits', async (t) => {
    const held = Promise.withResolvers<ServerResponse>();
    const url = await listen(t, (req, res) => {
      if (req.url === '/users/held') {
        held.resolve(res);
      } else if (req.url === '/appoinments/changes') {
        res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
      } else {
        res.writeHead(404).end('<html><head><title>Clinic</title></head></html>');
      }
    });
    const [port, metrics] = [await holdPort(), await holdPort()];
    const remembered = rememberedClinic();
    t.after(() => remembered.remove());
    const gateway = await startProgram('gateway', {
      ...behind(url),
      PORT: String(port),
      METRICS_PORT: String(metrics),
      SERVICES: `identity=${url},clinic=${url}`,
      PUBLICATIONS_DIR: remembered.path,
    });
    t.after(() => gateway.child.kill('SIGKILL'));
    const publicUrl = `http://127.0.0.1:${port}`;
    const stream = await open(`${publicUrl}/appoinments/changes`);
    const streamed = textOf(stream);
    const running = open(`${publicUrl}/users/held`);
    const answering = await held.promise;
    const idle = new Agent({ keepAlive: true });
    await textOf(await open(`${publicUrl}/health/live`, idle));
    const unused = connect(port, '127.0.0.1');
    await once(unused, 'connect');

    const ended = assertEnds(gateway);
    assert.equal(await streamed, 'data: 1\n\n');
    await once(unused.resume(), 'close');
    const health = await open(`http://127.0.0.1:${metrics}/health/ready`);
    assert.equal(health.statusCode, 503);
    assert.equal((JSON.parse(await textOf(health)) as { parts: { gateway: string } }).parts.gateway, 'stopping');
    await assert.rejects(open(`${publicUrl}/health/live`), { code: 'ECONNREFUSED' });
    answering.end('finished');
    const answer = await running;
    assert.equal(answer.headers.connection, 'close');
    assert.equal(await textOf(answer), 'finished');
    await ended;
    idle.destroy();
  });

  test('the gateway reports to the load balancer that it is stopping, not failing, and accepts requests until then', async (t) => {
    const url = await listen(
      t,
      (_req, res) => void res.end('<html><head><title>Clinic</title><!-- assets --></head></html>'),
    );
    const port = await holdPort();
    const gateway = await startProgram('gateway', { ...behind(url), PORT: String(port) });
    t.after(() => gateway.child.kill('SIGKILL'));
    const check = async (headers: Record<string, string> = {}): Promise<number | undefined> => {
      const res = await open(`http://127.0.0.1:${port}/health/ready`, undefined, { Connection: 'close', ...headers });
      await textOf(res);
      return res.statusCode;
    };
    assert.equal(await check({ 'User-Agent': balancerAgent }), 200);
    const ended = assertEnds(gateway);
    // All other callers get "not ready", and the gateway waits for the balancer's check.
    await waitUntil(async () => (await check()) === 503);
    const late = await open(`http://127.0.0.1:${port}/health/live`);
    assert.equal(late.statusCode, 200);
    await textOf(late);
    assert.equal(await check({ 'User-Agent': balancerAgent }), 404);
    await ended;
  });

  test('the gateway also exits if it hasn’t begun to listen', async (t) => {
    // A server that accepts the connection and doesn't answer holds up the start.
    const requested = Promise.withResolvers<void>();
    const url = await listen(t, () => requested.resolve());
    const starting = startProgram(
      'gateway',
      { ...behind(url), PORT: '0' },
      (child) => void requested.promise.then(() => child.kill('SIGTERM')),
    );
    await assert.rejects(starting, /gateway ended with 0/);
  });

  test('a service notifies the gateway first, and accepts requests until then', async (t) => {
    const [engine, issuer] = await Promise.all([startServer({ port: 0 }), startTestIssuer()]);
    t.after(() => Promise.all([engine.close(), issuer.close()]));
    const service = await startProgram('svc-clinic', {
      NODE_ENV: 'test',
      PORT: '0',
      MONGODB_URI: engine.uri,
      MONGODB_DATABASE: 'clinic',
      IDENTITY_URL: issuer.url,
    });
    t.after(() => service.child.kill('SIGKILL'));
    const url = urlOf(service);
    const gateway = new Agent({ keepAlive: true, maxSockets: 1 });
    const ready = (): Promise<IncomingMessage> => open(`${url}/health/ready`, gateway, { 'User-Agent': gatewayAgent });
    await textOf(await ready());
    const ended = assertEnds(service);
    await waitUntil(async () => (await open(`${url}/health/ready`)).resume().statusCode === 503);
    // The gateway doesn't know yet, so it may still send requests.
    const late = await open(`${url}/doctors`);
    assert.equal(late.statusCode, 200);
    assert.equal(late.headers.connection, 'close');
    late.resume();
    const answer = await ready();
    assert.equal(answer.statusCode, 503);
    assert.match(await textOf(answer), /"process":"stopping"/);
    await ended;
    gateway.destroy();
  });

  test('a static server exits in the same way', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'static-stop-'));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'index.html'), 'a page');
    const server = await startProgram('packages/static-server', { PORT: '0', STATIC_DIR: folder });
    t.after(() => server.child.kill('SIGKILL'));
    const url = urlOf(server);
    const gateway = new Agent({ keepAlive: true, maxSockets: 1 });
    const ready = async (): Promise<number | undefined> => {
      const res = await open(`${url}/health/ready`, gateway, { 'User-Agent': gatewayAgent });
      res.resume();
      await once(res, 'end');
      return res.statusCode;
    };
    assert.equal(await ready(), 200);
    const unused = connect(Number(new URL(url).port), '127.0.0.1');
    await once(unused, 'connect');
    const ended = assertEnds(server);
    assert.equal(await textOf(await open(url)), 'a page');
    await waitUntil(async () => (await ready()) === 503);
    await ended;
    gateway.destroy();
    unused.destroy();
  });
});
