import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Problem } from '@clinic/contracts';
import type { RemoteDescriptor, Registry } from '@clinic/contracts/remotes';
import { serve, type TestServer } from '../testing/servers.ts';
import { clinicRemote, shellHtml, startGateway, type TestGateway } from '../testing/start-gateway.ts';

// A front-end's server is compromised: what can it learn about visitors, and what can it do to the site?

const evil = 'https://evil.example/';
const asked: { readonly url: string | undefined; readonly headers: IncomingHttpHeaders }[] = [];

/** Every response header that could do harm. */
const harm: Readonly<Record<string, string | string[]>> = {
  'Set-Cookie': ['clinic_session=mine; Path=/', 'signed_in=1'],
  'Content-Security-Policy': "default-src * 'unsafe-inline'",
  'Content-Security-Policy-Report-Only': `default-src 'none'; report-uri ${evil}`,
  'X-Frame-Options': 'ALLOWALL',
  'X-Content-Type-Options': 'none',
  'Referrer-Policy': 'unsafe-url',
  'Permissions-Policy': 'camera=*',
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'Cross-Origin-Resource-Policy': 'anything',
  'Strict-Transport-Security': 'max-age=0',
  'Clear-Site-Data': '"*"',
  'Service-Worker-Allowed': '/',
  'Access-Control-Allow-Origin': evil.slice(0, -1),
  'Access-Control-Allow-Credentials': 'true',
  Location: evil,
  Refresh: `0; url=${evil}`,
  Link: `<${evil}x.js>; rel=preload; as=script`,
  'Report-To': '{}',
  NEL: '{}',
  'Alt-Svc': 'h3="evil.example:443"',
  'WWW-Authenticate': 'Basic realm="Clinic"',
  SourceMap: evil,
  'X-Other': 'x',
};

const allowed = new Set([
  'content-type',
  'content-length',
  'cache-control',
  'etag',
  'vary',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
  'content-security-policy',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
]);

function assertHarmless(headers: IncomingHttpHeaders, where: string): void {
  for (const name of Object.keys(headers)) assert.ok(allowed.has(name), `${where}: ${name}: ${String(headers[name])}`);
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    where,
  );
  assert.equal(headers['x-frame-options'], 'DENY', where);
  assert.equal(headers['x-content-type-options'], 'nosniff', where);
  assert.equal(headers['referrer-policy'], 'strict-origin-when-cross-origin', where);
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin-allow-popups', where);
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin', where);
  assert.match(String(headers['permissions-policy']), /camera=\(\)/, where);
}

describe('the server of a front-end', () => {
  let hostile: TestServer;
  let gateway: TestGateway;
  before(async () => {
    hostile = await serve((req, res) => {
      asked.push({ url: req.url, headers: req.headers });
      if (req.url === '/remote.json') return void res.end(JSON.stringify(clinicRemote()));
      if (req.url === '/index.html') return void res.end(shellHtml);
      const status = Number(/(\d{3})/.exec(req.url ?? '')?.[1] ?? 200);
      res.writeHead(status, {
        ...harm,
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-cache',
        ETag: '"x"',
        Vary: 'Accept-Encoding',
      });
      res.end(status === 304 ? undefined : '<script>alert(1)</script>');
    });
    gateway = await startGateway({ REMOTES: `mf-clinic=${hostile.url}`, SHELL_URL: hostile.url });
  });
  after(async () => {
    await gateway.close();
    await hostile.close();
  });

  for (const folder of ['/mf/mf-clinic', '/shell', '']) {
    const file = (name: string): string => (folder === '' ? '/favicon.ico' : `${folder}/${name}`);

    it(`learns nothing about visitors (${folder || '/favicon.ico'})`, async () => {
      asked.length = 0;
      const answer = await gateway.ask(`${file('entry.js')}?token=t0psecret`, {
        headers: {
          Cookie: '__Host-clinic_session=s3cret',
          Authorization: 'Bearer s3cret',
          Referer: `${gateway.url}/users/ann@clinic.example`,
          'User-Agent': 'Quxzilla',
          Origin: gateway.url,
          'X-Csrf-Token': 's3cret',
          'Idempotency-Key': 's3cret',
          'Accept-Language': 'bn',
          From: 'ann@clinic.example',
          Accept: '*/*',
          'Accept-Encoding': 'br',
          'If-None-Match': '"y"',
        },
      });
      assert.equal(answer.status, 200);
      const [{ url, headers } = { url: '', headers: {} }] = asked;
      assert.equal(asked.length, 1);
      assert.equal(url, folder === '' ? '/favicon.ico' : '/entry.js');
      assert.deepEqual(Object.keys(headers).toSorted(), [
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'if-none-match',
        'x-request-id',
      ]);
    });

    it(`can set no cookie, no policy and no redirect (${folder || '/favicon.ico'})`, async () => {
      for (const status of folder === '' ? [200] : [200, 201, 301, 302, 303, 304, 307, 308, 401, 404, 503]) {
        const answer = await gateway.ask(
          file(`${status}.html`),
          folder === '' ? {} : { headers: { Accept: 'text/html' } },
        );
        assert.equal(answer.status, status);
        assertHarmless(answer.headers, String(status));
        assert.deepEqual(
          [answer.headers.etag, answer.headers['cache-control'], answer.headers.vary],
          ['"x"', 'no-cache', 'Accept-Encoding'],
        );
      }
    });

    it(`gets only requests for files (${folder || '/favicon.ico'})`, async () => {
      asked.length = 0;
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await gateway.ask(file('entry.js'), {
          method,
          body: '{"password":"s3cret"}',
          headers: { 'Content-Length': '21' },
        });
        assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'], method);
      }
      assert.deepEqual(asked, []);
    });
  }

  it('gets no request for an address that can’t be parsed', async () => {
    asked.length = 0;
    const answer = await gateway.ask('/mf/mf-clinic//evil.example:99999/x');
    assert.deepEqual([answer.status, answer.json<Problem>().code], [400, 'malformed_request']);
    assert.deepEqual(asked, []);
  });

  it('may share a public file with any site, without credentials', async () => {
    await using open = await serve(
      (_req, res) =>
        void res
          .writeHead(200, {
            'Access-Control-Allow-Origin': '*',
            'Access-Control-Allow-Credentials': 'true',
            'Cross-Origin-Resource-Policy': 'cross-origin',
          })
          .end(),
    );
    await using before = await startGateway({ REMOTES: `mf-clinic=${open.url}` });
    const { headers } = await before.ask('/mf/mf-clinic/entry.js');
    assert.deepEqual(
      [
        headers['access-control-allow-origin'],
        headers['access-control-allow-credentials'],
        headers['cross-origin-resource-policy'],
      ],
      ['*', undefined, 'cross-origin'],
    );
  });
});

