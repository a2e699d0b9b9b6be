import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RawClient } from '../fuzz/client.ts';
import { people } from '../support/three-services.ts';
import { startWholeClinic, type WholeClinic } from '../support/whole-clinic.ts';

// Nothing that one visitor sends may change a public list for another.

let clinic: WholeClinic;
let client: RawClient;
before(async () => {
  clinic = await startWholeClinic();
  client = new RawClient(clinic.url);
});
after(async () => {
  client.close();
  await clinic.close();
});

/** A list of each service, with and without a query. */
const lists = ['/doctors', '/medicine?limit=2&status=in%20stock'];

test('headers of a request don’t affect later requests for the same address', async () => {
  const admin = await clinic.services.signIn(people.admin.email);
  const poisons: readonly Readonly<Record<string, string>>[] = [
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-proto': 'javascript' },
    { 'x-forwarded-prefix': '/evil' },
    { 'x-original-url': '/users' },
    { 'x-rewrite-url': '/users' },
    { forwarded: 'host=evil.example' },
    { origin: 'https://evil.example' },
    { accept: 'text/html' },
    { 'accept-encoding': 'identity;q=0' },
    { range: 'bytes=0-3' },
    { 'if-none-match': '*' },
    { cookie: admin },
    { authorization: 'Bearer x' },
    { 'x-http-method-override': 'POST' },
    { 'x-request-id': 'evil-evil' },
    { connection: 'host, x-forwarded-host' },
    { 'accept-language': '"><script>' },
    { 'user-agent': '<script>' },
  ];
  const read = async (target: string) => {
    const answer = await client.send({ target, method: 'GET', headers: {} });
    assert.equal(answer.status, 200, target);
    return { ...answer, text: answer.body.toString() };
  };
  for (const [index, list] of lists.entries()) {
    const clean = await read(list);
    for (const [place, headers] of poisons.entries()) {
      // A separate URL, so that only the poisoned request was there before.
      const target = `${list}${list.includes('?') ? '&' : '?'}sort=name&x=${index}-${place}`;
      // The next free times may change meanwhile.
      const before = await read(`${target}-before`);
      await client.send({ target, method: 'GET', headers });
      const after = await read(target);
      const fresh = await read(`${target}-fresh`);
      assert.ok([before.text, fresh.text].includes(after.text), `${target} after ${JSON.stringify(headers)}`);
      assert.doesNotMatch(JSON.stringify(after.headers) + after.text, /evil/);
      assert.equal(after.headers['set-cookie'], undefined);
      const { link } = after.headers;
      if (link !== undefined) assert.match(String(link), /^<\/(?:doctors|medicine)\?/);
    }
    const again = await read(list);
    const fresh = await read(`${list}${list.includes('?') ? '&' : '?'}x=${index}`);
    assert.ok([clean.text, fresh.text].includes(again.text), list);
  }
});

test('a list has every header that the service sends, even with too many rows to count', async () => {
  const medicines = clinic.services.databases.pharmacy.collection('medicines');
  const [{ _id, ...pattern } = fail('no medicine in the demo data')] = await medicines.find().limit(1).toArray();
  const added = Array.from({ length: 5_001 }, (_, index) => ({
    ...pattern,
    medicineId: `MANY-${index}`,
    manufacturer: 'Many Labs',
  }));
  await medicines.insertMany(added);
  const ofTheGateway = new Set([
    'content-encoding',
    'content-length',
    'content-type',
    'transfer-encoding',
    'vary',
    'etag',
    'cache-control',
    'connection',
    'keep-alive',
    'date',
    'x-request-id',
  ]);
  for (const list of [
    `/medicine?limit=2&status=${encodeURIComponent(String(pattern['status']))}`,
    '/medicine?limit=2',
    '/doctors?limit=2',
    '/doctors?limit=2&q=a',
  ].map((address) => `${address}&x=headers`)) {
    const service = list.startsWith('/doctors') ? 'clinic' : 'pharmacy';
    const { headers } = await fetch(clinic.services.urls[service] + list);
    await client.send({ target: list, method: 'GET', headers: {} });
    const kept = await client.send({ target: list, method: 'GET', headers: {} });
    const own = [...headers].filter(([name]) => !ofTheGateway.has(name));
    assert.deepEqual(
      own.map(([name]) => [name, kept.headers[name]]),
      own,
      list,
    );
    if (list.includes('status')) assert.equal(kept.headers['x-total-count-relation'], 'gte');
  }
  await medicines.deleteMany({ manufacturer: 'Many Labs' });
});

test('two addresses that only look alike are two lists', async () => {
  const count = async (target: string): Promise<number> => {
    const { status, body } = await client.send({ target, method: 'GET', headers: {} });
    return status === 200 ? (JSON.parse(body.toString()) as unknown[]).length : -status;
  };
  const all = await count('/doctors');
  assert.ok(all > 3);
  assert.equal(await count('/doctors?limit=2'), 2);
  assert.equal(await count('/doctors?limit=3'), 3);
  assert.equal(await count('/doctors?q=zzzz-nobody'), 0);
  assert.equal(await count('/doctors?Q=zzzz-nobody'), all);
  assert.equal(await count('/doctors;limit=2'), -404);
});

test('thousands of one-off addresses don’t stop the gateway from answering', async () => {
  for (let batch = 0; batch < 20; batch += 1) {
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        client.send({ target: `/medicine?limit=1&noise=${batch}-${i}`, method: 'GET', headers: {} }),
      ),
    );
  }
  assert.equal((await client.send({ target: '/medicine?limit=1', method: 'GET', headers: {} })).status, 200);
});

function fail(message: string): never {
  throw new Error(message);
}
