import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { startGateway, type TestGateway } from '../../../gateway/src/testing/start-gateway.ts';
import { ask, open } from '../../../gateway/src/testing/servers.ts';
import { openBrowser, type Browser } from '../../../svc-identity/src/testing/browser.ts';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import type { ServiceName } from '../support/every-call.ts';

// svc-pharmacy is compromised here: each request that reaches it is captured, and replayed to the others as the
// visitor.

const names = ['identity', 'clinic', 'pharmacy'] as const;

/** A call of each service that only staff may make. */
const staffCalls: Readonly<Record<ServiceName, string>> = {
  identity: '/users?limit=1',
  clinic: '/appoinments?limit=1',
  pharmacy: '/orderMedi?limit=1',
};

/** Forwards everything to a service, and keeps the headers. */
interface Tap {
  readonly url: string;
  readonly captured: IncomingHttpHeaders[];
  close(): Promise<void>;
}

let services: ThreeServices;
let gateway: TestGateway;
const taps = new Map<ServiceName, Tap>();
before(async () => {
  services = await startThreeServices();
  await staffHaveTheirProfiles();
  for (const name of names) taps.set(name, await startTap(services.urls[name]));
  gateway = await startGateway(
    {},
    { services: Object.fromEntries([...taps].map(([name, { url }]) => [name, url])), pollEveryMs: 100_000 },
  );
});
after(async () => {
  await gateway.close();
  await Promise.all([...taps.values()].map((tap) => tap.close()));
  await services.close();
});

/** Waits until svc-clinic has given the demo's profiles to their accounts, which it does in the background. */
async function staffHaveTheirProfiles(): Promise<void> {
  const { clinic } = services.databases;
  for (const profiles of ['doctors', 'pharmacists'])
    await waitUntil(
      async () => (await clinic.collection(profiles).countDocuments({ accountId: { $exists: false } })) === 0,
    );
}