describe('what a remote publishes', () => {
  /** The outcome if this is the remote's first publication. */
  async function publish(published: unknown): Promise<{
    readonly registered: boolean;
    readonly why: string;
    readonly ask: TestGateway['ask'];
    readonly close: () => Promise<void>;
  }> {
    const remote = await serve((_req, res) => void res.end(JSON.stringify(published)));
    const lines: Record<string, unknown>[] = [];
    const gateway = await startGateway({ REMOTES: `mf-clinic=${remote.url}` }, { onLog: (line) => lines.push(line) });
    const { remotes, away } = (await gateway.ask('/registry.json')).json<Registry>();
    assert.equal(remotes.length + away.length, 1);
    return {
      registered: remotes.length === 1,
      why: lines
        .map(({ reason }) => reason)
        .filter((reason) => typeof reason === 'string')
        .join('\n'),
      ask: (path) => gateway.ask(path),
      async close() {
        await gateway.close();
        await remote.close();
      },
    };
  }
  const good = clinicRemote();
  const { integrity: _none, ...unsaid } = good;
  const page = good.pages[0];
  assert.ok(page);

  const refused: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    'without digests': [unsaid, /integrity/],
    'with empty digests': [{ ...good, integrity: {} }, /must have the digest of entry\.0123\.js, module\.0123\.css/],
    'without the digest of one file': [
      { ...good, pagePreload: { '/dash': ['1.js'] } },
      /must have the digest of 1\.js/,
    ],
    'with a redirect to another site': [
      { ...good, redirects: [{ from: '/go', to: '//evil.example' }] },
      /must be a route path/,
    ],
    'with a redirect to another site through a parameter that is not given': [
      { ...good, redirects: [{ from: '/go', to: '/:nothing/evil.example' }] },
      /parameters of from only/,
    ],
    'with two slashes further on': [
      { ...good, redirects: [{ from: '/go', to: '/x//evil.example' }] },
      /must be a route path/,
    ],
    'with a page at another site': [{ ...good, pages: [{ ...page, path: '//evil.example' }] }, /must be a route path/],
    'with another site for a role': [
      { ...good, pages: [{ ...page, insteadFor: { admin: '//evil.example' } }] },
      /must be a route path/,
    ],
    'with a file at another site': [
      { ...good, preload: ['entry.0123.js', '//evil.example/x.js'] },
      /must be a relative path/,
    ],
    'with dot segments': [{ ...good, redirects: [{ from: '/go', to: '/x/../..//evil' }] }, /must be a route path/],
    'with a pattern that no router understands': [
      { ...good, redirects: [{ from: '/go/:a/:a', to: '/x' }] },
      /each parameter once/,
    ],
  };

  for (const [name, [published, why]] of Object.entries(refused)) {
    it(`${name} is rejected, and the log says why`, async () => {
      const outcome = await publish(published);
      assert.equal(outcome.registered, false);
      assert.match(outcome.why, why);
      assert.equal((await outcome.ask('/go')).headers.location, undefined);
      await outcome.close();
    });
  }

  it('keeps the previous publication if the next one is rejected', async () => {
    let published: unknown = good;
    await using remote = await serve((_req, res) => void res.end(JSON.stringify(published)));
    await using gateway = await startGateway({ REMOTES: `mf-clinic=${remote.url}` });
    published = { ...unsaid, version: '2.0.0' } satisfies Partial<RemoteDescriptor>;
    await gateway.gateway.poll();
    const [registered] = (await gateway.ask('/registry.json')).json<Registry>().remotes;
    assert.deepEqual([registered?.version, registered?.integrity], [good.version, good.integrity]);
  });

  it('may have redirects with parameters', async () => {
    const outcome = await publish({ ...good, redirects: [{ from: '/go/:id', to: '/dash/:id' }] });
    assert.equal((await outcome.ask('/go/7?x=1')).headers.location, '/dash/7?x=1');
    await outcome.close();
  });
});
