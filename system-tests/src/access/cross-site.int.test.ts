import assert from 'node:assert/strict';
import { test } from 'node:test';
import { people } from '../support/three-services.ts';
import { callOf, requestMakerForFile, send } from './requests.ts';

// A browser sends the session's cookies whichever page makes it send a request. So every call that may change something
// must reject pages that aren't ours, also in the admin's browser.

const { services, maker, data } = await requestMakerForFile();

/** The headers in which browsers and other clients state a request's origin. */
const origins: Readonly<Record<string, (url: string) => Record<string, string>>> = {
  'another site': () => ({ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }),
  'a neighbouring site': () => ({ 'Sec-Fetch-Site': 'same-site', Origin: 'https://other.clinic.example' }),
  'another port of the same host': (url) => ({
    'Sec-Fetch-Site': 'same-site',
    Origin: `http://${new URL(url).hostname}:1`,
  }),
  'another port, in an old browser': (url) => ({ Origin: `http://${new URL(url).hostname}:1` }),
  'the same host by https, in an old browser': (url) => ({ Origin: url.replace('http:', 'https:') }),
  'a sandboxed frame': () => ({ Origin: 'null' }),
  'an address typed in': () => ({ 'Sec-Fetch-Site': 'none' }),
  'an unknown place': () => ({}),
};

test('no call that may change something accepts requests from other pages', { timeout: 600_000 }, async (t) => {
  // Mail programs and providers make the others, without cookies: a token or a signature authorises them.
  const unsafe = Object.entries(maker.requests).filter(([name]) => {
    const { method, oneClick, signed } = callOf(name).route;
    return method !== 'GET' && !oneClick && !signed;
  });
  assert.ok(unsafe.length >= 15);
  for (const [at, [name, make]] of unsafe.entries()) {
    const { id, route } = callOf(name);
    const url = services.urls[route.service] ?? assert.fail(`${route.service} isn’t running`);
    // As rejected calls change nothing, all of them can make the same request.
    const request = await make();
    for (const { email } of [people.admin, people.patient]) await cookieOf(email);
    await data.changesIn(route.service);
    // The rule itself has a test of its own (packages/service-kit/src/http/cross-site.test.ts): here each call has it.
    const places = Object.entries(origins);
    const [where, headersFrom] = places[at % places.length] ?? assert.fail();
    await t.test(`${name} from ${where}`, async () => {
      // Between them, these two people may make every call.
      for (const { email } of [people.admin, people.patient]) {
        const headers = { Cookie: await cookieOf(email), ...headersFrom(url) };
        const answer = await send(
          (path, { json, ...init } = {}) =>
            fetch(`${url}${path}`, {
              ...init,
              headers: { 'Content-Type': 'application/json', ...headers },
              ...(json !== undefined && { body: JSON.stringify(json) }),
            }),
          route,
          request,
        );
        assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [403, 'cross_site']);
        assert.equal(answer.headers.getSetCookie().length, 0);
      }
    });
    // A rejected sign-in is logged in the history; the next test checks what else it could do.
    if (id !== 'startSession')
      await t.test(`${name} from elsewhere changes nothing`, async () =>
        assert.deepEqual(await data.changesIn(route.service), []),
      );
  }
});

const cookies = new Map<string, string>();
async function cookieOf(email: string): Promise<string> {
  const cookie = cookies.get(email) ?? (await services.signIn(email));
  cookies.set(email, cookie);
  return cookie;
}

test('a sign-in from another page opens no session', async () => {
  const { email } = people.patient;
  const token = await services.idToken(email);
  const before = await services.databases.identity.collection('sessions').countDocuments();
  for (const headersFrom of Object.values(origins)) {
    const answer = await fetch(`${services.urls.identity}/jwt`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
        ...headersFrom(services.urls.identity),
      },
      body: JSON.stringify({ email }),
    });
    assert.equal(answer.status, 403);
  }
  assert.equal(await services.databases.identity.collection('sessions').countDocuments(), before);
});
