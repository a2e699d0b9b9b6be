import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { z } from 'zod';
import { NoSuchPath } from '../http/ask-replicas.ts';
import { askIdentity } from './ask-identity.ts';
import { internalHeaders } from './internal-calls.ts';

const secret = 'secret-of-these-tests-of-internal-calls';
const closing: (() => void)[] = [];
after(() => closing.forEach((close) => close()));

/** A replica that answers everything alike. @returns its address and what it was asked */
async function replica(status: number, body: string) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`, request.headers.authorization);
    response.writeHead(status).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const ask = (urls: readonly string[], body?: object) =>
  askIdentity(
    {
      settings: { IDENTITY_URL: [...urls], INTERNAL_SECRET: secret, DEMO_MODE: false, NODE_ENV: 'test' },
      stopping: new AbortController().signal,
    },
    {
      path: '/internal/people',
      query: { email: 'ann@clinic.example' },
      answer: z.object({ people: z.number() }).optional(),
      answerWithin: 5_000,
      ...(body && { body }),
    },
  );

test('the next replica is asked if one is down, fails, or says what can’t be read', async () => {
  const down = 'http://127.0.0.1:1';
  const bad = await Promise.all([replica(503, ''), replica(404, ''), replica(200, '<html>'), replica(200, '[]')]);
  const good = await replica(200, '{"people":2}');
  const last = await replica(200, '{"people":3}');
  assert.deepEqual(await ask([down, ...bad.map(({ url }) => url), good.url, last.url]), { people: 2 });
  const question = ['GET /internal/people?email=ann%40clinic.example', internalHeaders(secret).authorization];
  for (const { asked } of [...bad, good]) assert.deepEqual(asked, question);
  assert.deepEqual(last.asked, []);
});

test('a report may be answered without content', async () => {
  const { url, asked } = await replica(204, '');
  assert.equal(await ask([url], { people: 1 }), undefined);
  assert.match(asked[0] ?? '', /^POST /);
});

test('an earlier release is told from an outage, and no error names a person', async () => {
  const [earlier, busy] = await Promise.all([replica(404, ''), replica(503, '')]);
  await assert.rejects(ask([earlier.url, earlier.url]), NoSuchPath);
  for (const urls of [
    [earlier.url, busy.url],
    [busy.url, earlier.url],
  ])
    await assert.rejects(ask(urls), ({ message }: Error) => {
      assert.equal(message, `${busy.url}/internal/people responded with 503`);
      return true;
    });
});
