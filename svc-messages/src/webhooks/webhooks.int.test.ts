import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import type { TakenEntry } from '@clinic/contracts/outbox/entries';
import type { TestFetch } from '@clinic/service-kit/testing';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { Webhook as Verifier } from 'standardwebhooks';
import type { Webhook, WebhookDelivery } from '../contract/webhook-calls.ts';
import { storeEntries } from '../intake/store-entries.ts';
import { startMessages } from '../testing/messages.ts';
import { postEvent } from './post-event.ts';
import { deliveriesOf, webhooksOf } from './webhook-record.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
/** Statuses of the next responses by path; then 200. */
const answers = new Map<string, number[]>();

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  received.push({ path, headers: request.headers, body: await text(request) });
  response.writeHead(answers.get(path)?.shift() ?? 200, { Location: `${base}/elsewhere` }).end();
}
const receiver = createServer((request, response) => void receive(request, response));
await once(receiver.listen(0, '127.0.0.1'), 'listening');
const { port } = receiver.address() as AddressInfo;
const base = `http://127.0.0.1:${port}`;
const service = await startMessages({ RETRY_MINUTES: '0.001', WEBHOOK_PRIVATE: 'true' });
const admin = service.as('admin');
after(async () => {
  await service.close();
  receiver.closeAllConnections();
  receiver.close();
});

const send = (as: TestFetch, method: string, path: string, json?: unknown) =>
  as(path, { method, ...(json !== undefined && { json }) });
const add = async (path: string, kinds: readonly string[] = []): Promise<Webhook & { readonly secret: string }> => {
  return readJson<Webhook & { readonly secret: string }>(
    send(admin, 'POST', '/messages/webhooks', { url: `${base}${path}`, kinds }),
    201,
  );
};
const at = (path: string): Received[] => received.filter((one) => one.path === path);
const deliveries = async ({ _id }: Webhook, query = ''): Promise<WebhookDelivery[]> =>
  (await (await admin(`/messages/webhooks/${_id}/deliveries${query}`)).json()) as WebhookDelivery[];
const ended = (webhook: Webhook, count: number) =>
  waitUntil(async () => {
    const found = await deliveries(webhook);
    return found.length === count && found.every(({ status }) => status !== 'pending') && found;
  });

let entries = 0;
const booked = (): TakenEntry => ({
  id: (++entries).toString(16).padStart(24, 'e'),
  at: '2026-11-20T10:00:00.000Z',
  kind: 'appointment-booked',
  to: { account: 'a'.repeat(24), email: 'ann@mail.example', name: 'Ann Lee' },
  data: {
    visit: {
      id: 'b'.repeat(24),
      doctor: 'Dr. Grey',
      date: '2027-12-01',
      time: '10:00',
      place: 'Level 3',
      sequence: 0,
      status: 'Pending',
    },
  },
});
const store = (...all: readonly TakenEntry[]) => storeEntries(service.context, 'clinic', all);

test('an event is sent once, signed, with ids and times but nobody’s name', async () => {
  const webhook = await add('/first', ['appointment-booked']);
  const entry = booked();
  const other = { ...booked(), kind: 'appointment-confirmed' };
  const secret = { ...booked(), kind: 'password-reset', data: { link: '/auth/action?oobCode=x' } };
  await store(entry, other, secret);
  await Promise.all([store(entry), store(entry)]);
  await ended(webhook, 1);
  const [event, ...more] = at('/first');
  assert.ok(event);
  assert.deepEqual(more, []);
  assert.equal(event.headers['webhook-id'], `clinic_${entry.id}`);
  assert.deepEqual(new Verifier(webhook.secret).verify(event.body, event.headers as Record<string, string>), {
    type: 'appointment-booked',
    timestamp: entry.at,
    data: { appointment: 'b'.repeat(24), date: '2027-12-01', time: '10:00' },
  });
  assert.throws(() => new Verifier(webhook.secret).verify(`${event.body} `, event.headers as Record<string, string>));
  assert.equal((await send(admin, 'DELETE', `/messages/webhooks/${webhook._id}`)).status, 204);
  assert.equal(await deliveriesOf(service).countDocuments({}), 0);
});

