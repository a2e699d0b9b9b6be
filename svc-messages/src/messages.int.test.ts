import assert from 'node:assert/strict';
import { test } from 'node:test';
import { personWith } from '@clinic/service-kit/testing';
import type { TakenEntry } from '@clinic/contracts/outbox/entries';
import type { ExportedThing } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { Message, MessagePreferences } from './contract/schemas.ts';
import { storeEntries } from './intake/store-entries.ts';
import { messagesOf } from './ledger/message-record.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';
import { entryId, messagesOfClinic, soon } from './testing/clinic-source.ts';

const { service, context, mailServer, clinic, outbox, changes, booked, ledger, own, became } = await messagesOfClinic();

test('retries with the same Message-ID when the connection is lost after DATA', async () => {
  const email = 'dropped@mail.example';
  mailServer.behave(email, 'drop after DATA');
  outbox.push(booked(email));
  await became(email, 'sent');
  const { messageId, attempts } = await own(email);
  assert.equal(attempts, 2);
  assert.deepEqual(
    mailServer.mailsTo(email).map((mail) => mail.messageId),
    [messageId, messageId],
  );
});

test('fails at once on a 5xx and after the last attempt on a 4xx, and resends once', async () => {
  mailServer.behave('gone@mail.example', 'reject');
  mailServer.behave('busy@mail.example', 'busy', 'busy', 'busy');
  outbox.push(booked('gone@mail.example'), booked('busy@mail.example'));
  await became('gone@mail.example', 'failed');
  await became('busy@mail.example', 'failed');
  assert.equal((await own('gone@mail.example')).attempts, 1);
  const { _id, attempts } = await own('busy@mail.example');
  assert.equal(attempts, 3);
  const path = `/messages/${_id.toHexString()}/resend`;
  const answers = await Promise.all([1, 2].map(() => service.as('admin')(path, { method: 'POST' })));
  assert.deepEqual(statusesOf(answers), [200, 409]);
  await became('busy@mail.example', 'sent');
});

test('never reminds of an old time, and waits while svc-clinic is unavailable', async () => {
  const [moved, kept, cancelled] = ['moved', 'kept', 'cancelled'].map((name) => `${name}@mail.example`);
  assert.ok(moved && kept && cancelled);
  clinic.isUp = false;
  await storeEntries(context, 'clinic', [
    booked(moved, { date: soon(9), sequence: 1 }),
    booked(kept, { doctor: 'Dr. Okafor' }),
    booked(cancelled, { status: 'Cancelled' }),
  ]);
  const theirs = { 'to.email': { $in: [moved, kept, cancelled] } };
  const all = () => messagesOf(context).find(theirs).toArray();
  const dueAt = new Date();
  await messagesOf(context).updateMany(theirs, { $set: { nextAttemptAt: dueAt } });
  // Each has been tried and postponed.
  await waitUntil(async () =>
    (await all()).every(({ lease, nextAttemptAt }) => lease === undefined && nextAttemptAt > dueAt),
  );
  for (const email of [moved, kept, cancelled])
    assert.deepEqual(
      (await ledger(email)).map(({ status }) => status),
      ['pending', 'pending', 'pending'],
    );
  clinic.isUp = true;
  await waitUntil(async () => !(await all()).some(({ status }) => status === 'pending'));
  for (const email of [moved, cancelled])
    for (const { status, reason } of await ledger(email))
      assert.deepEqual([status, reason], ['suppressed', 'out-of-date']);
  assert.deepEqual(
    (await ledger(kept)).map(({ status }) => status),
    ['sent', 'sent', 'sent'],
  );
  assert.equal(mailServer.mailsTo(moved).length + mailServer.mailsTo(cancelled).length, 0);
  for (const mail of mailServer.mailsTo(kept)) assert.match(mail.text ?? '', /Dr\. Okafor/);
});

