import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import getPort from 'get-port';
import { findNginx } from '../../../bench/src/gateway/nginx.ts';
import { people } from '../support/three-services.ts';
import { startWholeClinic, type WholeClinic } from '../support/whole-clinic.ts';

const example = readFileSync(join(import.meta.dirname, '../../../deploy/tls/nginx.conf'), 'utf8');
const { path: nginx, reason = '' } = findNginx(() => undefined);

/** The example as it is, but for its ports, certificate and the clinic's address. */
function configFor(folder: string, ports: { readonly http: number; readonly https: number }, clinic: string): string {
  const own = [
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`],
    ['/etc/ssl/clinic/fullchain.pem', join(folder, 'own.pem')],
    ['/etc/ssl/clinic/privkey.pem', join(folder, 'own.key')],
    ['server 127.0.0.1:8080;', `server ${new URL(clinic).host};`],
  ] as const;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const changed = own.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from);
    return text.replace(from, to);
  }, example);
  return `daemon off; pid ${join(folder, 'pid')}; error_log stderr; worker_processes 1;
events {}
http { access_log off; ${temporary.join(' ')}
${changed} }`;
}

/** A test authority, and its certificate for clinic.example. */
function makeCertificates(folder: string): void {
  const make = (name: string, subject: string, ...rest: string[]): unknown =>
    execFileSync(
      'openssl',
      // Same words for both.
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${subject} -keyout ${name}.key -out ${name}.pem`
        .split(' ')
        .concat(rest),
      { cwd: folder, stdio: 'pipe' },
    );
  make('ca', 'Test');
  make('own', 'clinic.example', '-addext', 'subjectAltName=DNS:clinic.example', '-CA', 'ca.pem', '-CAkey', 'ca.key');
}

interface Proxy {
  readonly session: ClientHttp2Session;
  readonly httpPort: number;
  close(): Promise<void>;
}

async function startProxy(clinic: string): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-tls-'));
  mkdirSync(folder, { recursive: true });
  makeCertificates(folder);
  const ports = { http: await getPort(), https: await getPort() };
  writeFileSync(join(folder, 'nginx.conf'), configFor(folder, ports, clinic));
  const program: ChildProcess = spawn(nginx ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => program.once('exit', () => resolve()));
  await isListening(ports.https);
  const session = connectHttp2(`https://clinic.example:${ports.https}`, {
    ca: readFileSync(join(folder, 'ca.pem')),
    lookup: (_name, options, done) =>
      options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  });
  await new Promise<void>((resolve, reject) => session.once('connect', () => resolve()).once('error', reject));
  return {
    session,
    httpPort: ports.http,
    async close() {
      session.destroy();
      program.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function isListening(port: number): Promise<void> {
  await waitUntil(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  }, 20_000);
}

/** A request over HTTP/2; `text` is what arrived until the end, or until `until` matches. */
function ask(
  { session }: Proxy,
  headers: Record<string, string>,
  { until, body }: { readonly until?: RegExp; readonly body?: unknown } = {},
): Promise<{ readonly headers: IncomingHttpHeaders & { ':status'?: number }; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers, { endStream: body === undefined });
    if (body !== undefined) stream.end(JSON.stringify(body));
    let given: IncomingHttpHeaders = {};
    let text = '';
    const done = (): void => resolve({ headers: given, text });
    stream.on('response', (answer) => (given = answer));
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text += chunk;
      if (until?.test(text) !== true) return;
      done();
      stream.close();
    });
    stream.on('end', done);
    stream.on('error', reject);
  });
}

/** What a failed start must also close, the last first. */
const open: { close(): Promise<void> }[] = [];
function toClose<Program extends { close(): Promise<void> }>(program: Program): Program {
  open.unshift(program);
  return program;
}
async function closeAll(): Promise<void> {
  for (const program of open.splice(0)) await program.close();
}

describe(
  `the example of nginx in front of the clinic${nginx === undefined ? ` (${reason})` : ''}`,
  {
    skip: nginx === undefined,
  },
  () => {
    describe('in front of a server that shows what it gets', () => {
      let proxy: Proxy;
      const server = createServer((req, res) => res.end(JSON.stringify(req.headers)));
      before(async () => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        proxy = toClose(await startProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
      });
      after(async () => {
        server.close();
        await closeAll();
      });

      test('visitors can’t choose the address that limits count by, nor claim to use https', async () => {
        const { text } = await ask(proxy, {
          ':path': '/',
          'x-forwarded-for': '203.0.113.9, 198.51.100.1',
          'x-forwarded-proto': 'http',
        });
        const passed = JSON.parse(text) as IncomingHttpHeaders;
        assert.equal(passed['x-forwarded-for'], '127.0.0.1');
        assert.equal(passed['x-forwarded-proto'], 'https');
        assert.equal(passed.host, 'clinic.example');
      });

      test('plain http leads to https', async () => {
        const [status, location] = await new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
          request(
            { port: proxy.httpPort, host: '127.0.0.1', path: '/dash?x=1', headers: { Host: 'clinic.example' } },
            (answer) => resolve([answer.resume().statusCode, answer.headers.location]),
          )
            .once('error', reject)
            .end();
        });
        assert.deepEqual([status, location], [308, 'https://clinic.example/dash?x=1']);
      });
    });

    describe('in front of the clinic', () => {
      let clinic: WholeClinic;
      let proxy: Proxy;
      before(async () => {
        clinic = toClose(await startWholeClinic({ env: { COOKIE_SECURE: 'true' } }));
        const door = toClose(await clinic.openGateway({ TRUST_PROXY: 'true', HSTS: 'host' }));
        proxy = toClose(await startProxy(door.url));
      });
      after(closeAll);

      test('pages come by HTTP/2, compressed, with HSTS and the page policy once each', async () => {
        const { headers } = await ask(proxy, { ':path': '/', accept: 'text/html', 'accept-encoding': 'gzip' });
        assert.equal(proxy.session.alpnProtocol, 'h2');
        assert.equal(headers[':status'], 200);
        assert.equal(headers['strict-transport-security'], 'max-age=31536000');
        assert.equal(headers['content-encoding'], 'gzip');
        assert.match(String(headers['content-security-policy']), /^default-src 'none'|^default-src 'self'/);
        assert.doesNotMatch(String(headers['content-security-policy']), /, /);
      });

      test('session cookies are for https and this host alone', async () => {
        const { email } = people.patient;
        const { headers } = await ask(
          proxy,
          {
            ':method': 'POST',
            ':path': '/jwt',
            'content-type': 'application/json',
            origin: 'https://clinic.example',
            'sec-fetch-site': 'same-origin',
            authorization: `Bearer ${await clinic.services.idToken(email)}`,
          },
          { body: { email } },
        );
        assert.equal(headers[':status'], 200);
        const cookies = headers['set-cookie'] ?? [];
        assert.ok(cookies.length > 0);
        for (const cookie of cookies) assert.match(cookie, /; Secure/);
        assert.ok(
          cookies.some((cookie) => cookie.startsWith('__Host-')),
          cookies.join('\n'),
        );
      });

      test('event streams arrive at once', async () => {
        const cookie = await clinic.services.signIn(people.patient.email);
        const { headers, text } = await ask(
          proxy,
          { ':path': '/appoinments/changes', accept: 'text/event-stream', cookie },
          { until: /event: ready/ },
        );
        assert.equal(headers['content-type'], 'text/event-stream');
        assert.match(text, /event: ready/);
      });
    });
  },
);
