import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { hostileNames } from '@clinic/service-kit/testing/hostile-names';
import { icalFaults } from '@clinic/service-kit/testing/ical-grammar';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import ICAL from 'ical.js';
import { messageKinds } from '../contract/kinds.ts';
import { messageLanguages } from '../contract/languages.ts';
import { messagesOf } from '../ledger/message-record.ts';
import { preferencesOf } from '../preferences/preferences-record.ts';
import { sampleOf } from '../templates/sample-messages.ts';
import { readMail } from '../testing/mail-grammar.ts';
import { dueMessage, startMessages } from '../testing/messages.ts';
import { startTestMailServer } from '../testing/test-mail-server.ts';

const visits = new Map<string, object>();
const clinic = createServer((request, response) => {
  // Nothing is in the outbox: that call waits until the service stops.
  if (request.url !== '/internal/visits') return;
  void (async () => {
    const { ids } = (await json(request)) as { readonly ids: readonly string[] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(ids.flatMap((id) => visits.get(id) ?? [])));
  })();
});
await once(clinic.listen(0, '127.0.0.1'), 'listening');
const mailServer = await startTestMailServer();
const service = await startMessages({
  SOURCES: `clinic=http://127.0.0.1:${(clinic.address() as AddressInfo).port}`,
  SMTP_URL: mailServer.url,
  QUIET_HOURS: 'none',
  MESSAGE_DETAIL: 'full',
});
after(async () => {
  await service.close();
  clinic.closeAllConnections();
  clinic.close();
  mailServer.close();
});

/** Kinds whose mails have a calendar attached. */
const withCalendar = [
  'appointment-booked',
  'appointment-confirmed',
  'appointment-moved',
  'appointment-cancelled',
] as const;

/** What people type, in messages of all kinds. */
const typed = new Set(['doctor', 'place', 'name', 'recipient', 'whom', 'device', 'role', 'number']);

/** A message's data with a name wherever there is one. */
function named(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one) => named(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typed.has(key) && typeof inner === 'string' ? name : named(inner, name),
    ]),
  );
}

const fields = [
  'auto-submitted',
  'content-language',
  'content-type',
  'content-transfer-encoding',
  'date',
  'from',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'message-id',
  'mime-version',
  'subject',
  'to',
];

/** Blanks as mail programs show them: any number of them, and what isn't shown, is one. */
const shown = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

test('mails of all kinds keep to the grammar whatever the names are, for two parsers, and so do their calendars', async () => {
  // Each name in a mail with a calendar, and each kind with several names.
  const wanted = hostileNames.flatMap((name, index) =>
    [
      withCalendar[index % withCalendar.length],
      ...[0, 1].map((at) => messageKinds[(2 * index + at) % messageKinds.length]),
    ].map((kind = 'new-device', at) => {
      const email = `${kind}-${index}-${at}@mail.example`;
      const language = messageLanguages[(index + at) % messageLanguages.length] ?? 'en';
      return { kind, name, email, language, data: named(sampleOf(kind).data, name) as Record<string, unknown> };
    }),
  );
  let ids = 0;
  const rows = wanted.map(({ kind, name, email, data }) => {
    ids += 1;
    const id = ids.toString(16).padStart(24, '0');
    const visit = data['visit'] === undefined ? undefined : { ...(data['visit'] as object), id, date: '2100-01-05' };
    if (visit) visits.set(id, { ...visit, changeUntil: '2100-01-04T00:00:00Z' });
    return dueMessage({
      key: email,
      kind,
      to: { email, name },
      data: {
        ...data,
        ...(visit && { visit }),
        ...(data['order'] !== undefined && { order: { ...data['order'], id } }),
      },
      ...(visit && { visit: id }),
    });
  });
  await preferencesOf(service.context).insertMany(
    wanted.map(({ email, language }) => ({ _id: `address:${email}`, off: [], language, changedAt: new Date() })),
  );
  await messagesOf(service.context).insertMany(rows);
  await waitUntil(async () => {
    const unsent = await messagesOf(service.context)
      .find({ status: { $ne: 'sent' } })
      .project({ _id: 0, key: 1, status: 1, reason: 1, lastError: 1 })
      .toArray();
    assert.deepEqual(unsent, []);
  }, 180_000);
  assert.equal(mailServer.received.length, wanted.length);
  for (const { recipients, raw, parsed } of mailServer.received) {
    const expected = wanted.find(({ email }) => email === recipients[0]);
    assert.ok(expected);
    const about = `${expected.kind} ${JSON.stringify(expected.name)}`;
    const mail = readMail(raw, fields);
    assert.deepEqual(mail.faults, [], about);
    assert.deepEqual(recipients, [expected.email], about);
    // Both parsers see one recipient and one subject.
    const to = [parsed.to].flat().flatMap((one) => one?.value ?? []);
    assert.deepEqual(
      to.map(({ address }) => address),
      [expected.email],
      about,
    );
    assert.ok(
      mail.fields.get('to')?.includes(`<${expected.email}>`) || mail.fields.get('to') === expected.email,
      about,
    );
    assert.equal(shown(mail.fields.get('subject') ?? ''), shown(parsed.subject ?? ''), about);
    const part = (type: string) => mail.parts.find((one) => one.type === type)?.content;
    assert.equal(shown(part('text/plain') ?? ''), shown(parsed.text ?? ''), about);
    assert.equal(shown(part('text/html') ?? ''), shown(parsed.html || ''), about);
    assert.doesNotMatch(part('text/html') ?? '', /<script/i, about);
    const calendar = part('text/calendar');
    assert.equal(
      calendar !== undefined,
      withCalendar.some((kind) => kind === expected.kind),
      about,
    );
    if (calendar === undefined) continue;
    assert.deepEqual(icalFaults(calendar), [], about);
    const [event, ...more] = new ICAL.Component(ICAL.parse(calendar)).getAllSubcomponents('vevent');
    assert.deepEqual(more, [], about);
    assert.equal(event?.getAllProperties('attendee').length, 1, about);
    assert.equal(String(event?.getFirstPropertyValue('attendee')).toLowerCase(), `mailto:${expected.email}`, about);
    assert.ok(shown(String(event?.getFirstPropertyValue('summary'))).includes(shown(expected.name)), about);
  }
});
