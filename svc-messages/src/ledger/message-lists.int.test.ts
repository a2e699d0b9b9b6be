import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addDays, clinicInstant, type CallResponse } from '@clinic/contracts';
import { searchFilter, type Search } from '@clinic/service-kit';
import { usesIndex, winningIndexes } from '@clinic/service-kit/testing';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { Filter } from 'mongodb';
import type { Message, OwnMessage } from '../contract/schemas.ts';
import { schemaChanges } from '../schema-changes.ts';
import { dueMessage, startMessages } from '../testing/messages.ts';
import { wordsFiller, withoutWords } from './fill-words.ts';
import { ledgerSearch, messageSorts, ownFilter } from './message-filters.ts';
import { messagesOf, type MessageRecord } from './message-record.ts';

const idOf = (at: number): string => at.toString(16).padStart(24, '0');
const ann = { role: 'patient', email: 'ann@mail.example' } as const;

const service = await startMessages();
after(() => service.close());
const account = service.issuer.idOf(ann.email);
await messagesOf(service).insertMany(
  Array.from({ length: 600 }, (_, at) =>
    dueMessage(
      {
        key: `list:${at}`,
        to: at % 3 ? { email: `person${at % 50}@mail.example` } : { account, email: ann.email },
        status: 'sent',
        endedAt: new Date(),
        ...(at % 2
          ? { kind: 'appointment-booked', data: {}, visit: idOf(at % 20) }
          : { kind: 'order-placed', data: { order: { id: idOf(at % 20) } } }),
      },
      new Date(at),
    ),
  ),
);

async function plan(found: Filter<MessageRecord> | Search<MessageRecord>) {
  const filter = Array.isArray(found) ? searchFilter<MessageRecord>(found) : (found as Filter<MessageRecord>);
  return messagesOf(service).find(filter).sort(messageSorts.newest).limit(20).explain('queryPlanner');
}

test('every list of messages reads an index, and sorts by it unless the filter is a range', async () => {
  const about = { appointment: idOf(3) };
  for (const [name, filter, sorted] of [
    ['all', ledgerSearch({}, 'UTC'), true],
    ['status', ledgerSearch({ status: 'failed' }, 'UTC'), true],
    ['kind', ledgerSearch({ kind: 'order-placed' }, 'UTC'), true],
    ['days', ledgerSearch({ from: '2026-01-01', until: '2026-02-01' }, 'UTC'), true],
    ['own', ownFilter(idOf(1), {}), true],
    ['appointment', ledgerSearch(about, 'UTC'), true],
    ['order', ledgerSearch({ order: idOf(4) }, 'UTC'), true],
    ['own about an appointment', ownFilter(idOf(1), about), true],
    ['address', ledgerSearch({ q: 'person4@mail' }, 'UTC'), false],
    ['name', ledgerSearch({ q: 'nunez' }, 'UTC'), false],
    ['names and days', ledgerSearch({ q: 'nunez jose', from: '2026-01-01' }, 'UTC'), false],
    ['address and kind', ledgerSearch({ q: 'person4@mail', kind: 'order-placed' }, 'UTC'), false],
  ] as const)
    assert.ok(usesIndex(await plan(filter), { sorted }), name);
});

test('an address and a record are each found by an index of their own, however many messages there are', async () => {
  for (const [filter, index] of [
    [ledgerSearch({ q: 'Person4@Mail' }, 'UTC'), 'to.email_1_createdAt_-1__id_-1'],
    [ledgerSearch({ q: 'Person4 mail' }, 'UTC'), 'words_1'],
    [ledgerSearch({ appointment: idOf(3) }, 'UTC'), 'visit_1_createdAt_-1__id_-1'],
    [ledgerSearch({ order: idOf(4) }, 'UTC'), 'data.order.id_1_createdAt_-1__id_-1'],
  ] as const)
    assert.deepEqual([...new Set(winningIndexes(await plan(filter)))], [index]);
  const unsearchable = messagesOf(service).find(withoutWords(new Date())).limit(1);
  assert.deepEqual(winningIndexes(await unsearchable.explain('queryPlanner')), ['createdAt_-1__id_-1']);
});

