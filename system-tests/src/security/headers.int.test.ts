import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { shellPages, type Problem, type Registry } from '@clinic/contracts';
import { RawClient, type Answer } from '../fuzz/client.ts';
import { everyRoute } from '../support/every-call.ts';
import { remotes } from '../support/remotes.ts';
import { people } from '../support/three-services.ts';
import { startWholeClinic, type WholeClinic } from '../support/whole-clinic.ts';

// Every kind of response that leaves the gateway, from any source: pages, calls, files, errors, the sign-in emulator's.

let clinic: WholeClinic;
let client: RawClient;
before(async () => {
  clinic = await startWholeClinic({ messages: 'idle' });
  client = new RawClient(clinic.url);
});
after(async () => {
  client.close();
  await clinic.close();
});

const asPage = { accept: 'text/html' };
const id = 'f'.repeat(24);
const filled = (path: string): string => path.replaceAll(/:\w+/g, id);

/** Headers that are the same on all of them. @param referrer - its Referrer-Policy */
function assertCommon({ headers }: Answer, where: string, referrer = 'strict-origin-when-cross-origin'): void {
  const expected: Readonly<Record<string, string | RegExp>> = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': referrer,
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': /^(same-origin|cross-origin)$/,
    'permissions-policy': /camera=\(\), microphone=\(\), geolocation=\(\)/,
    'content-security-policy': /frame-ancestors 'none'/,
    'x-request-id': /^[\w.-]{8,64}$/,
  };
  for (const [name, value] of Object.entries(expected)) {
    const given = String(headers[name] ?? 'nothing');
    assert.ok(typeof value === 'string' ? given === value : value.test(given), `${where}: ${name} is ${given}`);
  }
  for (const name of ['server', 'x-powered-by', 'via', 'x-aspnet-version', 'x-runtime'])
    assert.equal(headers[name], undefined, `${where}: ${name}`);
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'/, where);
  assert.doesNotMatch(policy, /unsafe-|\*(?!\.)|data:(?=[^;]*script)/, where);
  const type = headers['content-type'] ?? '';
  // The definition of event streams includes it.
  if (/^text\/(?!event-stream)|xml/.test(type)) assert.match(type, /; ?charset=utf-8$/i, `${where} says ${type}`);
}

const send = (
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body?: string,
): Promise<Answer> =>
  client.send({ target, method, headers, body: body === undefined ? undefined : Buffer.from(body) });

