import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '@clinic/contracts';
import type { TakenEntry } from '@clinic/contracts/outbox/entries';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { storeEntries } from '../intake/store-entries.ts';
import { signLink, type LinkClaims } from '../links/link-tokens.ts';
import { messagesOf } from '../ledger/message-record.ts';
import { preferencesOf } from '../preferences/preferences-record.ts';
import type { VisitNow } from './visit-calls.ts';
import { entryId, messagesOfClinic, soon } from '../testing/clinic-source.ts';
import { addReplica } from '../testing/messages.ts';

const { service, env, context, mailServer, clinic, outbox, changes, booked, ledger, became } = await messagesOfClinic();

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
    withQuestions(cancelled, { questions: true, status: 'Cancelled' }),
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

test('a visit’s reminders end with its cancellation, but not if staff take that back before its message is due', async () => {
  const [kept, cancelled] = ['undone@mail.example', 'really.off@mail.example'];
  const entries = [booked(kept), booked(cancelled, { status: 'Cancelled' })];
  await storeEntries(context, 'clinic', entries);
  await became(kept, 'sent');
  const byStaff = entries.map((entry) => ({
    ...entry,
    id: entryId(),
    kind: 'appointment-cancelled',
    data: { ...(entry.data as object), own: false },
  }));
  await storeEntries(context, 'clinic', byStaff);
  const told = { kind: 'appointment-cancelled', 'to.email': { $in: [kept, cancelled] } };
  await messagesOf(context).updateMany(told, { $set: { nextAttemptAt: new Date() } });
  await waitUntil(async () => (await messagesOf(context).countDocuments({ ...told, status: 'pending' })) === 0);
  const reminders = async (email: string) =>
    (await ledger(email)).filter(({ lane }) => lane === 1).map(({ status }) => status);
  assert.deepEqual(await reminders(kept), ['pending', 'pending']);
  assert.deepEqual(await reminders(cancelled), ['suppressed', 'suppressed']);
  // The booking's; the cancellation's fate is settled.
  await waitUntil(() => mailServer.mailsTo(kept).length > 0);
  assert.equal(mailServer.mailsTo(kept).length, 1);
});

test('a link says that the patient is here, once, also when the visit can no longer be moved', async () => {
  const [date, time] = [soon(0), '00:00'];
  const entry = booked('here@mail.example', { date, time, changeUntil: '2020-01-01T00:00:00Z' });
  const { id: visit } = (entry.data as { readonly visit: VisitNow }).visit;
  const account = service.issuer.idOf('here@mail.example');
  const token = await signLink(context, 'visit', { act: 'arrive', visit, account, seen: { date, time }, jti: 'here' });
  const before = changes.length;
  const press = async () =>
    (await service.anonymous(`/messages/actions/${token}`, { method: 'POST', json: {} })).status;
  assert.equal(await press(), 200);
  assert.deepEqual((changes.at(-1) as [string, { readonly change: object }])[1].change, { act: 'arrive' });
  assert.equal(await press(), 409);
  assert.equal(changes.length, before + 1);
});

for (const act of ['cancel', 'move', 'arrive', 'come'] as const)
  test(`a link to ${act} shows and changes nothing once the visit isn’t the one of its message`, async () => {
    const [date, time, doctor] = [soon(5), '10:00', 'Dr. Rahman'];
    const email = `${act}@mail.example`;
    const { id: visit } = (booked(email).data as { readonly visit: VisitNow }).visit;
    const account = service.issuer.idOf(email);
    const before = changes.length;
    const answers = async (seen: LinkClaims<'visit'>['seen'], method: string): Promise<(number | string)[]> => {
      const jti = JSON.stringify([act, seen]);
      const token = await signLink(context, 'visit', { act, visit, account, seen, jti });
      const json = { date, time: '11:00' };
      const answer = await service.anonymous(`/messages/actions/${token}`, method === 'GET' ? {} : { method, json });
      return [answer.status, ((await answer.json()) as Partial<Problem>).detail ?? ''];
    };
    const moved = 'This appointment has been moved since we sent this message. Log in to see it.';
    for (const method of ['GET', 'POST']) {
      assert.deepEqual(await answers({ date: soon(6), time, doctor }, method), [409, moved]);
      assert.deepEqual(await answers({ date, time: '11:00', doctor }, method), [409, moved]);
      assert.deepEqual(await answers({ date, time, doctor: 'Dr. Begum' }, method), [
        409,
        'This appointment is with Dr. Rahman now. Log in to see it.',
      ]);
    }
    assert.equal(changes.length, before);
    const seen = { date, time, doctor };
    assert.equal((await answers(seen, 'POST'))[0], 200);
    assert.deepEqual((changes.at(-1) as [string, { readonly seen: object }])[1].seen, seen);
  });

