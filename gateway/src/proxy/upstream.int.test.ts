import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import type { Problem } from '@clinic/contracts';
import { ask, echo, open, serve, type Echo } from '../testing/servers.ts';
import { startGateway } from '../testing/start-gateway.ts';

describe('a forwarded request', () => {
  it('has its true origin, whatever the client claims', async () => {
    const gateway = await startGateway();
    const { headers } = (
      await ask(gateway.url, '/doctors', {
        headers: {
          Host: 'clinic.example',
          'X-Forwarded-For': '6.6.6.6',
          'X-Forwarded-Proto': 'https',
          'X-Forwarded-Host': 'evil.example',
          Forwarded: 'for=6.6.6.6',
          'X-Real-IP': '6.6.6.6',
          Connection: 'keep-alive, x-secret-hop',
          'X-Secret-Hop': '1',
          'Keep-Alive': 'timeout=9',
          'Proxy-Authorization': 'Basic x',
          TE: 'trailers',
        },
      })
    ).json<Echo>();
    assert.equal(headers.host, 'clinic.example');
    assert.equal(headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(headers['x-forwarded-proto'], 'http');
    assert.equal(headers['x-forwarded-host'], 'clinic.example');
    for (const name of ['forwarded', 'x-real-ip', 'x-secret-hop', 'keep-alive', 'proxy-authorization', 'te'])
      assert.equal(headers[name], undefined, name);
    await gateway.close();
  });

  for (const setting of ['TRUST_PROXY', 'BEHIND_BALANCER']) {
    it(`trusts the proxy in front, but only the entry it added (${setting})`, async () => {
      const gateway = await startGateway({ [setting]: 'true' });
      const answer = await ask(gateway.url, '/doctors', {
        headers: { 'X-Forwarded-For': '6.6.6.6, 10.1.2.3', 'X-Forwarded-Proto': 'https' },
      });
      const { headers } = answer.json<Echo>();
      assert.equal(headers['x-forwarded-for'], '10.1.2.3');
      assert.equal(headers['x-forwarded-proto'], 'https');
      assert.match(String(answer.headers['strict-transport-security']), /^max-age=31536000\b/);
      await gateway.close();
    });
  }

  it('gets a new id, whatever id the client sends', async () => {
    const gateway = await startGateway();
    const ids = new Set<string>();
    for (const given of ['trace-12345', '0'.repeat(32), 'a b<script>', '00000000-0000-4000-8000-000000000000']) {
      const answer = await ask(gateway.url, '/doctors', { headers: { 'X-Request-Id': given } });
      const made = String(answer.headers['x-request-id']);
      assert.match(made, /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/);
      assert.equal(answer.json<Echo>().headers['x-request-id'], made);
      assert.notEqual(made, given);
      ids.add(made);
    }
    assert.equal(ids.size, 4);
    await gateway.close();
  });

  it('does not reveal the software of the upstream', async () => {
    const gateway = await startGateway();
    const { headers } = await ask(gateway.url, '/doctors');
    assert.equal(headers['x-powered-by'], undefined);
    assert.equal(headers.connection, 'keep-alive');
    const closing = await ask(gateway.url, '/doctors', { headers: { Connection: 'close' } });
    assert.equal(closing.headers.connection, 'close');
    await gateway.close();
  });
});

describe('an unavailable upstream', () => {
  it('affects its own calls only: a 503 problem', async () => {
    const dead = await serve(echo('dead'));
    await dead.close();
    const gateway = await startGateway({ AUTH_EMULATOR_URL: dead.url }, { services: { clinic: dead.url } });
    const answer = await ask(gateway.url, '/doctors');
    assert.equal(answer.status, 503);
    assert.equal(answer.headers['content-type'], 'application/problem+json');
    assert.equal(answer.headers['retry-after'], '1');
    const problem = answer.json<Problem>();
    assert.equal(problem.code, 'unavailable');
    assert.equal(problem.requestId, answer.headers['x-request-id']);
    const body = '{"a":1}';
    assert.equal((await ask(gateway.url, '/appoinments', { method: 'POST', body })).status, 503);
    assert.equal((await ask(gateway.url, '/medicine')).status, 200);
    const firebase = await ask(gateway.url, '/securetoken.googleapis.com/v1/token', { method: 'POST', body });
    assert.equal(firebase.status, 503);
    assert.match(firebase.headers['content-type'] ?? '', /^text\/plain/);
    await gateway.close();
  });

  it('gets a 503 when it takes too long to respond', async () => {
    const abandoned = Promise.withResolvers<void>();
    const slow = await serve((_req, res) => void res.once('close', abandoned.resolve));
    const gateway = await startGateway({}, { services: { clinic: slow.url }, answerWithinMs: 50 });
    const answer = await ask(gateway.url, '/doctors');
    assert.equal(answer.status, 503);
    assert.equal(answer.json<Problem>().code, 'unavailable');
    await abandoned.promise;
    await gateway.close();
    await slow.close();
  });

  it('gets a retry of a safe call if it had just closed the connection, but never of a change', async () => {
    const seen: string[] = [];
    const flaky = await serve((req, res) => {
      seen.push(req.method ?? '');
      if (seen.length === 1 || req.method === 'POST') req.socket.resetAndDestroy();
      else res.end('{}');
    });
    const gateway = await startGateway({}, { services: { clinic: flaky.url } });
    assert.equal((await ask(gateway.url, '/doctors')).status, 200);
    assert.deepEqual(seen, ['GET', 'GET']);
    assert.equal((await ask(gateway.url, '/appoinments', { method: 'POST', body: '{}' })).status, 503);
    assert.deepEqual(seen, ['GET', 'GET', 'POST']);
    await gateway.close();
    await flaky.close();
  });

  it('is replaced by its replicas, which take turns', async () => {
    const dead = await serve(echo('dead'));
    await dead.close();
    const first = await serve(echo('first'));
    const second = await serve(echo('second'));
    const gateway = await startGateway({}, { services: { clinic: `${first.url}|${dead.url}|${second.url}` } });
    const names = new Set<string>();
    for (let i = 0; i < 6; i += 1) names.add((await ask(gateway.url, '/doctors')).json<Echo>().service);
    assert.deepEqual([...names].sort(), ['first', 'second']);
    await gateway.close();
    await first.close();
    await second.close();
  });
});

describe('long responses', () => {
  it('pass event by event, and may outlast the response time-out', async () => {
    let send: ((event: string) => void) | undefined;
    const feed = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write('data: first\n\n');
      send = (event) => void (event === 'end' ? res.end() : res.write(event));
    });
    const gateway = await startGateway({}, { services: { clinic: feed.url }, answerWithinMs: 500 });
    const res = await open(gateway.url, '/appoinments');
    const [first] = (await once(res, 'data')) as [Buffer];
    assert.equal(first.toString(), 'data: first\n\n');
    send?.('data: second\n\n');
    const [second] = (await once(res, 'data')) as [Buffer];
    assert.equal(second.toString(), 'data: second\n\n');
    send?.('end');
    res.resume();
    await once(res, 'end');
    await gateway.close();
    await feed.close();
  });

  it('end for the service when the client leaves', async () => {
    const gone = Promise.withResolvers<void>();
    const endless = await serve((_req, res) => {
      res.write('x');
      res.once('close', gone.resolve);
    });
    const gateway = await startGateway({}, { services: { clinic: endless.url } });
    const res = await open(gateway.url, '/appoinments');
    await once(res, 'data');
    res.destroy();
    await gone.promise;
    await gateway.close();
    await endless.close();
  });

  it('break off for the client when the service dies midway', async () => {
    const dying = await serve((req, res) => {
      res.writeHead(200, { 'Content-Length': '1000' });
      res.write('half', () => req.socket.resetAndDestroy());
    });
    const gateway = await startGateway({}, { services: { clinic: dying.url } });
    await assert.rejects(ask(gateway.url, '/appoinments'));
    await gateway.close();
    await dying.close();
  });
});