test('suppresses messages that an admin or the person has switched off, and expired ones', async () => {
  const admin = service.as('admin');
  const switchTo = (enabled: boolean) => admin('/messages/kinds/order-shipped', { method: 'PATCH', json: { enabled } });
  assert.equal((await switchTo(false)).status, 200);
  const order = { id: 'a', number: 'A1', total: 3, currency: '৳' };
  const entry = (kind: string, email: string, data: unknown): TakenEntry => {
    const to = { account: service.issuer.idOf(email), email };
    return { id: entryId(), at: new Date().toISOString(), kind, to, data };
  };
  const picky = service.as({ role: 'patient', email: 'picky@mail.example' });
  const read = await picky('/messages/preferences');
  const etag = read.headers.get('etag') ?? '';
  const change = (json: unknown, tag = etag) =>
    picky('/messages/preferences', {
      method: 'PATCH',
      json,
      headers: { 'If-Match': tag, 'Idempotency-Key': JSON.stringify(json).replaceAll(/\W/g, '') },
    });
  assert.equal((await change({ kinds: { 'password-reset': false } })).status, 400);
  assert.equal((await change({ timeZone: 'Mars/Base' })).status, 400);
  const changed = await change({ kinds: { 'order-placed': false }, timeZone: 'Europe/Lisbon' });
  assert.equal(changed.status, 200);
  // Its response was lost, and it is sent again.
  const again = await change({ kinds: { 'order-placed': false }, timeZone: 'Europe/Lisbon' });
  assert.deepEqual([again.status, again.headers.get('etag')], [200, changed.headers.get('etag')]);
  assert.equal(((await changed.json()) as MessagePreferences).kinds['order-placed'], false);
  assert.equal((await change({ kinds: { 'order-placed': true } })).status, 412);

  await storeEntries(context, 'pharmacy', [
    entry('order-shipped', 'switched@mail.example', { order }),
    entry('order-placed', 'picky@mail.example', { order }),
    entry('password-reset', 'picky2@mail.example', { link: '/secret' }),
    { ...entry('password-reset', 'late@mail.example', { link: '/secret' }), at: '2000-01-01T00:00:00Z' },
    { ...entry('order-placed', '', { order }), to: { account: service.issuer.idOf('no@mail.example') } },
    entry('of-a-later-release', 'later@mail.example', { any: 1 }),
  ]);
  await became('picky2@mail.example', 'sent');
  await became('late@mail.example', 'suppressed');
  await became('switched@mail.example', 'suppressed');
  assert.equal((await own('switched@mail.example')).reason, 'switched-off');
  assert.equal((await own('picky@mail.example')).reason, 'opted-out');
  assert.equal((await own('late@mail.example')).reason, 'expired');
  assert.deepEqual((await own('picky2@mail.example')).data, {});
  assert.equal((await own('later@mail.example')).status, 'failed');
  const without = await messagesOf(context).findOne({ 'to.account': service.issuer.idOf('no@mail.example') });
  assert.equal(without?.reason, 'no-address');
  await switchTo(true);
});

test('shows admins the ledger and people their own messages', async () => {
  const admin = service.as('admin');
  const list = (await (await admin('/messages?status=failed&limit=10')).json()) as Message[];
  assert.deepEqual(list.map(({ to }) => String(to.email)).toSorted(), ['gone@mail.example', 'later@mail.example']);
  const mine = await service.as({ role: 'patient', email: 'kept@mail.example' })('/messages/mine?limit=2');
  assert.equal(mine.headers.get('x-total-count'), '3');
  const figures = (await (await admin('/messages/figures')).json()) as { failed: number; days: { sent: number }[] };
  assert.equal(figures.failed, 2);
  assert.ok(figures.days.some(({ sent }) => sent > 0));
  assert.equal((await admin('/messages/kinds/appointment-booked/preview')).status, 200);
  assert.equal((await service.anonymous('/messages/mailbox')).status, 404);
});

test('carries out a message’s link once, and unsubscribes from a kind with one click', async () => {
  const [mail] = mailServer.mailsTo('kept@mail.example');
  const cancel = /\/message-actions\/(\S+)/.exec(mail?.text?.split('Cancel')[1] ?? '')?.[1] ?? assert.fail('no link');
  const path = `/messages/actions/${cancel}`;
  assert.equal(((await (await service.anonymous(path)).json()) as { action: string }).action, 'cancel');
  assert.equal(changes.length, 0);
  assert.equal((await service.anonymous(path, { method: 'POST', json: {} })).status, 200);
  assert.equal(changes.length, 1);
  assert.equal((await service.anonymous(path, { method: 'POST', json: {} })).status, 409);
  assert.equal(changes.length, 1);
  assert.equal((await service.anonymous(`/messages/unsubscribe/${cancel}`, { method: 'POST' })).status, 404);

  const list = mail?.headers.get('list') as { unsubscribe?: { url: string } } | undefined;
  const { pathname } = new URL(list?.unsubscribe?.url ?? assert.fail('no List-Unsubscribe'));
  const pressed = await fetch(`${service.url}${pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  assert.equal(pressed.status, 200);
  const kept = service.as({ role: 'patient', email: 'kept@mail.example' });
  const { kinds } = (await (await kept('/messages/preferences')).json()) as MessagePreferences;
  assert.equal(Object.values(kinds).filter((enabled) => !enabled).length, 1);
});

test('exports and erases a person, and drops messages that arrive for them later', async () => {
  const email = 'kept@mail.example';
  const userId = service.issuer.idOf(email);
  const admin = service.as('admin');
  const copy = (await (await admin(`/messages/export?email=${email}`)).json()) as ExportedThing[];
  assert.equal(copy.filter(({ kind }) => kind === 'message').length, 3);
  // The preferences were created by a link, which doesn't contain the address.
  assert.equal(copy.find(({ kind }) => kind === 'message preferences')?.data['email'], email);
  assert.equal((await service.erase(personWith(userId, email))).records, 4);
  await storeEntries(context, 'clinic', [booked(email)]);
  assert.deepEqual(await ledger(email), []);
});
