import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newId } from '@clinic/service-kit';
import { personWith } from '@clinic/service-kit/testing';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { outboxKinds } from '@clinic/contracts/outbox/kinds';
import { createTransport } from 'nodemailer';
import type { DemoMail } from '../contract/schemas.ts';
import { messagesOf } from '../ledger/message-record.ts';
import { sampleOf } from '../templates/sample-messages.ts';
import { dueMessage, startMessages } from '../testing/messages.ts';
import { startDemoMailServer } from '../demo/demo-mail-server.ts';
import { mailboxOf } from './mail-record.ts';

const url = 'http://localhost:8399';
const service = await startMessages({ DEMO_MODE: 'true', PUBLIC_URL: url, QUIET_HOURS: 'none' });
after(() => service.close());
const { context, issuer } = service;

/** Kinds that are sent without asking svc-clinic about a visit. */
const kinds = outboxKinds.filter((kind) => !/^appointment|^waitlist/.test(kind));

test('a demo’s mailbox has every mail that counts as sent, whoever it is for', async () => {
  const people = ['patient@clinic.example', 'whoever.registered@mail.example'];
  const rows = people.flatMap((email) =>
    kinds.map((kind) => {
      const key = `${kind} ${email}`;
      const { data } = sampleOf(kind);
      // What becomes of one order isn't told of another.
      const own = 'order' in data ? { order: { ...data.order, id: key } } : data;
      return dueMessage({ key, kind, to: { account: issuer.idOf(email), email }, data: own });
    }),
  );
  await messagesOf(context).insertMany(rows);
  await waitUntil(async () => {
    const sent = await messagesOf(context).countDocuments({ status: 'sent' });
    assert.equal(sent, rows.length);
    return true;
  });
  for (const email of people) {
    const list = (await (await service.anonymous(`/messages/mailbox?limit=50&q=${email}`)).json()) as DemoMail[];
    assert.deepEqual(
      list.map(({ to }) => to),
      kinds.map(() => email),
    );
    for (const { _id } of list) {
      const { text } = (await (await service.anonymous(`/messages/mailbox/${_id}`)).json()) as {
        readonly text: string;
      };
      const links = text.match(/https?:\/\/[^/\s]+/g) ?? [];
      assert.deepEqual([...new Set(links)], [url], text);
    }
  }
});

test('deleting a person deletes mails to an address that they have given up, and none arrives afterwards', async () => {
  const [account, old] = ['moved', 'gave.up@mail.example'];
  const message = dueMessage({
    key: 'late',
    kind: 'appointment-cancelled',
    to: { account, email: old },
    data: sampleOf('appointment-cancelled').data,
  });
  const mail = (messageId: string) => ({
    _id: newId(),
    to: old,
    from: '',
    subject: '',
    messageId,
    receivedAt: new Date(),
    text: '',
    attachments: [],
  });
  await messagesOf(context).insertOne({ ...message, status: 'sent' });
  await mailboxOf(context).insertMany([mail(message.messageId), mail('<next.owner@mail.example>')]);
  await service.erase({ id: account, email: 'new@mail.example', addresses: [] });
  assert.deepEqual(await mailboxOf(context).distinct('messageId', { to: old }), ['<next.owner@mail.example>']);
  // The mail of a message that has gone, as one on its way while its person is erased.
  const url = await startDemoMailServer(context);
  await createTransport(url).sendMail({ messageId: message.messageId, from: 'a@mail.example', to: old, text: 'late' });
  assert.deepEqual(await mailboxOf(context).distinct('messageId', { to: old }), ['<next.owner@mail.example>']);
});

test('deleting a person deletes their mails', async () => {
  const email = 'whoever.registered@mail.example';
  await service.erase(personWith(issuer.idOf(email), email));
  assert.deepEqual(await (await service.anonymous(`/messages/mailbox?limit=50&q=${email}`)).json(), []);
});
