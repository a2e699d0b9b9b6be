import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Problem, Registry } from '@clinic/contracts';
import { serve, type Echo } from './testing/servers.ts';
import { realProject, startGateway } from './testing/start-gateway.ts';

const gateway = await startGateway();
after(() => gateway.close());

describe('routing', () => {
  it('forwards each call to its service with path and query unchanged', async () => {
    const cases = {
      '/jwt/session': 'identity',
      '/users/a%40b.example': 'identity',
      '/users?role=admin&q=a%20b': 'identity',
      '/update-role/1': 'identity',
      '/doctors?_id=1': 'clinic',
      '/appoinments/unconfirmed?email=x': 'clinic',
      '/update-appoinment/1': 'clinic',
      '/doc-pharma': 'clinic',
      '/pharmacists': 'clinic',
      '/medicine': 'pharmacy',
      '/medicine/1': 'pharmacy',
      '/orderMedi?email=x': 'pharmacy',
    };
    for (const [path, service] of Object.entries(cases)) {
      const echoed = (await gateway.ask(path)).json<Echo>();
      assert.equal(echoed.service, service, path);
      assert.equal(echoed.url, path);
    }
  });

  it('forwards bodies unparsed', async () => {
    const body = JSON.stringify({ newStatus: 'Confirmed' });
    const answer = await gateway.ask('/update-appoinment/1', {
      method: 'PATCH',
      body,
      headers: { 'Content-Type': 'application/json', 'Content-Length': String(body.length) },
    });
    assert.equal(answer.json<Echo>().body, body);
    assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
  });

  it('serves pages with the registry and the preloads of their address', async () => {
    const { status, text, headers } = await gateway.ask('/ourDoctors');
    assert.equal(status, 200);
    assert.match(text, /<title>Our Doctors · [^<]+<\/title>/);
    assert.match(
      text,
      /<link rel="preload" href="\/mf\/mf-public\/entry\.0123\.js" as="script" integrity="sha256-A{43}=">/,
    );
    assert.match(
      text,
      /<link rel="preload" href="\/mf\/mf-public\/module\.0123\.css" as="style" integrity="sha256-A{43}=">/,
    );
    assert.match(text, /host\.js/);
    assert.doesNotMatch(text, /login\.js/);
    const login = await gateway.ask('/login');
    assert.match(login.text, /login\.js/);
    assert.doesNotMatch(login.text, /host\.js|mf-public\/entry/);
    const registry = JSON.parse(/id="registry">(.*?)<\/script>/.exec(text)?.[1] ?? '') as Registry;
    assert.deepEqual(
      registry.remotes.map(({ name, baseUrl }) => [name, baseUrl]),
      [['mf-public', '/mf/mf-public/']],
    );
    const config = JSON.parse(/id="config">(.*?)<\/script>/.exec(text)?.[1] ?? '') as Record<string, unknown>;
    assert.equal(config['demoMode'], true);
    assert.equal(headers['cache-control'], 'no-cache');
    const again = await gateway.ask('/ourDoctors', { headers: { 'If-None-Match': headers.etag ?? '' } });
    assert.equal(again.status, 304);
  });

  it('answers an unknown address with the page and status 404, or a problem for an API client', async () => {
    const page = await gateway.ask('/no/such/page', { headers: { Accept: 'text/html' } });
    assert.equal(page.status, 404);
    assert.match(page.text, /id="registry"/);
    const program = await gateway.ask('/no/such/page', { headers: { Accept: 'application/json' } });
    assert.equal(program.status, 404);
    assert.equal(program.json<Problem>().code, 'not_found');
    assert.equal((await gateway.ask('/mf/mf-nobody/entry.js')).status, 404);
  });

  it('tells the balancer to ask another gateway for what nobody has here, and for nothing else', async () => {
    const asked = { 'Clinic-Ask-Elsewhere': '1' };
    const asPage = { ...asked, Accept: 'text/html' };
    for (const [path, headers] of [
      ['/no/such/page', asPage],
      ['/no/such/call', { ...asked, Accept: 'application/json' }],
      ['/mf/mf-nobody/entry.js', asked],
    ] as const)
      assert.equal((await gateway.ask(path, { headers })).status, 425, path);
    assert.match((await gateway.ask('/no/such/page', { headers: asPage })).text, /id="registry"/);
    assert.equal((await gateway.ask('/about', { headers: asPage })).status, 200);
    const call = await gateway.ask('/doctors', { headers: asked });
    assert.equal(call.json<Echo>().headers['clinic-ask-elsewhere'], undefined);
    await using missing = await serve((_req, res) => void res.writeHead(404).end());
    await using without = await startGateway(
      { REMOTES: `mf-clinic=${missing.url}` },
      { services: { clinic: missing.url } },
    );
    for (const path of ['/doctors/1', '/mf/mf-clinic/none.js'])
      assert.equal((await without.ask(path, { headers: asked })).status, 404, path);
  });

  it('serves pages for GET and HEAD only', async () => {
    const post = await gateway.ask('/about', { method: 'POST' });
    assert.equal(post.status, 405);
    assert.equal(post.headers.allow, 'GET, HEAD');
    const head = await gateway.ask('/about', { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
  });

  it('leaves room for a developer’s local build: pages it adds, and files that it replaces', async () => {
    await using developing = await startGateway({ REMOTE_OVERRIDES: 'true' });
    assert.equal((await developing.ask('/only/in/the/local/build', { headers: { Accept: 'text/html' } })).status, 200);
    assert.doesNotMatch((await developing.ask('/about')).text, /rel="preload" href="\/mf\//);
  });

  it('redirects misspelt addresses', async () => {
    const page = await gateway.ask('/appointments?x=1');
    assert.equal(page.status, 302);
    assert.equal(page.headers.location, '/ourDoctors?x=1');
  });

  it('stops pages from running or loading anything that isn’t ours', async () => {
    const { headers } = await gateway.ask('/');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin-allow-popups');
    assert.match(String(headers['permissions-policy']), /camera=\(\)/);
  });
});

describe('Firebase addresses', () => {
  it('reach the emulator without the caller’s credentials', async () => {
    const answer = await gateway.ask('/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo', {
      method: 'POST',
      body: '{}',
      headers: {
        Authorization: 'Bearer owner',
        Cookie: 'clinic_session=x; clinic_device_0123456789abcdef0123=a.1.b; clinic_device_x=y',
        'Content-Length': '2',
      },
    });
    const echoed = answer.json<Echo>();
    assert.equal(echoed.service, 'emulator');
    assert.equal(echoed.url, '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo');
    assert.equal(echoed.headers.authorization, undefined);
    // The emulator recognises a browser by this cookie; it gets no others.
    assert.equal(echoed.headers.cookie, 'clinic_device_0123456789abcdef0123=a.1.b');
  });

  it('are an allow-list; others are rejected in plain text', async () => {
    const paths = [
      '/identitytoolkit.googleapis.com/v1/projects/demo-clinic/accounts',
      '/identitytoolkit.googleapis.com/v1/projects/demo-clinic/config',
      '/identitytoolkit.googleapis.com/v2/accounts:signUp',
      '/identitytoolkit.googleapis.com/v1/accounts:batchDelete',
      '/securetoken.googleapis.com/v1/tokens',
    ];
    for (const path of paths) {
      const answer = await gateway.ask(path, { method: 'POST', body: '{}' });
      assert.equal(answer.status, 404, path);
      assert.match(answer.headers['content-type'] ?? '', /^text\/plain/);
    }
    const emulatorPages = await gateway.ask('/emulator/v1/projects/demo-clinic/accounts', {
      headers: { Accept: 'application/json' },
    });
    assert.equal(emulatorPages.status, 404);
  });

  it('don’t exist with a real project', async () => {
    await using real = await startGateway(realProject);
    const answer = await real.ask('/securetoken.googleapis.com/v1/token', { method: 'POST' });
    assert.equal(answer.status, 404);
  });
});
