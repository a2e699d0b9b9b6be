import assert from 'node:assert/strict';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import type { LiveStreams } from '@clinic/contracts/live';
import { billingPublication, startBilling, type Billing } from '../testing/billing.ts';
import { startGateway, type TestGateway } from '../testing/start-gateway.ts';

const watch = [{ id: 'watchInvoices', method: 'GET', path: '/invoices/changes', stream: true }];
/** A session with tokens for two services. */
const headers = { cookie: 'clinic_session=payload.head~billing.rest.signature~other.rest.signature' };

/** A service with a change stream that the test writes to. */
async function startWatched(t: TestContext, answer?: RequestListener, port = 0, calls = watch) {
  const streams: { readonly req: IncomingMessage; readonly res: ServerResponse }[] = [];
  const waiting: (() => void)[] = [];
  const service = await startBilling(
    (req, res) => {
      if (answer) return answer(req, res);
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.flushHeaders();
      streams.push({ req, res });
      for (const resume of waiting.splice(0)) resume();
    },
    billingPublication({}, calls),
    port,
  );
  t.after(() => service.close());
  return {
    service,
    streams,
    /** The n-th stream that the gateway opens, from 1. */
    stream: async (number: number) => {
      while (streams.length < number) await new Promise<void>((resolve) => waiting.push(resolve));
      const found = streams[number - 1];
      assert.ok(found);
      return found;
    },
  };
}

/** A gateway whose own services have no streams: they respond with 404. */
async function startFor(t: TestContext, billing: Billing, env: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await startGateway(env, { pollEveryMs: 200, services: { billing: billing.url } });
  t.after(() => gateway.close());
  return gateway;
}

/** An id without the product's own streams, which are unavailable here. */
const withoutProduct = (id = ''): string =>
  id
    .split(',')
    .filter((part) => !part.endsWith(':0'))
    .join();

/** A browser's line. */
async function listen(t: TestContext, url: string, more: Record<string, string> = {}, query = '') {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const response = await fetch(`${url}/live${query}`, { headers: { ...headers, ...more }, signal: stop.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    stop: () => stop.abort(),
    /** The next event that isn't a heartbeat; `undefined` if the line ends. */
    async next(): Promise<{ event: string; data: unknown; id: string } | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const fields = new Map(
            text
              .slice(0, end)
              .split('\n')
              .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
          );
          text = text.slice(end + 2);
          const event = fields.get('event') ?? '';
          if (event === 'beat') continue;
          return { event, data: JSON.parse(fields.get('data') ?? ''), id: withoutProduct(fields.get('id')) };
        }
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) return undefined;
        text += value;
      }
    },
  };
}

test('merges the streams of services into list names, with ids to resume from', async (t) => {
  const { service, stream } = await startWatched(t);
  const { url } = await startFor(t, service);
  const line = await listen(t, url);
  assert.equal(line.response.headers.get('content-type'), 'text/event-stream');
  assert.equal(line.response.headers.get('cache-control'), 'no-store');
  const { req, res } = await stream(1);
  assert.equal(req.headers.cookie, 'clinic_session=headrest.payload.signature');
  assert.equal(req.headers['live-line'], '1');
  assert.equal(req.headers['last-event-id'], undefined);
  const live = await line.next();
  assert.equal(live?.event, 'live');
  assert.deepEqual((live.data as LiveStreams).streams.includes('watchInvoices'), true);
  res.write('id: 7\nevent: ready\ndata: {}\n\n');
  res.write('id: 8\nevent: change\ndata: {"lists":["listInvoices"],"record":{"name":"Amina"}}\n\n');
  assert.deepEqual(await line.next(), { event: 'change', data: { lists: ['listInvoices'] }, id: 'watchInvoices:8' });
  res.write('event: change\ndata: {"records":[1]}\n\nevent: secret\ndata: {}\n\nevent: change\ndata: nonsense\n\n');
  res.write('id: 9\nevent: change\ndata: {"lists":[],"by":["request-1"]}\n\n');
  assert.deepEqual(await line.next(), {
    event: 'change',
    data: { lists: [], by: ['request-1'] },
    id: 'watchInvoices:9',
  });
});

