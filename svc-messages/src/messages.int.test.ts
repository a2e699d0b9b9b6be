import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { personWith } from '@clinic/service-kit/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { clinicMoment } from '@clinic/contracts';
import type { TakenEntry } from '@clinic/contracts/outbox/entries';
import type { ExportedThing } from '@clinic/service-kit';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { Message, MessagePreferences } from './contract/schemas.ts';
import { storeEntries } from './intake/store-entries.ts';
import { signLink } from './links/link-tokens.ts';
import { messagesOf } from './ledger/message-record.ts';
import { startMessages } from './testing/messages.ts';
import { startTestMailServer } from './testing/test-mail-server.ts';
import type { VisitNow } from './visits/visit-calls.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const day = 86_400_000;
const soon = (days: number): string => new Date(Date.now() + days * day).toISOString().slice(0, 10);

let entries = 0;
const entryId = (): string => (++entries).toString(16).padStart(24, '0');

const outbox: TakenEntry[] = [];
const visits = new Map<string, VisitNow>();
const changes: unknown[] = [];
let clinicIsUp = true;

const clinic = createServer((request, response) => void answer(request, response));
await once(clinic.listen(0, '127.0.0.1'), 'listening');
const mailServer = await startTestMailServer();
const service = await startMessages({
  SOURCES: `clinic=http://127.0.0.1:${(clinic.address() as AddressInfo).port}`,
  SMTP_URL: mailServer.url,
  RETRY_MINUTES: '0.001,0.001',
  QUIET_HOURS: 'none',
  SEND_TIMEOUT_SECONDS: '2',
});
const { context } = service;
after(async () => {
  await service.close();
  clinic.closeAllConnections();
  clinic.close();
  mailServer.close();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = await text(request);
  const reply = (value: unknown): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  if (!clinicIsUp && request.url !== '/internal/outbox') return void response.writeHead(503).end('{}');
  if (request.url === '/internal/outbox') {
    for (let turn = 0; turn < 20 && outbox.length === 0; turn += 1) await delay(10);
    return reply(outbox);
  }
  const body = JSON.parse(sent) as { ids: string[] };
  if (request.url === '/internal/outbox/taken') {
    outbox.splice(0, outbox.length, ...outbox.filter(({ id }) => !body.ids.includes(id)));
    return reply({});
  }
  if (request.url === '/internal/visits') return reply(body.ids.flatMap((id) => visits.get(id) ?? []));
  changes.push([request.url, body]);
  return reply({ date: soon(5), time: '10:00' });
}

/** Books a visit. @returns its outbox entry */
function booked(email: string, changed: Partial<VisitNow> = {}): TakenEntry {
  const id = entryId();
  const account = service.issuer.idOf(email);
  const stated = { id, doctor: 'Dr. Rahman', date: soon(5), time: '10:00', sequence: 0, status: 'Pending' } as const;
  const visit = { ...stated, patient: account, changeUntil: `${soon(4)}T00:00:00Z`, ...changed };
  visits.set(id, visit);
  return {
    id: entryId(),
    at: new Date().toISOString(),
    kind: 'appointment-booked',
    to: { account, email, name: 'Zoe' },
    data: { visit: stated },
  };
}

const ledger = (email: string) => messagesOf(context).find({ 'to.email': email }).sort({ dueAt: 1 }).toArray();
const own = async (email: string) => {
  const [first] = (await ledger(email)).filter(({ lane }) => lane === 0);
  return first ?? assert.fail('no message');
};
const became = (email: string, status: string) =>
  waitUntil(async () => (await ledger(email)).some((one) => one.lane === 0 && one.status === status));

test('takes a source’s entry, sends its message once, and schedules the reminders', async () => {
  const entry = booked('one@mail.example');
  outbox.push(entry);
  await became('one@mail.example', 'sent');
  await waitUntil(async () => outbox.length === 0);
  await storeEntries(context, 'clinic', [entry]);
  const rows = await ledger('one@mail.example');
  assert.deepEqual(
    rows.map(({ kind, status, attempts }) => [kind, status, attempts]),
    [
      ['appointment-booked', 'sent', 1],
      ['appointment-reminder', 'pending', 0],
      ['appointment-reminder', 'pending', 0],
    ],
  );
  const [mail, ...others] = mailServer.mailsTo('one@mail.example');
  assert.equal(others.length, 0);
  assert.equal(mail?.messageId, rows[0]?.messageId);
  assert.match(mail?.text ?? '', /Dr\. Rahman/);
  assert.equal(mail?.headers.get('list-unsubscribe-post'), undefined);
  assert.ok(mail?.headers.get('list'));
});

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

test('goes to the visit’s patient, if svc-clinic learns who that is after it asked for the message', async () => {
  const [patient, other] = ['patient.before@mail.example', 'patient.after@mail.example'];
  const address = 'handed.over@mail.example';
  const account = service.issuer.idOf(patient);
  service.issuer.changeAccount(account, { email: patient, former: [address] });
  service.issuer.changeAccount(service.issuer.idOf(other), { email: other, former: [address] });
  // Entries name the next owner of the address, or nobody.
  const entries = ['appointment-booked', 'appointment-cancelled'].flatMap((kind) =>
    [service.issuer.idOf(other), undefined].map((named): TakenEntry => {
      const entry = booked(patient, kind === 'appointment-cancelled' ? { status: 'Cancelled' } : {});
      return { ...entry, kind, to: { email: address, name: 'Zoe', ...(named !== undefined && { account: named }) } };
    }),
  );
  await storeEntries(context, 'clinic', entries);
  const all = () =>
    messagesOf(context)
      .find({ visit: { $in: entries.map(({ data }) => (data as { visit: VisitNow }).visit.id) }, lane: 0 })
      .toArray();
  await waitUntil(async () => (await all()).every(({ status }) => status === 'sent'));
  assert.deepEqual(
    (await all()).map(({ to }) => [to.account, to.email]),
    entries.map(() => [account, patient]),
  );
  assert.deepEqual(
    [patient, other, address].map((email) => mailServer.mailsTo(email).length),
    [entries.length, 0, 0],
  );
});

test('never reminds of an old time, and waits while svc-clinic is unavailable', async () => {
  const [moved, kept, cancelled] = ['moved', 'kept', 'cancelled'].map((name) => `${name}@mail.example`);
  assert.ok(moved && kept && cancelled);
  clinicIsUp = false;
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
  clinicIsUp = true;
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

test('asks a visit’s questions before it, unless they are answered or it is cancelled by then', async () => {
  const [asked = '', answered = '', cancelled = ''] = ['asked', 'answered', 'off'].map(
    (name) => `${name}@mail.example`,
  );
  const withQuestions = (email: string, now: Partial<VisitNow>): TakenEntry => {
    const entry = booked(email, now);
    const { visit } = entry.data as { readonly visit: object };
    return { ...entry, data: { visit: { ...visit, questions: true } } };
  };
  const entries = [
    withQuestions(asked, { questions: true }),
    withQuestions(answered, {}),
    withQuestions(cancelled, { questions: true }),
  ];
  const [, , off] = entries;
  await storeEntries(context, 'clinic', entries);
  await storeEntries(context, 'clinic', [{ ...off, id: entryId(), kind: 'appointment-cancelled' } as TakenEntry]);
  const questions = { kind: 'appointment-questions', 'to.email': { $in: [asked, answered, cancelled] } };
  await messagesOf(context).updateMany({ ...questions, status: 'pending' }, { $set: { nextAttemptAt: new Date() } });
  const fates = async () =>
    (await messagesOf(context).find(questions).toArray()).map(({ to, status, reason }) => [to.email, status, reason]);
  await waitUntil(async () => (await fates()).every(([, status]) => status !== 'pending'));
  assert.deepEqual(
    new Set(await fates()),
    new Set([
      [asked, 'sent', undefined],
      [answered, 'suppressed', 'out-of-date'],
      [cancelled, 'suppressed', 'out-of-date'],
    ]),
  );
  const mail = mailServer.mailsTo(asked).find(({ text: words }) => words?.includes('would like to know'));
  assert.match(mail?.text ?? '', /\/dash\/questions\/[\da-f]{24}/);
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
    picky('/messages/preferences', { method: 'PATCH', json, headers: { 'If-Match': tag } });
  assert.equal((await change({ kinds: { 'password-reset': false } })).status, 400);
  assert.equal((await change({ timeZone: 'Mars/Base' })).status, 400);
  const changed = await change({ kinds: { 'order-placed': false }, timeZone: 'Europe/Lisbon' });
  assert.equal(changed.status, 200);
  assert.equal(((await changed.json()) as MessagePreferences).kinds['order-placed'], false);
  assert.equal((await change({ kinds: { 'order-placed': true } })).status, 412);

  await storeEntries(context, 'pharmacy', [
    entry('order-shipped', 'switched@mail.example', { order }),
    entry('order-placed', 'picky@mail.example', { order }),
    entry('password-reset', 'picky2@mail.example', { link: '/secret' }),
    { ...entry('password-reset', 'late@mail.example', { link: '/secret' }), at: '2020-01-01T00:00:00Z' },
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

test('a link says that the patient is here on the day of the visit, once, also when it can no longer be moved', async () => {
  const email = 'here@mail.example';
  const linkTo = async (date: string): Promise<string> => {
    const entry = booked(email, { date, time: '00:00', changeUntil: '2020-01-01T00:00:00Z' });
    const { id: visit } = (entry.data as { readonly visit: VisitNow }).visit;
    const account = service.issuer.idOf(email);
    const claims = { act: 'arrive', visit, account, seen: { date, time: '00:00' }, jti: `x${date}` } as const;
    return `/messages/actions/${await signLink(context, 'visit', claims)}`;
  };
  const press = async (path: string) => (await service.anonymous(path, { method: 'POST', json: {} })).status;
  const before = changes.length;
  const later = await linkTo(soon(5));
  assert.equal((await service.anonymous(later)).status, 200);
  assert.equal(await press(later), 400);
  assert.equal(changes.length, before);
  const path = await linkTo(clinicMoment(new Date(), context.settings.CLINIC_TZ).date);
  assert.equal(await press(path), 200);
  assert.deepEqual((changes.at(-1) as [string, { readonly change: object }])[1].change, { act: 'arrive' });
  assert.equal(await press(path), 409);
  assert.equal(changes.length, before + 1);
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