test('finds messages by name however it is typed and by address, also those that the previous release wrote', async () => {
  const messages = messagesOf(service);
  const at = new Date();
  const names = { nunez: 'Ana Núñez', obrien: 'Anne-Marie O’Brien', joya: 'জ\u09dfা রহমান' };
  await messages.insertMany(
    Object.entries(names).map(([key, name]) =>
      dueMessage({ key: `named:${key}`, to: { email: `${key}@names.example`, name }, status: 'sent', endedAt: at }, at),
    ),
  );
  const found = async (q: string) => {
    const answer = await service.as('admin')(`/messages?q=${encodeURIComponent(q)}&limit=100`);
    assert.equal(answer.status, 200);
    return ((await answer.json()) as Message[]).map(({ to }) => to.name);
  };
  const assertFound = async () => {
    for (const q of ['nunez', 'NUN\u0303EZ ana', 'n\u200bunez', 'nunez@names'])
      assert.deepEqual(await found(q), [names.nunez], q);
    for (const q of ["O'Brien", 'o\u2011brien', 'brien', 'marie']) assert.deepEqual(await found(q), [names.obrien], q);
    assert.deepEqual(await found('জ\u09af\u09bcা'), [names.joya]);
    for (const q of ['\u200b', '-', 'nunez brien']) assert.deepEqual(await found(q), [], q);
  };
  await assertFound();
  await messages.updateMany({}, { $unset: { words: 1 } });
  await schemaChanges.find(({ number }) => number === 3)?.up(service.context);
  await assertFound();
  // As replicas of the previous release write them meanwhile.
  await messages.updateMany({ key: /^named:/ }, { $unset: { words: 1 } });
  const stop = new AbortController();
  const kept = wordsFiller({ ...service.context, stopping: stop.signal }).run();
  await waitUntil(async () => assert.equal(await messages.countDocuments(withoutWords(at)), 0));
  await assertFound();
  stop.abort();
  await kept;
  await messages.deleteMany({ key: /^named:/ });
});

test('people see the messages they were sent about a record, and admins everybody’s', async () => {
  const read = async (as: Parameters<typeof service.as>[0], path: string) => {
    const answer = await service.as(as)(path);
    assert.equal(answer.status, 200, await answer.clone().text());
    return { total: answer.headers.get('x-total-count'), rows: (await answer.json()) as OwnMessage[] };
  };
  for (const query of [`appointment=${idOf(3)}`, `order=${idOf(4)}`]) {
    const all = await read('admin', `/messages?${query}&limit=100`);
    assert.equal(all.total, '30');
    const own = await read(ann, `/messages/mine?${query}&limit=100`);
    assert.equal(own.total, '10');
    const ids = new Set(all.rows.map(({ _id }) => _id));
    assert.ok(own.rows.every(({ _id }) => ids.has(_id)));
    assert.deepEqual((await read({ role: 'patient', email: 'eve@mail.example' }, `/messages/mine?${query}`)).rows, []);
  }
  assert.equal((await service.as('admin')('/messages?appointment=nothing')).status, 400);
});

test('figures of a long period are those of its days together, also at the borders of what is read at once', async () => {
  const at = (date: string, time: string): Date => clinicInstant({ date, time }, service.context.settings.CLINIC_TZ);
  const days = Array.from({ length: 12 }, (_, day) => addDays('2024-02-26', day));
  await messagesOf(service).insertMany(
    days.flatMap((day) =>
      ['00:00', '23:59'].map((time) =>
        dueMessage({ key: `figure:${day} ${time}`, to: {}, status: 'sent' }, at(day, time)),
      ),
    ),
  );
  const { days: found } = await readJson<CallResponse<'getMessageFigures'>>(
    service.as('admin')(`/messages/figures?from=2024-02-27&to=2024-03-07`),
  );
  assert.deepEqual(
    found.map(({ day, kind, sent }) => `${day} ${kind} ${sent}`),
    days.slice(1, -1).map((day) => `${day} role-changed 2`),
  );
});