async function startTap(target: string): Promise<Tap> {
  const captured: IncomingHttpHeaders[] = [];
  const server: Server = createServer((req, res) => {
    if (req.headers.cookie !== undefined) captured.push(req.headers);
    const { url = '', method, headers } = req;
    const onward = request(new URL(url, target), { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(res);
      res.on('close', () => answer.destroy());
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    captured,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A browser at the gateway, logged in. */
async function login(email: string): Promise<Browser> {
  const browser = openBrowser(gateway.url);
  assert.equal((await browser.startSession(email, await services.idToken(email))).status, 200);
  return browser;
}

/** The session cookie that a service received with the last request. */
function lastSession(service: ServiceName): string {
  const cookie = taps.get(service)?.captured.at(-1)?.cookie ?? '';
  return /(?:^|; )clinic_session=([^;]*)/.exec(cookie)?.[1] ?? assert.fail(`${service} received no session`);
}

const statusAt = async (service: ServiceName, session: string, url = services.urls[service]): Promise<number> =>
  (await ask(url, staffCalls[service], { headers: { Cookie: `clinic_session=${session}` } })).status;

/** All data of the services, as digests by collection. */
async function stored(): Promise<Readonly<Record<string, string>>> {
  const dumps = await Promise.all(
    names.map(async (name) => [name, JSON.parse(await services.dump(name)) as [string, unknown[]][]] as const),
  );
  return Object.fromEntries(
    dumps.flatMap(([name, collections]) =>
      collections.map(([collection, records]) => [
        `${name}.${collection}`,
        `${records.length} records, ${createHash('sha256').update(JSON.stringify(records)).digest('hex')}`,
      ]),
    ),
  );
}

test('each service receives its own token alone, and accepts it', async () => {
  const admin = await login(people.admin.email);
  const bundle = admin.cookies.get('clinic_session') ?? '';
  const seen = new Set<string>();
  for (const name of names) {
    assert.equal((await admin.fetch(staffCalls[name])).status, 200, name);
    const token = lastSession(name);
    assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.notEqual(token, bundle);
    seen.add(token);
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { aud: string };
    assert.equal(header.aud, name);
    const received = taps.get(name)?.captured ?? [];
    for (const other of names.filter((each) => each !== name))
      assert.ok(!JSON.stringify(received).includes(`~${other}.`), `${name} has the token of ${other}`);
  }
  assert.equal(seen.size, 3);
});

test('a token captured at svc-pharmacy is rejected by svc-clinic and svc-identity, and changes nothing', async () => {
  const admin = await login(people.admin.email);
  assert.equal((await admin.fetch(staffCalls.pharmacy)).status, 200);
  const captured = lastSession('pharmacy');
  assert.equal(await statusAt('pharmacy', captured), 200);
  const patient = people.otherPatient.email;
  const { _id: user } =
    (await services.databases.identity.collection('users').findOne({ email: patient })) ?? assert.fail('no patient');
  const { _id: appointment } =
    (await services.databases.clinic.collection('appointments').findOne()) ?? assert.fail('no appointment');
  const before = await stored();
  const attempts: readonly (readonly [ServiceName, string, string, object?])[] = [
    ['identity', 'GET', '/jwt/session'],
    ['identity', 'GET', staffCalls.identity],
    ['identity', 'GET', `/users/${patient}`],
    ['identity', 'PATCH', `/update-role/${String(user)}`, { role: 'admin' }],
    ['identity', 'POST', '/jwt/proof', { code: '123456' }],
    ['identity', 'DELETE', `/users/${patient}/sessions`],
    ['identity', 'DELETE', `/users/${patient}`],
    ['clinic', 'GET', staffCalls.clinic],
    ['clinic', 'GET', '/appoinments/changes'],
    ['clinic', 'PATCH', `/update-appoinment/${String(appointment)}`, { status: 'Cancelled' }],
  ];
  for (const [service, method, path, body] of attempts) {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
      'Content-Length': String(text.length),
      // Under any name, and as a bearer.
      Cookie: `clinic_session=${captured}; __Host-clinic_session=${captured}; clinic_refresh=${captured}`,
      Authorization: `Bearer ${captured}`,
    };
    // From the private network, and as a visitor.
    for (const url of [services.urls[service], gateway.url]) {
      const { status, text: answer } = await ask(url, path, { method, headers, body: text });
      assert.equal(status, 401, `${method} ${path}`);
      assert.equal((JSON.parse(answer) as { code: string }).code, 'unauthenticated');
    }
  }
  assert.deepEqual(await stored(), before);
  // The visitor's own session continues.
  assert.equal((await admin.fetch(staffCalls.clinic)).status, 200);
});

test('stripped, swapped, renamed and re-ordered parts of a session give nobody a token for another service', async () => {
  const admin = await login(people.admin.email);
  const patient = await login(people.patient.email);
  const bundle = admin.cookies.get('clinic_session') ?? '';
  const [head = '', ...parts] = bundle.split('~');
  const [payload = '', beginning = ''] = head.split('.');
  const own = new Map(parts.map((part) => [part.split('.')[0] ?? '', part]));
  const part = (name: ServiceName): string => own.get(name) ?? assert.fail(name);
  const [, pharmacyRest = '', pharmacySignature = ''] = part('pharmacy').split('.');
  const [, clinicRest = ''] = part('clinic').split('.');
  const [patientHead = '', ...patientParts] = (patient.cookies.get('clinic_session') ?? '').split('~');
  const forgeries: Readonly<Record<string, string>> = {
    'without parts': head,
    'without its own part': `${head}~${part('pharmacy')}`,
    'the pharmacy’s part under another name': `${head}~clinic.${pharmacyRest}.${pharmacySignature}`,
    'the pharmacy’s signature below the clinic’s header': `${head}~clinic.${clinicRest}.${pharmacySignature}`,
    'the pharmacy’s token, rebuilt': `${beginning}${pharmacyRest}.${payload}.${pharmacySignature}`,
    'no signature': `${head}~clinic.${clinicRest}.`,
    'no header': `${payload}.~clinic.${clinicRest}.${pharmacySignature}`,
    'a patient’s signatures below an admin’s payload': [head, ...patientParts].join('~'),
    'an admin’s signatures below a patient’s payload': [patientHead, ...parts].join('~'),
    'the first part wins, and is wrong': `${head}~clinic.${pharmacyRest}.${pharmacySignature}~${part('clinic')}`,
  };
  for (const [what, forged] of Object.entries(forgeries)) {
    assert.equal(await statusAt('clinic', forged), 401, what);
    assert.equal(await statusAt('clinic', forged, gateway.url), 401, `${what}, through the gateway`);
  }
  // The order doesn't matter, everything else does.
  const reordered = [head, ...parts.toReversed()].join('~');
  for (const name of names) {
    assert.equal(await statusAt(name, reordered), 200, name);
    assert.equal(await statusAt(name, reordered, gateway.url), 200, name);
  }
});

test('a session for services that aren’t ours gives no access to ours', async () => {
  const idToken = await services.idToken(people.admin.email);
  const answer = await ask(services.urls.identity, '/jwt', {
    method: 'POST',
    body: JSON.stringify({ email: people.admin.email }),
    headers: {
      Authorization: `Bearer ${idToken}`,
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      'X-Session-Audiences': 'billing,lab',
    },
  });
  assert.equal(answer.status, 200);
  const session = /^clinic_session=([^;]+)/.exec(answer.headers['set-cookie']?.[0] ?? '')?.[1] ?? assert.fail();
  assert.match(session, /~billing\..*~lab\./);
  for (const name of names) {
    assert.equal(await statusAt(name, session), 401, name);
    assert.equal(await statusAt(name, session, gateway.url), 401, name);
  }
});

test('refresh, session, event streams and log-out work through the gateway', async () => {
  const pharmacist = await login(people.pharmacist.email);
  assert.equal((await pharmacist.fetch('/jwt/session')).status, 200);
  // As if five minutes had passed.
  pharmacist.cookies.delete('clinic_session');
  assert.equal((await pharmacist.fetch('/jwt/session')).status, 401);
  assert.equal((await pharmacist.fetch('/jwt/refresh', { method: 'POST' })).status, 200);
  const second = pharmacist.cookies.get('clinic_session') ?? assert.fail('no new session');
  const headers = { Cookie: `clinic_session=${second}` };
  const stream = await open(gateway.url, '/orderMedi/changes', { headers });
  assert.deepEqual([stream.statusCode, stream.headers['content-type']], [200, 'text/event-stream']);
  stream.destroy();
  assert.equal((await pharmacist.fetch(staffCalls.pharmacy)).status, 200);
  assert.equal((await pharmacist.fetch('/jwt', { method: 'DELETE' })).status, 204);
  assert.equal(pharmacist.cookies.has('clinic_session'), false);
  await waitUntil(async () => (await statusAt('pharmacy', second, gateway.url)) === 401);
});

test('next to a gateway of the previous release, sessions work in both directions', async () => {
  // It passes on the whole cookie and names no services: like a call without a gateway.
  const old = await ask(services.urls.identity, '/jwt', {
    method: 'POST',
    body: JSON.stringify({ email: people.admin.email }),
    headers: {
      Authorization: `Bearer ${await services.idToken(people.admin.email)}`,
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
    },
  });
  const single = /^clinic_session=([^;]+)/.exec(old.headers['set-cookie']?.[0] ?? '')?.[1] ?? assert.fail();
  assert.match(single, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  const bundle = (await login(people.admin.email)).cookies.get('clinic_session') ?? '';
  for (const session of [single, bundle])
    for (const name of names) {
      assert.equal(await statusAt(name, session), 200, `${name}, through the old gateway`);
      assert.equal(await statusAt(name, session, gateway.url), 200, `${name}, through the new one`);
    }
});
