import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { OwnAddress } from '../contract/schemas.ts';
import { undeliverableOf } from '../delivery/undeliverable.ts';
import { messagesOf } from '../ledger/message-record.ts';
import { addReplica, dueMessage, startMessages } from '../testing/messages.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const service = await startMessages({ BOUNCE_SECRET: secret });
after(() => service.close());

interface Report {
  readonly type?: string;
  readonly email: string;
  readonly permanent?: boolean;
}

/** Sends a report as a mail provider does: without any browser headers. */
function report(
  { type = 'email.bounced', ...data }: Report,
  { by = secret, at = new Date(), changed = '' } = {},
): Promise<Response> {
  // Indented, which parsing would lose: the signature covers bytes.
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
  const answers = await Promise.all([
    report({ email: 'Ann@Mail.example', permanent: true }),
    report({ email: 'ann@mail.example' }),
    report({ type: 'email.complained', email: 'ben@mail.example' }),
    report({ email: 'full.mailbox@mail.example', permanent: false }),
  ]);
  assert.deepEqual(statusesOf(answers), [204, 204, 204, 204]);
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

test('an admin sends to a bounced address again, once, and the history says so', async () => {
  const email = 'back@mail.example';
  assert.equal((await report({ email, permanent: true })).status, 204);
  const message = dueMessage({ key: 'bounced', to: { email }, status: 'suppressed' });
  await messagesOf(service).insertOne(message);
  const accept = (as: Parameters<typeof service.as>[0], id = message._id.toHexString()) =>
    service.as(as)(`/messages/${id}/address`, { method: 'POST' });
  assert.ok((await marked()).includes(email));
  assert.deepEqual(statusesOf(await Promise.all([accept('admin'), accept('admin')])), [204, 409]);
  assert.ok(!(await marked()).includes(email));
  const events = await service.db.collection('events').find({ action: 'address accepted again' }).toArray();
  assert.deepEqual(
    events.map(({ concerns }) => concerns as unknown),
    [[email]],
  );
  assert.equal((await accept('admin', 'f'.repeat(24))).status, 404);
});

test('a person makes their own bounced address deliverable, once for two clicks, and the history says so', async () => {
  const [email, someone] = ['own@mail.example', 'someone@mail.example'];
  for (const address of [email, someone]) await report({ email: address });
  const person = service.as({ role: 'patient', email });
  const { stopped } = (await (await person('/messages/address')).json()) as OwnAddress;
  assert.deepEqual([stopped?.why, stopped?.canAccept], ['bounced', true]);

  // The body is ignored.
  const press = () => person('/messages/address', { method: 'POST', json: { email: someone } });
  assert.deepEqual(statusesOf(await Promise.all([press(), press()])), [204, 409]);
  assert.deepEqual(await (await person('/messages/address')).json(), { email });
  assert.ok((await marked()).includes(someone));
  const events = await service.db.collection('events').find({ call: 'acceptOwnMessageAddress' }).toArray();
  assert.deepEqual(
    events.map(({ action, concerns, before: was }) => [action, concerns, was] as unknown),
    [['address accepted again', [email], { undeliverable: true, why: 'bounced' }]],
  );
});

test('a person can try their address three times a day over all replicas together', async () => {
  const person = { role: 'patient', email: 'thrice@mail.example' } as const;
  const other = await addReplica(service);
  try {
    const statuses: number[][] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      await report({ email: person.email });
      const press = (one: typeof service) => one.as(person)('/messages/address', { method: 'POST' });
      statuses.push(statusesOf(await Promise.all([press(service), press(other)])));
    }
    assert.deepEqual(statuses, [
      [204, 409],
      [204, 409],
      [204, 409],
      [429, 429],
    ]);
    assert.ok((await marked()).includes(person.email));
  } finally {
    await other.close();
  }
});

test('only a person who has confirmed the address can withdraw its spam complaint', async () => {
  const email = 'spam@mail.example';
  await report({ email });
  await report({ type: 'email.complained', email });
  for (const confirmed of [false, true]) {
    const person = service.as({ role: 'patient', email, confirmed });
    const { stopped } = (await (await person('/messages/address')).json()) as OwnAddress;
    assert.deepEqual([stopped?.why, stopped?.canAccept], ['complained', confirmed]);
    assert.equal((await person('/messages/address', { method: 'POST' })).status, confirmed ? 204 : 409);
    assert.equal((await marked()).includes(email), !confirmed);
  }
});

test('wrong links are counted by network, over all replicas together', async () => {
  const other = await addReplica(service);
  try {
    const statuses: number[] = [];
    const wrong = async (at: typeof service, address: string): Promise<number> =>
      (await at.anonymous('/messages/unsubscribe/wrong', { headers: { 'X-Forwarded-For': address } })).status;
    for (let turn = 0; turn < 31; turn += 1)
      for (const one of [service, other]) statuses.push(await wrong(one, `2001:db8:7:1::${statuses.length + 1}`));
    // Neither replica alone has seen more than the limit of 60.
    assert.deepEqual([...new Set(statuses)], [404, 429]);
    assert.deepEqual(statuses.slice(-2), [429, 429]);
    assert.equal(await wrong(service, '2001:db8:7:2::1'), 404);
  } finally {
    await other.close();
  }
});

test('a clinic without a secret accepts no reports', async () => {
  const plain = await startMessages();
  try {
    const json = { type: 'email.bounced', data: { email: 'ann@mail.example' } };
    assert.equal((await plain.anonymous('/messages/bounces', { method: 'POST', json })).status, 404);
    assert.equal(await undeliverableOf(plain).countDocuments(), 0);
  } finally {
    await plain.close();
  }
});
