import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { commonHeaders } from '../server/common-headers.ts';
import { echoBack, echoOf, get, post, RawGateway } from '../testing/raw-gateway.ts';

const gateway = new RawGateway();

describe('paths', () => {
  it('are routed by their whole first segment, compared exactly', async () => {
    for (const path of [
      '/doctors',
      '/doctors/',
      '/doctors?x=/../y',
      '/doctors/a%20b',
      '/doctors//x',
      '/doctors/%C3%A9',
      '/doctors/..x',
      '/doctors/x..',
    ]) {
      assert.equal(echoOf(await gateway.get(path)).url, path);
    }
    gateway.seen = [];
    for (const path of [
      '/doctorss',
      '/doctor',
      '/Doctors',
      '/DOCTORS',
      '/%64octors',
      '/doctors;x',
      '/doctors.json',
      '//doctors',
      '/x/doctors',
      '/doctors%20',
      '/doctors%3Fx',
      '/users-of-today',
    ]) {
      await gateway.rejects(get(path, 'Accept: application/json\r\n'), 404, 'not_found', path);
    }
  });

  it('that two servers could read differently are rejected', async () => {
    const ambiguous = [
      '/doctors/../users',
      '/doctors/..',
      '/..',
      '/doctors/./x',
      '/.',
      '/doctors/%2e%2e/users',
      '/doctors/%2E%2e',
      '/doctors/.%2e/x',
      '/doctors/..;/users',
      '/doctors/..;x=1',
      '/doctors%2fx',
      '/doctors/%2F',
      '/doctors/a%5cb',
      '/doctors\\..\\users',
      '/mf/mf-public/../../x',
      '/doctors/%00',
      'http://clinic.example/doctors',
      '//clinic.example/../x',
      'doctors',
      '*',
    ];
    for (const path of ambiguous) await gateway.rejects(get(path), 400, 'malformed_request', path);
  });

  it('have a maximum length', async () => {
    assert.equal((await gateway.get(`/doctors?q=${'x'.repeat(8_000)}`)).status, 200);
    gateway.seen = [];
    await gateway.rejects(get(`/doctors?q=${'x'.repeat(8_200)}`), 414, 'address_too_long', '8 KB');
    await gateway.rejects(get(`/doctors?q=${'x'.repeat(20_000)}`), 431, 'headers_too_large', '20 KB');
  });
});

describe('methods and hosts', () => {
  it('that no service needs are rejected', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'LINK']) {
      const answer = await gateway.rejects(get('/doctors', '', method), 405, 'method_not_allowed', method);
      assert.equal(answer.headers['allow'], 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    }
    await gateway.rejects(get('/doctors', '', 'BREW'), 400, 'malformed_request', 'unknown method');
    await gateway.rejects(get('/doctors', '', 'get'), 400, 'malformed_request', 'methods are in capitals');
    assert.equal(
      await gateway.everythingFor('CONNECT clinic.example:443 HTTP/1.1\r\nHost: clinic.example\r\n\r\n'),
      '',
    );
    assert.deepEqual(gateway.seen, []);
  });

  it('must be named exactly once', async () => {
    for (const request of [
      'GET /doctors HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.1\r\nAccept: text/html\r\n\r\n',
      'POST /jwt HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}',
      'GET /doctors HTTP/1.0\r\n\r\n',
    ]) {
      const answer = await gateway.rejects(request, 400, 'malformed_request', request);
      for (const [name, value] of commonHeaders) assert.equal(answer.headers[name], value, `${name} of ${request}`);
    }
    for (const hosts of [
      'Host: a.example\r\nHost: b.example',
      'Host: a.example\r\nhost: a.example',
      'Host: a.example/x',
      'Host: a@b',
      'Host: ',
      'Host: a b',
    ]) {
      await gateway.rejects(`GET /doctors HTTP/1.1\r\n${hosts}\r\n\r\n`, 400, 'malformed_request', hosts);
    }
    for (const host of ['clinic.example:8080', '127.0.0.1', '[::1]:8080', 'localhost'])
      assert.equal(echoOf(await gateway.ask(`GET /appoinments HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).headers.host, host);
  });
});

describe('request smuggling', () => {
  const inner = 'GET /users HTTP/1.1\r\nHost: clinic.example\r\n\r\n';
  const attempts: Record<string, string> = {
    'both lengths': post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${inner}`),
    'both lengths in reverse order': post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${inner}`),
    'two lengths': post('Content-Length: 0\r\nContent-Length: 44\r\n', inner),
    'the same length twice': post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'),
    'a list of lengths': post('Content-Length: 2, 2\r\n', '{}'),
    'a length with a sign': post('Content-Length: +2\r\n', '{}'),
    'a length in hexadecimal': post('Content-Length: 0x2\r\n', '{}'),
    'a length below zero': post('Content-Length: -1\r\n', '{}'),
    'a huge length': post('Content-Length: 99999999999999999999999\r\n', '{}'),
    'a coding after chunked': post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${inner}`),
    'chunked twice': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${inner}`),
    'a blank before the colon': post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${inner}`),
    'a folded line': post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${inner}`),
    'a folded line of another field': post('X-A: b\r\n c\r\nContent-Length: 2\r\n', '{}'),
    'a bare line feed in the head': post('X-A: b\nContent-Length: 2\r\n', '{}'),
    'a bare carriage return in a value': post('X-A: b\rContent-Length: 2\r\n', '{}'),
    'a NUL in a value': post('X-A: b\0c\r\nContent-Length: 2\r\n', '{}'),
    'an invalid chunk size': post('Transfer-Encoding: chunked\r\n', `zz\r\n{}\r\n0\r\n\r\n`),
    'a chunk size with a blank in it': post('Transfer-Encoding: chunked\r\n', `0 2\r\n{}\r\n0\r\n\r\n`),
    'a chunk longer than its size': post('Transfer-Encoding: chunked\r\n', `1\r\n{}\r\n0\r\n\r\n`),
    'a chunk with a bare line feed': post('Transfer-Encoding: chunked\r\n', `2\n{}\n0\n\n`),
    'a huge chunk size': post('Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n{}\r\n0\r\n\r\n`),
    'no version': 'GET /doctors\r\n\r\n',
    'an odd version': 'GET /doctors HTTP/1.9\r\nHost: clinic.example\r\n\r\n',
    'another protocol': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    TLS: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'a blank before the first field': 'GET /doctors HTTP/1.1\r\n Host: clinic.example\r\n\r\n',
    'a field without a name': 'GET /doctors HTTP/1.1\r\nHost: clinic.example\r\n: x\r\n\r\n',
  };
  for (const [what, request] of Object.entries(attempts)) {
    it(`is prevented with ${what}`, async () => {
      const everything = await gateway.everythingFor(request);
      assert.match(everything, /^HTTP\/1\.1 400 Bad Request\r\n/);
      assert.equal(everything.split('HTTP/1.1 ').length, 2, 'one response, then the connection ends');
      assert.match(everything, /\r\nconnection: close\r\n/i);
      assert.match(everything, /"code":"malformed_request"/);
      assert.deepEqual(gateway.seen, []);
    });
  }

  for (const coding of [
    'xchunked',
    'gzip',
    'gzip, chunked',
    'identity, chunked',
    'deflate,gzip , chunked',
    'x-unknown,chunked',
  ])
    it(`is prevented with the transfer coding ${coding}, which is answered 501`, async () => {
      const everything = await gateway.everythingFor(post(`Transfer-Encoding: ${coding}\r\n`, `2\r\n{}\r\n0\r\n\r\n`));
      assert.match(everything, /^HTTP\/1\.1 501 Not Implemented\r\n/);
      assert.match(everything, /\r\nconnection: close\r\n/i);
      assert.match(everything, /"code":"not_implemented"/);
      assert.deepEqual(gateway.seen, []);
    });

  it('is prevented in pipelines: the service gets one request at a time, each with its own length', async () => {
    using connection = await gateway.connect();
    connection.write(post(`Content-Length: ${inner.length}\r\n`, inner) + get('/doctors?second'));
    assert.equal(echoOf(await connection.answer('POST')).body, inner);
    assert.equal(echoOf(await connection.answer()).url, '/doctors?second');
    assert.deepEqual(gateway.seen, ['POST /appoinments', 'GET /doctors?second']);
  });
});

