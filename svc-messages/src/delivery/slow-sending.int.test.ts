import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { messagesOf } from '../ledger/message-record.ts';
import { dueMessage, startMessages } from '../testing/messages.ts';
import type { Channel } from './channel.ts';
import { Delivery } from './deliver.ts';
import { mailConnections } from './email-channel.ts';

// Without a mail server: these tests are its two replicas.
const service = await startMessages({ QUIET_HOURS: 'none', SEND_TIMEOUT_SECONDS: '1' });
const { context, issuer } = service;
after(() => service.close());

let keys = 0;
async function addMessages(count: number): Promise<void> {
  const emails = Array.from({ length: count }, () => `slow${(keys += 1)}@mail.example`);
  await messagesOf(context).insertMany(
    emails.map((email) => dueMessage({ key: `slow:${email}`, to: { account: issuer.idOf(email), email } })),
  );
}

/** A replica whose mail server doesn't answer before `answer` is called. */
function slowReplica() {
  const begun: string[] = [];
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const channel: Channel = {
    send: ({ to }) => {
      begun.push(to.email);
      return promise;
    },
    close: () => undefined,
  };
  return { delivery: new Delivery(context, channel), begun, answer };
}

test('a replica keeps a message for as long as it is sending it', async () => {
  await addMessages(1);
  const { delivery, begun, answer } = slowReplica();
  const round = delivery.round();
  await Promise.race([round, waitUntil(() => begun.length === 1)]);
  assert.equal(begun.length, 1, JSON.stringify(await messagesOf(context).find().toArray()));
  const lease = async (): Promise<Date> =>
    (await messagesOf(context).findOne({ status: 'pending' }))?.nextAttemptAt ?? assert.fail();
  const first = await lease();
  await waitUntil(async () => (await lease()) > first);
  answer();
  await round;
  assert.deepEqual(await messagesOf(context).distinct('status'), ['sent']);
});

test('a message that another replica has taken over isn’t sent by the one that it waited in', async () => {
  await addMessages(mailConnections + 1);
  const { delivery, begun, answer } = slowReplica();
  const round = delivery.round();
  await Promise.race([round, waitUntil(() => begun.length === mailConnections)]);
  assert.equal(begun.length, mailConnections);
  await messagesOf(context).updateOne(
    { status: 'pending', 'to.email': { $nin: begun } },
    { $set: { lease: 'another' } },
  );
  answer();
  await round;
  assert.equal(begun.length, mailConnections);
  assert.equal(await messagesOf(context).countDocuments({ status: 'pending', lease: 'another' }), 1);
});
