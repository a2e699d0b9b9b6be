// People who use the clinic during operations: their requests must work all the time.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Agent, get } from 'node:http';
import type { TestContext } from 'node:test';
import type { Registry } from '@clinic/contracts/remotes';
import { demoAccounts, demoPassword } from '@clinic/demo-data';
import { testFetch, type TestFetch } from '@clinic/service-kit/testing';
import { startLoad, type Failure, type LoadRequest } from '../../system-tests/src/restarts/load.ts';

/** Milliseconds between two requests of a visitor: people must not take the machine from what they watch. */
const pause = 100;

/** People's activity, and the checks at the end. */
interface Visitors {
  readonly requests: readonly LoadRequest[];
  /** Every acknowledged change was made exactly once. @param answered - how often each request was */
  check(answered: ReadonlyMap<string, number>): Promise<void>;
}

/**
 * Runs an operator's command while people use the clinic, and checks that every change of theirs was made exactly once.
 *
 * @returns the requests that failed
 */
export async function underLoad(
  t: TestContext,
  url: string,
  work: () => Promise<unknown>,
): Promise<readonly Failure[]> {
  const visitors = await openVisitors(url);
  await using load = startLoad(visitors.requests.map((request) => ({ pause, ...request })));
  await work();
  await load.end();
  for (const { name } of visitors.requests)
    assert.ok((load.answered.get(name) ?? 0) > 0, `no request succeeded: ${name}`);
  if (load.failures.length === 0) await visitors.check(load.answered);
  const count = [...load.answered.values()].reduce((sum, answers) => sum + answers, 0);
  t.diagnostic(`${count} requests and first visits meanwhile, ${load.failures.length} failed`);
  return load.failures;
}

/** Milliseconds after which somebody signs in again: a session's access token lives for five minutes. */
const signInEvery = 120_000;

/** Somebody who stays signed in, however long an operation takes on a busy machine. */
async function staySignedIn(url: string, email: string): Promise<TestFetch> {
  let [session, until] = [signIn(url, email), performance.now() + signInEvery];
  await session;
  return async (...request) => {
    if (performance.now() > until) [session, until] = [signIn(url, email), performance.now() + signInEvery];
    return (await session)(...request);
  };
}

/** Signs in people who read, make changes, and arrive as new visitors; some keep pages open from now on. */
async function openVisitors(url: string): Promise<Visitors> {
  const [patient, pharmacist, admin] = [
    await staySignedIn(url, demoAccounts.patient),
    await staySignedIn(url, demoAccounts.pharmacist),
    await staySignedIn(url, demoAccounts.admin),
  ];
  const [doctor] = await read<{ _id: string }[]>(admin('/doctors?limit=1'));
  const [medicine] = await read<{ _id: { $oid: string } }[]>(pharmacist('/medicine?limit=1'));
  assert.ok(doctor && medicine);
  const changes = (json: unknown) => ({ method: 'PATCH', json });
  const stock = async (): Promise<number> => {
    const { medicine: now } = await read<{ medicine: { quantity: { $numberInt: string } } }>(
      pharmacist(`/medicine/${medicine._id.$oid}`),
    );
    return Number(now.quantity.$numberInt);
  };
  const before = await stock();
  const openPage = filesOf(await registryOf(url));
  // The gateway caches public answers briefly, so each of these has a different URL.
  let query = 0;
  let file = 0;
  return {
    requests: [
      {
        service: 'clinic',
        safe: true,
        name: 'doctors',
        run: () => patient(`/doctors?limit=5&search=${(query += 1)}`),
      },
      {
        service: 'clinic',
        safe: true,
        name: 'own appointments',
        run: () => patient(`/appoinments?email=${demoAccounts.patient}&limit=5`),
      },
      {
        service: 'clinic',
        safe: false,
        name: 'change a doctor',
        run: () => admin(`/doctors/${doctor._id}`, changes({ isAvailable: true })),
      },
      { service: 'identity', safe: true, name: 'own session', run: () => patient('/jwt/session') },
      {
        service: 'pharmacy',
        safe: false,
        name: 'restock',
        run: () => pharmacist(`/medicine/${medicine._id.$oid}`, changes({ restock: 1 })),
      },
      // Each loads every file of the application.
      { service: 'clinic', safe: true, name: 'first visit', run: () => visitFirst(url), pause: 1_000 },
      {
        service: 'clinic',
        safe: true,
        name: 'page left open',
        run: () => load(url, openPage[(file += 1) % openPage.length] ?? ''),
      },
    ],
    async check(answered) {
      assert.equal(await stock(), before + (answered.get('restock') ?? 0), 'units in stock');
    },
  };
}

async function read<T>(response: ReturnType<TestFetch>): Promise<T> {
  const answer = await response;
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text) as T;
}

/** Signs somebody in as a browser does. */
export async function signIn(url: string, email: string, password = demoPassword): Promise<TestFetch> {
  const proof = testFetch(url)('/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=demo-key', {
    method: 'POST',
    json: { email, password, returnSecureToken: true },
  });
  const { idToken } = await read<{ idToken: string }>(proof);
  const answer = await testFetch(url)('/jwt', {
    method: 'POST',
    json: { email },
    headers: { Authorization: `Bearer ${idToken}` },
  });
  assert.equal(answer.status, 200, answer.ok ? undefined : await answer.text());
  return testFetch(url, {
    Cookie: answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; '),
  });
}

/** Opens the page as a new visitor, and loads every file that it and the remotes reference, completely, over one connection. */
async function visitFirst(url: string): Promise<Response> {
  await using browser = new AsyncDisposableStack();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  browser.defer(() => agent.destroy());
  const page = await load(url, '/ourDoctors', agent);
  const html = await page.clone().text();
  if (!page.ok) return page;
  const registry = await registryOf(url);
  const shell = [...html.matchAll(/(?:src|href)="(\/shell\/[^"]+)"/g)].map(([, path = '']) => path);
  assert.ok(
    shell.length > 0 && registry.remotes.length > 0 && registry.away.length === 0,
    `the page has ${shell.length} files of the shell; unavailable: ${registry.away.join()}`,
  );
  for (const path of shell) {
    const answer = await load(url, path, agent);
    if (!answer.ok) return new Response(`${path}: ${await answer.text()}`, { status: answer.status });
  }
  for (const { baseUrl, integrity } of registry.remotes) {
    for (const [name, digest] of Object.entries(integrity)) {
      const answer = await load(url, baseUrl + name, agent);
      const body = await answer.bytes();
      if (!answer.ok)
        return new Response(`${baseUrl}${name}: ${Buffer.from(body).toString()}`, { status: answer.status });
      const [kind = '', expected] = digest.split(/-(.*)/s);
      assert.equal(createHash(kind).update(body).digest('base64'), expected, `${baseUrl}${name} is whole`);
    }
  }
  return page;
}

async function registryOf(url: string): Promise<Registry> {
  return (await (await fetch(`${url}/registry.json`)).json()) as Registry;
}

const filesOf = ({ remotes }: Registry): readonly string[] =>
  remotes.flatMap(({ baseUrl, preload, styles }) => [...preload, ...styles].map((name) => baseUrl + name));

/** Sends a request, over a new connection if none is given. */
function load(url: string, path: string, agent: Agent | false = false): Promise<Response> {
  return new Promise((resolve, reject) => {
    get(`${url}${path}`, { agent, headers: { Accept: '*/*' } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 0 })));
    }).on('error', reject);
  });
}