test('resumes where the browser was, by header or query, and where a lost stream was', async (t) => {
  const { service, stream } = await startWatched(t);
  const { url } = await startFor(t, service);
  const byHeader = await listen(t, url, { 'last-event-id': 'watchInvoices:41,watchOthers:3' });
  assert.equal((await stream(1)).req.headers['last-event-id'], '41');
  byHeader.stop();
  const line = await listen(t, url, {}, `?after=${encodeURIComponent('watchInvoices:42,watchGone:5,no id:;')}`);
  const first = await stream(2);
  assert.equal(first.req.headers['last-event-id'], '42');
  assert.equal((await line.next())?.id, 'watchInvoices:42,watchGone:5');
  first.res.write('id: 50\nevent: change\ndata: {"lists":["listInvoices"]}\n\n');
  assert.equal((await line.next())?.event, 'change');
  first.res.destroy();
  const again = await stream(3);
  assert.equal(again.req.headers['last-event-id'], '50');
  again.res.write('id: 51\nevent: change\ndata: {"lists":["listInvoices"]}\n\n');
  // The short loss isn't worth a message.
  assert.deepEqual(await line.next(), {
    event: 'change',
    data: { lists: ['listInvoices'] },
    id: 'watchInvoices:51,watchGone:5',
  });
});

test('ends the line when a service rejects the session or ends it later', async (t) => {
  const rejecting = await startWatched(t, (_req, res) => res.writeHead(401).end());
  const rejected = await listen(t, (await startFor(t, rejecting.service)).url);
  assert.deepEqual(await rejected.next(), { event: 'session', data: {}, id: '' });
  assert.equal(await rejected.next(), undefined);

  const { service, stream } = await startWatched(t);
  const line = await listen(t, (await startFor(t, service)).url);
  const { res } = await stream(1);
  assert.equal((await line.next())?.event, 'live');
  res.write('event: session\ndata: {}\n\n');
  assert.equal((await line.next())?.event, 'session');
  assert.equal(await line.next(), undefined);
});

test('follows a service that was down once it is back, and reports everything as changed', async (t) => {
  const { service } = await startWatched(t);
  const { url } = await startFor(t, service);
  const { port } = new URL(service.url);
  await service.close();
  const line = await listen(t, url);
  assert.deepEqual((await line.next())?.data, { streams: [] });
  const back = await startWatched(t, undefined, Number(port));
  const { req } = await back.stream(1);
  assert.equal(req.headers['last-event-id'], '0');
  const live = await line.next();
  assert.deepEqual([live?.event, live?.data], ['live', { streams: ['watchInvoices'] }]);
});

test('reports lost streams, however often they are retried meanwhile', async (t) => {
  const calls = Array.from({ length: 8 }, (_, index) => ({
    id: `watch${index}`,
    method: 'GET',
    path: `/invoices/changes/${index}`,
    stream: true,
  }));
  let open = true;
  const responses: ServerResponse[] = [];
  const answer: RequestListener = (_req, res) => {
    if (!open) return res.writeHead(503).end();
    res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    responses.push(res);
  };
  const { service } = await startWatched(t, answer, 0, calls);
  const line = await listen(t, (await startFor(t, service)).url);
  assert.deepEqual((await line.next())?.data, { streams: calls.map(({ id }) => id) });
  open = false;
  for (const res of responses) res.destroy();
  // The loss is reported before the line itself ends.
  assert.deepEqual(await line.next(), { event: 'live', data: { streams: [] }, id: '' });
});

test('opens no streams without cookies, closes them when the browser leaves, and ends its lines when the gateway stops', async (t) => {
  const { service, stream, streams } = await startWatched(t);
  const gateway = await startFor(t, service);
  const stranger = await fetch(`${gateway.url}/live`);
  assert.equal(stranger.status, 401);
  assert.equal(((await stranger.json()) as { code: string }).code, 'unauthenticated');
  assert.equal(streams.length, 0);
  assert.equal((await fetch(`${gateway.url}/live`, { method: 'POST', headers })).status, 405);

  const line = await listen(t, gateway.url);
  const { res } = await stream(1);
  const closed = new Promise((resolve) => res.once('close', resolve));
  line.stop();
  await closed;

  const last = await listen(t, gateway.url);
  assert.equal((await last.next())?.event, 'live');
  const stopped = gateway.gateway.close();
  while ((await last.next()) !== undefined);
  await stopped;
});
