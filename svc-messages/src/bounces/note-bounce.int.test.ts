import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '@clinic/service-kit/testing';
import { Webhook } from 'standardwebhooks';
import { undeliverableOf } from '../delivery/undeliverable.ts';
import { messagesService } from '../service.ts';
import type { messagesSettings } from '../settings.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const sources = { SOURCES: 'clinic=http://127.0.0.1:1' };

let service: TestService<typeof messagesSettings>;
before(async () => {
  service = await startTestService(messagesService, { env: { ...sources, BOUNCE_SECRET: secret } });
});
after(() => service.close());

interface Report {
  readonly type?: string;
  readonly email: string;
  readonly permanent?: boolean;
}

/** Sends a report as a mail provider does: another program, without any header of a browser. */
function report(
  { type = 'email.bounced', ...data }: Report,
  { by = secret, at = new Date(), changed = '' } = {},
): Promise<Response> {
  // Blanks that parsing would lose: the signature covers bytes.
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data }, null, 3);
  return fetch(`${service.url}/messages/bounces`, {
    method: 'POST',
    body: body + changed,
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(by).sign('msg_1', at, body),
    },
  });
}
const marked = async (): Promise<string[]> =>
  (await undeliverableOf(service).find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

test('a signed report of a bounce or complaint marks the address, once', async () => {
  const statuses = await Promise.all(
    [
      report({ email: 'Ann@Mail.example', permanent: true }),
      report({ email: 'ann@mail.example' }),
      report({ type: 'email.complained', email: 'ben@mail.example' }),
      report({ email: 'full.mailbox@mail.example', permanent: false }),
    ].map(async (answer) => (await answer).status),
  );
  assert.deepEqual(statuses, [204, 204, 204, 204]);
  assert.deepEqual(await marked(), ['ann@mail.example', 'ben@mail.example']);
});

test('nobody else can mark an address', async () => {
  const before = await marked();
  const email = 'victim@mail.example';
  const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
  for (const answer of [
    await report({ email }, { by: other }),
    await report({ email }, { changed: ' ' }),
    await report({ email }, { at: new Date(Date.now() - 600_000) }),
    await service.as('admin')('/messages/bounces', {
      method: 'POST',
      json: { type: 'email.bounced', data: { email } },
    }),
  ])
    assert.equal(answer.status, 401, await answer.text());
  assert.deepEqual(await marked(), before);
});

test('a clinic without a secret takes no reports', async () => {
  const plain = await startTestService(messagesService, { env: sources });
  try {
    const json = { type: 'email.bounced', data: { email: 'ann@mail.example' } };
    assert.equal((await plain.anonymous('/messages/bounces', { method: 'POST', json })).status, 404);
    assert.equal(await undeliverableOf(plain).countDocuments(), 0);
  } finally {
    await plain.close();
  }
});
