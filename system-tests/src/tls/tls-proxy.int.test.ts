import assert from 'node:assert/strict';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { findDebianProgram } from '../support/debian-program.ts';
import { people } from '../support/three-services.ts';
import { startWholeClinic, type RunningGateway, type WholeClinic } from '../support/whole-clinic.ts';
import { ask, examples, startProxy, type Proxy } from './proxies.ts';

const found = await Promise.all(
  examples.map(async (example) => ({ example, path: await findDebianProgram(example.packageName, example.program) })),
);
const origin = 'https://clinic.example';

let clinic: WholeClinic | undefined;
let gateway: RunningGateway;
before(async () => {
  if (found.every(({ path }) => path === undefined)) return;
  clinic = await startWholeClinic({ env: { COOKIE_SECURE: 'true' } });
  gateway = await clinic.openGateway({ TRUST_PROXY: 'true', HSTS: 'host' });
});
after(async () => {
  await gateway?.close();
  await clinic?.close();
});

for (const { example, path = '' } of found) {
  const { name, packageName } = example;
  const skip = path === '' ? `needs ${name} (Debian: apt-get install ${packageName})` : false;
  describe(`the example of ${name} in front of the clinic`, { skip }, () => {
    /** Shows its visitor's headers. */
    const mirror = createServer((req, res) => res.end(JSON.stringify(req.headers)));
    let toMirror: Proxy;
    let toClinic: Proxy;
    before(async () => {
      await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
      toMirror = await startProxy(example, path, `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`);
      toClinic = await startProxy(example, path, gateway.url);
    });
    after(async () => {
      await toMirror?.close();
      await toClinic?.close();
      mirror.close();
    });

    test('visitors can’t choose the address that limits count by, nor claim to use https', async () => {
      const { text } = await ask(toMirror, {
        ':path': '/',
        'x-forwarded-for': '203.0.113.9, 198.51.100.1',
        'x-forwarded-proto': 'http',
      });
      const passed = JSON.parse(text) as IncomingHttpHeaders;
      assert.equal(passed['x-forwarded-for'], '127.0.0.1');
      assert.equal(passed['x-forwarded-proto'], 'https');
      assert.match(String(passed.host), /^clinic\.example(?::\d+)?$/);
    });

    test('plain http leads to https', async () => {
      const [status, location] = await new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
        request(
          { port: toMirror.httpPort, host: '127.0.0.1', path: '/dash?x=1', headers: { Host: 'clinic.example' } },
          (answer) => resolve([answer.resume().statusCode, answer.headers.location]),
        )
          .once('error', reject)
          .end();
      });
      assert.deepEqual([status, location], [308, `${origin}/dash?x=1`]);
    });

    test('pages come by HTTP/2, compressed, with HSTS and the page policy once each', async () => {
      const { headers } = await ask(toClinic, { ':path': '/', accept: 'text/html', 'accept-encoding': 'gzip' });
      assert.equal(toClinic.session.alpnProtocol, 'h2');
      assert.equal(headers[':status'], 200);
      assert.equal(headers['strict-transport-security'], 'max-age=31536000');
      assert.equal(headers['content-encoding'], 'gzip');
      assert.match(String(headers['content-security-policy']), /^default-src 'none'|^default-src 'self'/);
      assert.doesNotMatch(String(headers['content-security-policy']), /, /);
    });

    test('session cookies are for https and this host alone', async () => {
      assert.ok(clinic);
      const { email } = people.patient;
      const { headers } = await ask(
        toClinic,
        {
          ':method': 'POST',
          ':path': '/jwt',
          'content-type': 'application/json',
          origin,
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
      assert.ok(clinic);
      const cookie = await clinic.services.signIn(people.patient.email);
      const { headers, text } = await ask(
        toClinic,
        { ':path': '/appoinments/changes', accept: 'text/event-stream', cookie },
        { until: /event: ready/ },
      );
      assert.equal(headers['content-type'], 'text/event-stream');
      assert.match(text, /event: ready/);
    });
  });
}
