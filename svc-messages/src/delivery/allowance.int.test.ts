import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestDatabase } from '@clinic/service-kit/testing';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { messagesOf, type MessageRecord } from '../ledger/message-record.ts';
import { dueMessage, startMessages } from '../testing/messages.ts';
import { startTestMailServer } from '../testing/test-mail-server.ts';

const mailServer = await startTestMailServer();
const database = await startTestDatabase();
const env = {
  SMTP_URL: mailServer.url,
  QUIET_HOURS: 'none',
  RETRY_MINUTES: '0.001,0.001',
  DAILY_LIMITS: 'mails=5,security-mails=2',
  MONGODB_DATABASE: database.newName('messages'),
};
const service = await startMessages(env, database.uri);
const replica = await startMessages({ ...env, IDENTITY_URL: service.issuer.url }, database.uri);
const { issuer, context } = service;
after(async () => {
  await Promise.all([service.close(), replica.close()]);
  await database.close();
  mailServer.close();
});

let keys = 0;
const ended = { kind: 'waitlist-ended', data: { place: { whom: 'Dr. Grey', offers: 3 } } };
const newDevice = { kind: 'new-device', data: { device: 'Firefox', at: new Date().toISOString() } };
type Fields = Pick<MessageRecord, 'to'> & Partial<Pick<MessageRecord, 'kind' | 'data'>>;
const due = (fields: Fields): MessageRecord => dueMessage({ key: `allowance:${++keys}`, ...ended, ...fields });
const personOf = (email: string) => ({ account: issuer.idOf(email), email });

/** Sends messages. @returns how many ended in which way */
async function outcomes(email: string, rows: readonly MessageRecord[]): Promise<Record<string, number>> {
  await messagesOf(context).insertMany([...rows]);
  const ended = await waitUntil(async () => {
    const found = await messagesOf(context)
      .find({ _id: { $in: rows.map(({ _id }) => _id) } })
      .toArray();
    assert.ok(found.every(({ status }) => status !== 'pending'));
    return found;
  });
  const how = Object.groupBy(ended, ({ status, reason = status }) => reason);
  assert.equal(ended.filter(({ status }) => status === 'sent').length <= mailServer.mailsTo(email).length, true);
  return Object.fromEntries(Object.entries(how).map(([reason, list]) => [reason, list.length]));
}

test('an address gets as many mails a day as the limit allows over two replicas, and security has its own', async () => {
  const email = 'many@mail.example';
  const to = personOf(email);
  assert.deepEqual(
    await outcomes(
      email,
      Array.from({ length: 50 }, () => due({ to })),
    ),
    { sent: 5, 'too-many': 45 },
  );
  assert.equal(mailServer.mailsTo(email).length, 5);
  const devices = Array.from({ length: 10 }, () => due({ to, ...newDevice }));
  assert.deepEqual(await outcomes(email, devices), { sent: 2, 'too-many': 8 });
  assert.deepEqual(await outcomes('other@mail.example', [due({ to: personOf('other@mail.example') })]), { sent: 1 });
});

test('a mail counts for the address that it goes to, not for the one that its account had when it was asked for', async () => {
  const people = Array.from({ length: 6 }, (_, one) => `moved${one}@mail.example`);
  for (const email of people) issuer.changeAccount(issuer.idOf(email), { email, former: [] });
  const rows = people.map((email) => due({ to: { account: issuer.idOf(email) } }));
  await messagesOf(context).insertMany(rows);
  await waitUntil(() => assert.equal(people.flatMap((email) => mailServer.mailsTo(email)).length, people.length));
});

test('an unconfirmed address gets nothing but the confirmation, until it is confirmed', async () => {
  const email = 'squatted@mail.example';
  const to = personOf(email);
  issuer.setStanding(to.account, { active: true, role: 'patient', confirmed: false });
  const others = [
    due({ to }),
    due({ to, kind: 'role-changed', data: { role: 'doctor' } }),
    due({ to, ...newDevice }),
    due({ to, kind: 'back-in-stock', data: { medicine: { id: 'a'.repeat(24), name: 'Aspirin' } } }),
  ];
  assert.deepEqual(await outcomes(email, others), { unconfirmed: 4 });
  assert.deepEqual(mailServer.mailsTo(email), []);
  const confirmation = due({ to, kind: 'confirm-address', data: { link: '/auth/action?mode=verifyEmail' } });
  assert.deepEqual(await outcomes(email, [confirmation]), { sent: 1 });
  issuer.setStanding(to.account, { active: true, role: 'patient', confirmed: true });
  assert.deepEqual(await outcomes(email, [due({ to })]), { sent: 1 });
});

test('a mail that the server rejects isn’t counted, and waits while it is unknown whether the address is confirmed', async () => {
  const email = 'busy@mail.example';
  const to = personOf(email);
  mailServer.behave(email, 'busy', 'busy');
  assert.deepEqual(await outcomes(email, [due({ to })]), { sent: 1 });
  assert.deepEqual(
    await outcomes(
      email,
      Array.from({ length: 5 }, () => due({ to })),
    ),
    { sent: 4, 'too-many': 1 },
  );

  const unknown = personOf('unknown@mail.example');
  issuer.breakFeed();
  const row = due({ to: unknown });
  await messagesOf(context).insertOne(row);
  await waitUntil(async () => {
    const found = await messagesOf(context).findOne({ _id: row._id });
    assert.ok(found && found.nextAttemptAt > row.nextAttemptAt && found.lease === undefined);
    assert.deepEqual([found.status, found.attempts], ['pending', 0]);
  });
  assert.deepEqual(mailServer.mailsTo(unknown.email), []);
  issuer.restoreFeed();
  await waitUntil(() => assert.equal(mailServer.mailsTo(unknown.email).length, 1));
});
