import assert from 'node:assert/strict';
import { get, type ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Problem } from '@clinic/contracts';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { serve, type TestServer } from '../testing/servers.ts';
import { startGateway, type TestGateway } from '../testing/start-gateway.ts';

describe('public lists', () => {
  let clinic: TestServer;
  let gateway: TestGateway;
  let asked: string[] = [];
  let doctors = 1;
  let hold: ((res: ServerResponse) => void) | undefined;
  let status = 200;
  let padding = '';

  before(async () => {
    clinic = await serve((req, res) => {
      asked.push(`${req.method} ${req.url}`);
      if (hold && (req.method === 'POST' || req.url?.includes('held'))) {
        hold(res);
        return;
      }
      if (req.method === 'POST') {
        doctors += 1;
        res.end('{}');
        return;
      }
      res.writeHead(status, {
        'Content-Type': 'application/json',
        Link: '</doctors?cursor=x>; rel="next"',
        'X-Total-Count': String(doctors),
        'X-Total-Count-Relation': 'gte',
        'Cache-Control': 'no-cache',
      });
      res.end(JSON.stringify({ doctors, padding }));
    });
  });
  beforeEach(async () => {
    asked = [];
    gateway = await startGateway({}, { services: { clinic: clinic.url } });
  });
  afterEach(() => gateway.close());
  after(() => clinic.close());

  const count = async (path = '/doctors'): Promise<number> =>
    (await gateway.ask(path)).json<{ doctors: number }>().doctors;

  it('are requested once for concurrent visitors, then served from the cache briefly', async () => {
    await Promise.all(Array.from({ length: 5 }, () => count()));
    await count();
    assert.deepEqual(asked, ['GET /doctors']);
    const { headers } = await gateway.ask('/doctors');
    assert.equal(headers['x-total-count'], String(doctors));
    assert.equal(headers['x-total-count-relation'], 'gte');
    assert.equal(headers['link'], '</doctors?cursor=x>; rel="next"');
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/);
    assert.equal((await gateway.ask('/doctors', { headers: { 'If-None-Match': String(headers.etag) } })).status, 304);
    await count('/doctors?q=x');
    assert.deepEqual(asked, ['GET /doctors', 'GET /doctors?q=x']);
  });

  it('show a change at once', async () => {
    const earlier = await count();
    await gateway.ask('/doc-pharma', { method: 'POST', body: '{}' });
    assert.equal(await count(), earlier + 1);
  });

  it('are not cached while a change is in flight', async () => {
    const earlier = await count();
    const arrived = Promise.withResolvers<ServerResponse>();
    hold = arrived.resolve;
    const change = gateway.ask('/doc-pharma', { method: 'POST', body: '{}' });
    const answering = await arrived.promise;
    assert.equal(await count(), earlier);
    doctors += 1;
    hold = undefined;
    answering.end('{}');
    await change;
    assert.equal(await count(), earlier + 1);
  });

  it('are the only responses that are cached', async () => {
    await count('/appoinments');
    await count('/appoinments');
    await gateway.ask('/doctors', { method: 'HEAD' });
    assert.deepEqual(asked, ['GET /appoinments', 'GET /appoinments', 'HEAD /doctors']);
    status = 404;
    assert.equal((await gateway.ask('/doctors?_id=1')).status, 404);
    status = 200;
    padding = 'x'.repeat(300_000);
    assert.equal((await gateway.ask('/doctors')).json<{ padding: string }>().padding.length, 300_000);
    padding = '';
  });

  it('reach all waiting visitors, even if the one whose request is shared leaves', async () => {
    const arrived = Promise.withResolvers<void>();
    const held: ServerResponse[] = [];
    hold = (res) => {
      held.push(res);
      arrived.resolve();
    };
    const first = get(`${gateway.url}/doctors?q=held`).on('error', () => undefined);
    await arrived.promise;
    const second = gateway.ask('/doctors?q=held');
    // The second visitor waits for the first one's request. Once that is abandoned, the service gets its own.
    first.destroy();
    await waitUntil(() => held.length === 2);
    hold = undefined;
    held[1]?.end('"late"');
    assert.equal((await second).text, '"late"');
    assert.deepEqual(asked, ['GET /doctors?q=held', 'GET /doctors?q=held']);
  });

  it('are requested again if the response breaks off', async () => {
    hold = (res) => {
      hold = undefined;
      res.writeHead(200, { 'Content-Length': '1000' });
      res.write('half', () => res.socket?.resetAndDestroy());
    };
    const answers = await Promise.all(Array.from({ length: 3 }, () => gateway.ask('/doctors?q=held')));
    assert.deepEqual(
      answers.map((answer) => answer.json<{ doctors: number }>().doctors),
      [doctors, doctors, doctors],
    );
    assert.deepEqual(asked, ['GET /doctors?q=held', 'GET /doctors?q=held']);
  });

  it('give all waiting visitors the error', async () => {
    const dead = await serve(() => undefined);
    await dead.close();
    await using gateway = await startGateway({}, { services: { clinic: dead.url } });
    const answers = await Promise.all(Array.from({ length: 4 }, () => gateway.ask('/doctors')));
    assert.deepEqual(
      answers.map((answer) => [answer.status, answer.json<Problem>().code]),
      answers.map(() => [503, 'unavailable']),
    );
  });
});
