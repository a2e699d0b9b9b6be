import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { echoOf, get, post, RawGateway } from '../testing/raw-gateway.ts';

const gateway = new RawGateway();

describe('bodies', () => {
  const whole = 'x'.repeat(50_000);

  it('in chunks arrive complete, with their length and without extensions and trailers', async () => {
    const { body, headers } = echoOf(
      await gateway.ask(
        post('Transfer-Encoding: chunked\r\n', `5;a=b\r\nhello\r\n6\r\n world\r\n0\r\nX-Trailer: 1\r\n\r\n`),
      ),
    );
    assert.equal(body, 'hello world');
    assert.equal(headers['content-length'], '11');
    assert.equal(headers['transfer-encoding'], undefined);
    assert.equal(headers['x-trailer'], undefined);
  });

  it('that are too large are rejected by their Content-Length, or once they exceed the limit', async () => {
    await gateway.rejects(post('Content-Length: 102401\r\n', ''), 413, 'too_large', 'by length');
    const chunk = `${(30_000).toString(16)}\r\n${'x'.repeat(30_000)}\r\n`;
    using connection = await gateway.connect();
    const answer = await connection.write(post('Transfer-Encoding: chunked\r\n', chunk.repeat(4))).answer('POST');
    gateway.assertRejected(answer, 413, 'too_large', 'as it comes');
    assert.equal(answer.headers['connection'], 'close');
    assert.equal(
      echoOf(await gateway.ask(post('Content-Length: 102400\r\n', 'x'.repeat(102_400)))).body.length,
      102_400,
    );
  });

  it('get 100 Continue only if they will be read', async () => {
    using connection = await gateway.connect();
    connection.write(post('Expect: 100-continue\r\nContent-Length: 2\r\n', ''));
    assert.equal((await connection.answer('POST')).status, 100);
    assert.deepEqual(gateway.seen, []);
    const echoed = echoOf(await connection.write('{}').answer('POST'));
    assert.equal(echoed.body, '{}');
    assert.equal(echoed.headers.expect, undefined);
    gateway.seen = [];
    await gateway.rejects(
      post('Expect: 100-continue\r\nContent-Length: 200000\r\n', ''),
      413,
      'too_large',
      'too large',
    );
    await gateway.rejects(
      'POST /about HTTP/1.1\r\nHost: clinic.example\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
      405,
      'method_not_allowed',
      'no such call',
    );
    gateway.seen = [];
    await gateway.rejects(
      post('Expect: miracles\r\nContent-Length: 2\r\n', '{}'),
      400,
      'malformed_request',
      'something else',
    );
  });

  it('that break off never reach the service', async () => {
    using connection = await gateway.connect();
    connection.write(post('Content-Length: 50000\r\n', whole.slice(0, 20_000)));
    connection.socket.end();
    await connection.rest();
    const reset = await gateway.connect();
    reset.write(post('Transfer-Encoding: chunked\r\n', '5\r\nhello\r\n'));
    reset.socket.resetAndDestroy();
    await reset.rest();
    assert.equal((await gateway.get('/appoinments?afterwards')).status, 200);
    assert.deepEqual(gateway.seen, ['GET /appoinments?afterwards']);
  });

  it('that are unwanted do not disturb the next request', async () => {
    using connection = await gateway.connect();
    connection.write(`POST /about HTTP/1.1\r\nHost: clinic.example\r\nContent-Length: 5000\r\n\r\n${'x'.repeat(5000)}`);
    assert.equal((await connection.answer('POST')).status, 405);
    assert.equal((await connection.write(get()).answer()).status, 200);
  });
});

describe('slow requests', () => {
  const impatient = new RawGateway({ headWithinMs: 1_000, requestWithinMs: 2_000 });

  it('time out', async () => {
    const slow = await impatient.connect();
    slow.write('GET /appoinments HTTP/1.1\r\nHost: clinic.example\r\nX-Slow: ');
    assert.match(await slow.rest(), /^HTTP\/1\.1 408 Request Timeout\r\n[^]*"code":"request_timeout"/);
    const slowBody = await impatient.connect();
    slowBody.write(post('Content-Length: 100\r\n', '{'));
    assert.match(await slowBody.rest(), /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.deepEqual(impatient.seen, []);
  });
});