test('a failed attempt is retried with the same id; after the last one the delivery fails, and can be replayed', async () => {
  const webhook = await add('/flaky', ['appointment-booked']);
  answers.set('/flaky', [500, 200, 503, 302]);
  await store(booked());
  const [first] = await ended(webhook, 1);
  assert.deepEqual([first?.status, first?.attempts, first?.lastStatus], ['delivered', 2, 200]);
  assert.equal(new Set(at('/flaky').map(({ headers }) => headers['webhook-id'])).size, 1);

  await store(booked());
  await ended(webhook, 2);
  const [failed, ...rest] = await deliveries(webhook, '?status=failed');
  assert.ok(failed);
  assert.equal(rest.length, 0);
  // The redirect wasn't followed.
  assert.deepEqual([failed.attempts, failed.lastStatus, at('/elsewhere').length], [2, 302, 0]);

  const replay = () => send(admin, 'POST', `/messages/webhook-deliveries/${failed._id}/replay`);
  assert.deepEqual(statusesOf(await Promise.all([replay(), replay()])), [200, 409]);
  const again = await ended(webhook, 2);
  assert.deepEqual(new Set(again.map(({ status }) => status)), new Set(['delivered']));
  assert.equal((await send(admin, 'DELETE', `/messages/webhooks/${webhook._id}`)).status, 204);
});

test('after a change of the secret both sign for a day, then only the new one', async () => {
  const webhook = await add('/rotated', ['appointment-booked']);
  const rotated = await send(admin, 'POST', `/messages/webhooks/${webhook._id}/secret`);
  const { secret } = (await rotated.json()) as { readonly secret: string };
  assert.notEqual(secret, webhook.secret);
  await store(booked());
  await ended(webhook, 1);
  const [event] = at('/rotated');
  assert.ok(event);
  for (const one of [secret, webhook.secret])
    new Verifier(one).verify(event.body, event.headers as Record<string, string>);
  await webhooksOf(service).updateOne(
    { _id: new ObjectId(webhook._id), 'secrets.until': { $exists: true } },
    { $set: { 'secrets.$.until': new Date(Date.now() - 1_000) } },
  );
  await store(booked());
  await ended(webhook, 2);
  const last = at('/rotated').at(-1);
  assert.ok(last);
  new Verifier(secret).verify(last.body, last.headers as Record<string, string>);
  assert.throws(() => new Verifier(webhook.secret).verify(last.body, last.headers as Record<string, string>));
  assert.ok(!(await (await admin('/messages/webhooks')).text()).includes('whsec_'), 'lists have no secrets');
  const events = JSON.stringify(await service.db.collection('events').find().toArray());
  assert.ok(events.includes('webhook secret changed') && !events.includes('whsec_'));
  assert.equal((await send(admin, 'DELETE', `/messages/webhooks/${webhook._id}`)).status, 204);
});

test('a paused webhook is sent nothing, and what happened meanwhile once it is resumed; an address has one', async () => {
  const webhook = await add('/off', ['appointment-booked']);
  const change = (json: unknown) => send(admin, 'PATCH', `/messages/webhooks/${webhook._id}`, json);
  assert.equal((await change({ enabled: false })).status, 200);
  const entry = booked();
  await store(entry);
  const [waiting, ...more] = await deliveries(webhook);
  assert.deepEqual([waiting?.status, waiting?.attempts, more, at('/off')], ['pending', 0, [], []]);
  assert.equal((await change({ enabled: true })).status, 200);
  await ended(webhook, 1);
  assert.deepEqual(
    at('/off').map(({ headers }) => headers['webhook-id']),
    [`clinic_${entry.id}`],
  );
  const twice = await Promise.all([1, 2].map(() => send(admin, 'POST', '/messages/webhooks', { url: `${base}/one` })));
  assert.deepEqual(statusesOf(twice), [201, 409]);
  assert.equal(await webhooksOf(service).countDocuments({ url: `${base}/one` }), 1);
  const taken = await change({ url: `${base}/one` });
  const { detail } = (await taken.json()) as { readonly detail?: string };
  assert.deepEqual(
    [taken.status, detail],
    [409, 'There’s already a webhook with this address. Change that one, or enter another address.'],
  );
});

test('connects to no private address, by IP address or by name', async () => {
  const count = received.length;
  const webhook = { secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`] };
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '2130706433'])
    await assert.rejects(
      postEvent({ ...webhook, url: `http://${host}:${port}/private` }, { event: 'e', body: '{}' }, false),
      /isn’t on the public internet/,
      host,
    );
  assert.equal(received.length, count);
});

test('rejects private and insecure addresses when a webhook is added', async () => {
  const strict = await startMessages();
  try {
    for (const url of [
      'http://example.com/hook',
      'https://127.0.0.1/hook',
      'https://localhost/hook',
      'https://[::1]/hook',
      'https://[::127.0.0.1]/hook',
      'https://[64:ff9b::7f00:1]/hook',
      'https://[2002:7f00:1::]/hook',
      'https://10.0.0.8/hook',
      'https://169.254.169.254/latest',
      'https://user:secret@example.com/hook',
      'ftp://example.com',
    ]) {
      const answer = await send(strict.as('admin'), 'POST', '/messages/webhooks', { url });
      assert.equal(answer.status, 400, url);
      assert.match(await answer.text(), /"field":"url"/);
    }
    assert.equal(await webhooksOf(strict).countDocuments(), 0);
  } finally {
    await strict.close();
  }
});