test('of two changes of a visit that are due at once, only what is news is told, also by two replicas', async () => {
  const replica = await addReplica(service, env);
  try {
    const emails = Array.from({ length: 20 }, (_, index) => `twice${index}@mail.example`);
    const known = { date: soon(6), time: '11:00' };
    const entries = emails.map((email) => booked(email, { sequence: 3, status: 'Confirmed' }));
    const moves = entries.flatMap(({ data, ...entry }) =>
      [1, 2].map((turn): TakenEntry => {
        const { visit } = data as { readonly visit: VisitNow };
        const stated = { visit: { ...visit, sequence: turn }, was: known, own: true };
        return { ...entry, id: entryId(), kind: 'appointment-moved', data: stated };
      }),
    );
    await storeEntries(context, 'clinic', moves);
    for (const { parts } of [service, replica]) parts.delivery?.wake();
    const of = { 'to.email': { $in: emails }, lane: 0 } as const;
    await waitUntil(async () => (await messagesOf(context).countDocuments({ ...of, status: 'pending' })) === 0);
    assert.deepEqual(
      emails.map((email) => mailServer.mailsTo(email).length),
      emails.map(() => 1),
    );
  } finally {
    await replica.close();
  }
});

test('tells svc-clinic of an offer only if its message went out in time, outside the patient’s quiet hours', async () => {
  const minute = 60_000;
  const offered = (name: string, from = 0, to = 30): TakenEntry => ({
    id: entryId(),
    at: new Date(Date.now() + from * minute).toISOString(),
    kind: 'waitlist-offer',
    to: { account: service.issuer.idOf(`${name}@mail.example`), email: `${name}@mail.example`, name: 'Zoe' },
    data: {
      offer: {
        id: entryId(),
        doctor: 'Dr. Rahman',
        date: soon(5),
        time: '10:00',
        until: new Date(Date.now() + to * minute).toISOString(),
      },
    },
  });
  const idOf = ({ data }: TakenEntry): string => (data as { readonly offer: { readonly id: string } }).offer.id;
  const cases = {
    asleep: offered('asleep'),
    // The mail server was down.
    late: offered('late', -20, 10),
    over: offered('over', -30, 0),
    // On the page, before its message went out.
    declined: offered('declined'),
    refused: offered('refused'),
    unlucky: offered('unlucky'),
    told: offered('told'),
    early: offered('early', -10, 20),
  };
  const hour = (hours: number): string => new Date(Date.now() + hours * 60 * minute).toISOString().slice(11, 16);
  await preferencesOf(context).insertOne({
    _id: cases.asleep.to.account ?? '',
    off: [],
    quietFrom: hour(-2),
    quietUntil: hour(2),
    timeZone: 'UTC',
    changedAt: new Date(),
  });
  mailServer.behave('refused@mail.example', 'reject');
  const outcomes = new Set(['sent', 'suppressed', 'failed']);
  const ended = (email: string) =>
    waitUntil(async () => assert.ok(outcomes.has((await ledger(email)).at(-1)?.status ?? ''), email));
  clinic.isUp = false;
  await storeEntries(context, 'clinic', [cases.unlucky]);
  await became('unlucky@mail.example', 'sent');
  // Its report has been tried by the time that another message is sent, of which there is none.
  await storeEntries(context, 'clinic', [offered('next', -20, 10)]);
  await became('next@mail.example', 'sent');
  clinic.isUp = true;
  const { unlucky: _lost, told: last, ...rest } = cases;
  clinic.overOffers.add(idOf(cases.declined));
  await storeEntries(context, 'clinic', Object.values(rest));
  for (const name of Object.keys(rest)) await ended(`${name}@mail.example`);
  await storeEntries(context, 'clinic', [last]);
  assert.equal((await ledger('declined@mail.example')).at(-1)?.status, 'suppressed');
  const reports = (): string[] => changes.map(([url]) => url).filter((url) => url.startsWith('/internal/offers/'));
  const pathOf = (entry: TakenEntry): string => `/internal/offers/${idOf(entry)}/told`;
  await waitUntil(async () => assert.ok(reports().includes(pathOf(last))));
  await waitUntil(async () => assert.deepEqual(reports().toSorted(), [cases.early, last].map(pathOf).toSorted()));
});