describe('headers', () => {
  test('of every page, with a policy that lets only our files run', async () => {
    const addresses = [
      ...remotes.flatMap(({ pages }) => pages).map(({ path }) => path),
      ...shellPages,
      '/no/such/page',
      '/__proto__',
      '/<script>alert(1)</script>',
    ];
    assert.ok(addresses.length > 20);
    for (const path of addresses) {
      const address = filled(path);
      const answer = await send(address, asPage);
      assert.ok([200, 404].includes(answer.status), `${address} answers ${answer.status}`);
      // Whoever has such an address may act, so that nobody passes it on or keeps it.
      const secret = path.includes('/:secret');
      assertCommon(answer, address, secret ? 'no-referrer' : undefined);
      const policy = String(answer.headers['content-security-policy']);
      assert.match(
        policy,
        /script-src 'self';.*object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types /,
        address,
      );
      assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(answer.headers['cache-control'], secret ? 'no-store' : 'no-cache');
      assert.equal(answer.headers['set-cookie'], undefined);
      const html = answer.body.toString();
      const scripts = [...html.matchAll(/<script\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
      for (const attributes of scripts)
        assert.match(
          attributes,
          /type="application\/(?:ld\+)?json"|integrity="sha384-[\w+/]{64}"/,
          `${address}: ${attributes}`,
        );
      assert.doesNotMatch(html, /\son\w+=|javascript:|<style|<base/i, address);
    }
  });

  test('of every call, with and without a session, good and bad', async () => {
    const admin = { cookie: await clinic.services.signIn(people.admin.email) };
    for (const [name, route] of Object.entries(everyRoute)) {
      const variants: Readonly<Record<string, string>>[] = [
        {},
        ...(name === 'endSession' ? [] : [admin]),
        { 'content-type': 'text/plain' },
      ];
      for (const headers of variants) {
        const answer = await send(
          filled(route.path),
          { 'sec-fetch-site': 'same-origin', ...headers },
          route.method,
          route.method === 'GET' ? undefined : '{"a":',
        );
        // Whoever has the address may make the call: of a calendar, of a message's link.
        const isSecret = Object.entries(route.decides ?? {}).some(
          ([field, checked]) => field.startsWith('params.') && checked === 'proof',
        );
        assertCommon(answer, `${name} (${answer.status})`, isSecret ? 'no-referrer' : undefined);
        assert.equal(answer.headers['x-robots-tag'], isSecret ? 'noindex' : undefined, name);
        assert.ok(answer.status < 500, `${name} answers ${answer.status}`);
        assert.equal(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
        assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
        assert.equal(answer.headers['access-control-allow-origin'], undefined);
        const shared = route.access.kind === 'everyone' && answer.status < 400;
        assert.equal(
          answer.headers['cache-control'],
          shared && route.method === 'GET' && !isSecret ? 'no-cache' : 'no-store',
          `${name} (${answer.status})`,
        );
      }
      const wrong = await send(filled(route.path), {}, 'PROPFIND');
      assertCommon(wrong, `PROPFIND ${route.path}`);
      assert.equal(wrong.status, 405);
    }
  });

  test('of every file, which is public', async () => {
    const registry = JSON.parse((await send('/registry.json')).body.toString()) as Registry;
    assert.equal(registry.remotes.length, 4);
    const files = registry.remotes.flatMap(({ baseUrl, integrity }) =>
      Object.keys(integrity ?? {}).map((file) => baseUrl + file),
    );
    const shell = (await send('/', asPage)).body.toString();
    const ofShell = [...shell.matchAll(/(?:src|href)="(\/shell\/[^"]+)"/g)].map(([, file = '']) => file);
    assert.ok(files.length > 20 && ofShell.length > 4);
    for (const file of [...files, ...ofShell, '/favicon.ico']) {
      const answer = await send(file, { 'accept-encoding': 'gzip' });
      assert.equal(answer.status, 200, file);
      assertCommon(answer, file);
      assert.equal(answer.headers['set-cookie'], undefined);
    }
  });

  test('of what belongs to no service, redirects or fails', async () => {
    const others = [
      '/robots.txt',
      '/sitemap.xml',
      '/registry.json',
      '/deployed.json',
      '/health/live',
      '/health/ready',
      '/mf/mf-public/nothing.js',
      '/mf/nobody/entry.js',
      '/shell/nothing.css',
      '/shell/../etc',
      '/users/%2e%2e/x',
      '/users/%00',
      '/.git/config',
      '/.env',
      '/identitytoolkit.googleapis.com/v1/projects',
      '/emulator/v1/projects/demo-clinic/accounts',
      '/page-errors',
      '/page-visits',
      '/policy-reports',
      ...remotes.flatMap(({ redirects }) => redirects).map(({ from }) => filled(from)),
    ];
    for (const address of others) assertCommon(await send(address), address);
    const emulator = await send(
      '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo',
      { 'content-type': 'application/json' },
      'POST',
      '{}',
    );
    assert.equal(emulator.status, 400);
    assertCommon(emulator, 'the emulator');
    for (const address of [
      '/.git/config',
      '/.env',
      '/package.json',
      '/mf/mf-public/',
      '/mf/mf-public/../../package.json',
    ]) {
      assert.notEqual((await send(address, { accept: '*/*' })).status, 200, address);
    }
  });

  test('include a request id that the sender can’t choose, which is also the one in the history', async () => {
    const admin = { cookie: await clinic.services.signIn(people.admin.email), 'sec-fetch-site': 'same-origin' };
    const [user] = JSON.parse((await send('/users?limit=1&q=patient', admin)).body.toString()) as {
      _id: string;
      email: string;
      role: string;
    }[];
    assert.ok(user);
    const chosen = 'f'.repeat(32);
    const made = await send(
      `/update-role/${user._id}`,
      { ...admin, 'content-type': 'application/json', 'x-request-id': chosen },
      'PATCH',
      JSON.stringify({ newRole: user.role === 'patient' ? 'doctor' : 'patient' }),
    );
    assert.equal(made.status, 200);
    const history = (await send('/access-events/all?limit=20', admin)).body.toString();
    assert.ok(history.includes(String(made.headers['x-request-id'])));
    assert.ok(!history.includes(chosen));
    const rejected = JSON.parse((await send('/users', { 'x-request-id': chosen })).body.toString()) as Problem;
    assert.notEqual(rejected.requestId, chosen);
  });

  test('omit HSTS over http, and set it for a year for an https address', async (t) => {
    assert.equal((await send('/')).headers['strict-transport-security'], undefined);
    const secure = await clinic.openGateway({
      PUBLIC_URL: 'https://clinic.example',
      NODE_ENV: 'production',
      DEMO_MODE: 'false',
      AUTH_EMULATOR_URL: '',
      FIREBASE_API_KEY: 'key',
      FIREBASE_PROJECT_ID: 'clinic',
    });
    t.after(() => secure.close());
    const securely = new RawClient(secure.url);
    t.after(() => securely.close());
    for (const target of ['/', '/doctors', '/users', '/shell/nothing.css', '/registry.json', '/users/%00']) {
      const { headers } = await securely.send({ target, method: 'GET', headers: {} });
      assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains', target);
    }
  });

  test('allow Google’s window with a real project, and nothing else', async (t) => {
    const real = await clinic.openGateway({
      AUTH_EMULATOR_URL: '',
      FIREBASE_API_KEY: 'key',
      FIREBASE_AUTH_DOMAIN: 'clinic.firebaseapp.com',
      FIREBASE_PROJECT_ID: 'clinic',
      DEMO_MODE: 'false',
      NODE_ENV: 'production',
    });
    t.after(() => real.close());
    const client = new RawClient(real.url);
    t.after(() => client.close());
    const { headers } = await client.send({ target: '/login', method: 'GET', headers: asPage });
    const policy = String(headers['content-security-policy']);
    assert.match(
      policy,
      /script-src 'self' https:\/\/apis\.google\.com; .*frame-src https:\/\/clinic\.firebaseapp\.com; /,
    );
    assert.match(
      policy,
      /connect-src 'self' https:\/\/identitytoolkit\.googleapis\.com https:\/\/securetoken\.googleapis\.com; /,
    );
    // Google's script was never tested under Trusted Types: see docs/security.md.
    assert.match(
      String(headers['content-security-policy-report-only']),
      /^require-trusted-types-for 'script'; trusted-types /,
    );
  });
});
