import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOf, echoBack, echoOf, get, RawGateway } from '../testing/raw-gateway.ts';

const gateway = new RawGateway();

describe('responses', () => {
  it('to HEAD have the headers of GET and keep the connection open', async () => {
    using connection = await gateway.connect();
    const head = await connection.write(get('/appoinments', '', 'HEAD')).answer('HEAD');
    assert.equal(head.status, 200);
    assert.ok(Number(head.headers['content-length']) > 100);
    assert.equal(
      (await connection.write(get('/nowhere', 'Accept: application/json\r\n', 'HEAD')).answer('HEAD')).status,
      404,
    );
    assert.equal((await connection.write(get()).answer()).status, 200);
  });

  it('that can’t have a body have none, whatever their Content-Length', async () => {
    using connection = await gateway.connect();
    for (const [status, extra] of [
      [304, { ETag: '"1"', 'Content-Length': '1000' }],
      [204, {}],
      [304, { ETag: '"1"' }],
    ] as const) {
      gateway.respond = (_req, res) => void res.writeHead(status, extra).end();
      const answer = await connection.write(get('/appoinments', 'If-None-Match: "1"\r\n')).answer();
      assert.equal(answer.status, status);
      if ('ETag' in extra) assert.equal(answer.headers['etag'], '"1"');
    }
  });

  it('to range requests pass unchanged', async () => {
    gateway.respond = (req, res) =>
      void res
        .writeHead(206, { 'Content-Range': 'bytes 2-4/10', 'Content-Length': 3, 'Accept-Ranges': 'bytes' })
        .end(String(req.headers.range).slice(-3));
    const answer = await gateway.get('/appoinments', 'Range: bytes=2-4\r\nIf-Range: "1"\r\n');
    assert.deepEqual(
      [answer.status, answer.body, answer.headers['content-range'], answer.headers['accept-ranges']],
      [206, '2-4', 'bytes 2-4/10', 'bytes'],
    );
    gateway.respond = (_req, res) => void res.writeHead(416, { 'Content-Range': 'bytes */10' }).end();
    assert.equal((await gateway.get('/appoinments', 'Range: bytes=20-\r\n')).headers['content-range'], 'bytes */10');
  });

  it('that are interim are not forwarded', async () => {
    gateway.respond = (req, res, body) => {
      res.writeEarlyHints({ link: '</x>; rel=preload' });
      res.writeProcessing();
      echoBack(req, res, body);
    };
    assert.equal((await gateway.get('/appoinments')).status, 200);
  });

  it('of unknown length are chunked, or end the connection for HTTP/1.0', async () => {
    gateway.respond = (_req, res) => {
      res.write('one ');
      res.end('two');
    };
    const answer = await gateway.get('/appoinments');
    assert.deepEqual([answer.body, answer.headers['transfer-encoding']], ['one two', 'chunked']);
    const old = await gateway.everythingFor('GET /appoinments HTTP/1.0\r\nHost: clinic.example\r\n\r\n');
    assert.match(old, /^HTTP\/1\.1 200 OK\r\n/);
    assert.doesNotMatch(old, /transfer-encoding/i);
    assert.match(old, /\r\n\r\none two$/);
  });

  it('that break off also break off for the client', async () => {
    gateway.respond = (req, res) => {
      res.writeHead(200, { 'Content-Length': '1000' });
      res.write('half', () => req.socket.destroy());
    };
    const text = await gateway.everythingFor(get());
    assert.match(text, /\r\n\r\nhalf$/);
    gateway.respond = (req, res) => {
      res.write('half');
      res.write('', () => req.socket.destroy());
    };
    const chunks = await gateway.everythingFor(get());
    assert.doesNotMatch(chunks, /\r\n0\r\n\r\n$/, 'a truncated response must not look complete');
  });

  it('that are not HTTP count as an outage', async () => {
    for (const nonsense of [
      'nonsense\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n',
    ]) {
      gateway.respond = (req) => void req.socket.end(nonsense);
      const answer = await gateway.get('/appoinments');
      assert.equal(answer.status, 503, nonsense);
      assert.equal(codeOf(answer), 'unavailable');
    }
  });

  it('longer than their Content-Length do not leak into the next response', async () => {
    gateway.respond = (req) =>
      void req.socket.end(
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil',
      );
    assert.equal((await gateway.get('/appoinments?a')).body, '{}');
    gateway.respond = echoBack;
    assert.equal(echoOf(await gateway.get('/appoinments?b')).url, '/appoinments?b');
  });
});
