import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import type { Problem } from '@clinic/contracts';
import { echo, open, serve, type Echo } from '../testing/servers.ts';
import { startGateway } from '../testing/start-gateway.ts';

describe('a forwarded request', () => {
  it('has its true origin, whatever the client claims', async () => {
    await using gateway = await startGateway();
    const { headers } = (
      await gateway.ask('/doctors', {
        headers: {
          Host: 'clinic.example',
          'X-Forwarded-For': '6.6.6.6',
          'X-Forwarded-Proto': 'https',
          'X-Forwarded-Host': 'evil.example',
          Forwarded: 'for=6.6.6.6',
          'X-Real-IP': '6.6.6.6',
        },
      })
    ).json<Echo>();
    assert.equal(headers.host, 'clinic.example');
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers['x-forwarded-proto'], 'http');
    assert.equal(headers['x-forwarded-host'], 'clinic.example');
    assert.deepEqual([headers.forwarded, headers['x-real-ip']], [undefined, undefined]);
  });

  for (const setting of ['TRUST_PROXY', 'BEHIND_BALANCER']) {
    it(`trusts the proxy in front, but only the entry it added (${setting})`, async () => {
      await using gateway = await startGateway({ [setting]: 'true' });
      const answer = await gateway.ask('/doctors', {
        headers: { 'X-Forwarded-For': '6.6.6.6, 10.1.2.3', 'X-Forwarded-Proto': 'https' },
      });
      const { headers } = answer.json<Echo>();
      assert.equal(headers['x-forwarded-for'], '10.1.2.3');
      assert.equal(headers['x-forwarded-proto'], 'https');
      assert.match(String(answer.headers['strict-transport-security']), /^max-age=31536000\b/);
    });
  }

  it('gets a new id, whatever id the client sends', async () => {
    await using gateway = await startGateway();
    const ids = new Set<string>();
    for (const given of ['trace-12345', '0'.repeat(32), 'a b<script>', '00000000-0000-4000-8000-000000000000']) {
      const answer = await gateway.ask('/doctors', { headers: { 'X-Request-Id': given } });
      const made = String(answer.headers['x-request-id']);
      assert.match(made, /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/);
      assert.equal(answer.json<Echo>().headers['x-request-id'], made);
      assert.notEqual(made, given);
      ids.add(made);
    }
    assert.equal(ids.size, 4);
  });
});

describe('an unavailable upstream', () => {
  it('affects its own calls only: a 503 problem', async () => {
    const dead = await serve(echo('dead'));
    await dead.close();
    await using gateway = await startGateway({ AUTH_EMULATOR_URL: dead.url }, { services: { clinic: dead.url } });
    const answer = await gateway.ask('/doctors');
    assert.equal(answer.status, 503);
    assert.equal(answer.headers['content-type'], 'application/problem+json');
    assert.equal(answer.headers['retry-after'], '1');
    const problem = answer.json<Problem>();
    assert.equal(problem.code, 'unavailable');
    assert.equal(problem.requestId, answer.headers['x-request-id']);
    const body = '{"a":1}';
    assert.equal((await gateway.ask('/appoinments', { method: 'POST', body })).status, 503);
    assert.equal((await gateway.ask('/medicine')).status, 200);
    const firebase = await gateway.ask('/securetoken.googleapis.com/v1/token', { method: 'POST', body });
    assert.equal(firebase.status, 503);
    assert.match(firebase.headers['content-type'] ?? '', /^text\/plain/);
  });

  it('gets a 503 when it takes too long to respond', async () => {
    const abandoned = Promise.withResolvers<void>();
    await using slow = await serve((_req, res) => void res.once('close', abandoned.resolve));
    await using gateway = await startGateway({}, { services: { clinic: slow.url }, answerWithinMs: 50 });
    const answer = await gateway.ask('/doctors');
    assert.equal(answer.status, 503);
    assert.equal(answer.json<Problem>().code, 'unavailable');
    await abandoned.promise;
  });

  it('gets a retry of a safe call if it had just closed the connection, but never of a change', async () => {
    const seen: string[] = [];
    await using flaky = await serve((req, res) => {
      seen.push(req.method ?? '');
      if (seen.length === 1 || req.method === 'POST') req.socket.resetAndDestroy();
      else res.end('{}');
    });
    await using gateway = await startGateway({}, { services: { clinic: flaky.url } });
    assert.equal((await gateway.ask('/doctors')).status, 200);
    assert.deepEqual(seen, ['GET', 'GET']);
    assert.equal((await gateway.ask('/appoinments', { method: 'POST', body: '{}' })).status, 503);
    assert.deepEqual(seen, ['GET', 'GET', 'POST']);
  });
});

describe('long responses', () => {
  it('pass event by event, and may outlast the response time-out', async () => {
    let send: ((event: string) => void) | undefined;
    await using feed = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write('data: first\n\n');
      send = (event) => void (event === 'end' ? res.end() : res.write(event));
    });
    await using gateway = await startGateway({}, { services: { clinic: feed.url }, answerWithinMs: 500 });
    const res = await open(gateway.url, '/appoinments');
    const [first] = (await once(res, 'data')) as [Buffer];
    assert.equal(first.toString(), 'data: first\n\n');
    send?.('data: second\n\n');
    const [second] = (await once(res, 'data')) as [Buffer];
    assert.equal(second.toString(), 'data: second\n\n');
    send?.('end');
    res.resume();
    await once(res, 'end');
  });

  it('end for the service when the client leaves', async () => {
    const gone = Promise.withResolvers<void>();
    await using endless = await serve((_req, res) => {
      res.write('x');
      res.once('close', gone.resolve);
    });
    await using gateway = await startGateway({}, { services: { clinic: endless.url } });
    const res = await open(gateway.url, '/appoinments');
    await once(res, 'data');
    res.destroy();
    await gone.promise;
  });
});