describe('hop-by-hop fields', () => {
  it('are removed in both directions', async () => {
    gateway.respond = (req, res, body) => {
      for (const [name, value] of [
        ['Connection', 'keep-alive, X-Mine'],
        ['Keep-Alive', 'timeout=9'],
        ['Proxy-Connection', 'x'],
        ['Upgrade', 'h2c'],
        ['Server', 'secret/1'],
        ['X-Powered-By', 'x'],
      ] as const)
        res.setHeader(name, value);
      echoBack(req, res, body);
    };
    const answer = await gateway.get(
      '/appoinments',
      'Connection: close, X-Hop, Host, Cookie\r\nX-Hop: 1\r\nCookie: a=b\r\nKeep-Alive: timeout=1\r\nTE: trailers\r\nTrailer: X\r\nUpgrade: websocket\r\nProxy-Authorization: Basic x\r\nProxy-Connection: close\r\n',
    );
    const { headers } = echoOf(answer);
    for (const name of [
      'x-hop',
      'cookie',
      'keep-alive',
      'te',
      'trailer',
      'upgrade',
      'proxy-authorization',
      'proxy-connection',
    ])
      assert.equal(headers[name], undefined, name);
    assert.equal(headers.host, 'clinic.example');
    assert.equal(headers.connection, 'keep-alive');
    for (const name of ['keep-alive', 'proxy-connection', 'upgrade', 'server', 'x-powered-by'])
      assert.equal(answer.headers[name], undefined, name);
    assert.equal(answer.headers['connection'], 'close');
  });

  it('cannot upgrade a connection to another protocol', async () => {
    const answer = await gateway.get(
      '/appoinments',
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n',
    );
    assert.equal(answer.status, 200);
    assert.equal(echoOf(answer).headers.upgrade, undefined);
  });
});

describe('large heads', () => {
  it('of more than 16 KB are rejected', async () => {
    await gateway.rejects(
      get('/appoinments', `X-Large: ${'x'.repeat(17_000)}\r\n`),
      431,
      'headers_too_large',
      'one large field',
    );
    await gateway.rejects(get('/appoinments', 'X-Many: x\r\n'.repeat(2_000)), 431, 'headers_too_large', 'many fields');
  });

  it('do not corrupt a response in flight', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    gateway.respond = (_req, res) => {
      res.writeHead(200, { 'Content-Length': '8' });
      res.write('half');
      arrived.resolve(res);
    };
    using connection = await gateway.connect();
    connection.write(get());
    await connection.until('half');
    connection.write('nonsense\r\n\r\n');
    assert.doesNotMatch(await connection.rest(), /HTTP\/1\.1/);
    (await arrived.promise).destroy();
  });
});
