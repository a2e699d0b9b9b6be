import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { roles } from '@clinic/contracts';
import { erasedEmail } from '@clinic/contracts/erased-person';
import type { ExportedThing } from '@clinic/service-kit';
import { assertCopied, assertErased, personWith, startTestService, type Filled, type TestFetch, type TestService } from '@clinic/service-kit/testing';
import { ObjectId } from 'mongodb';
import { {{camel}}Calls, type {{Name}}Entry } from './contract/calls.ts';
import { entriesOf, type EntryRecord } from './entries/entry-record.ts';
import { authorDeleted, entryInCopy } from './personal-data/personal-records.ts';
import { {{camel}}Service } from './service.ts';

const path = {{camel}}Calls.list{{Name}}Entries.path;
const [allowed] = {{camel}}Calls.list{{Name}}Entries.access.roles;

describe('svc-{{name}}', () => {
  let service: TestService<Record<never, never>>;
  let member: TestFetch;

  before(async () => {
    service = await startTestService({{camel}}Service);
    member = service.as(allowed);
  });
  after(() => service.close());

  const write = (json: unknown, key?: string): Promise<Response> => member(path, { method: 'POST', json, headers: key === undefined ? {} : { 'Idempotency-Key': key } });

  it('allows only the roles in the contract', async () => {
    assert.equal((await service.anonymous(path)).status, 401);
    for (const role of roles) {
      const status = {{camel}}Calls.list{{Name}}Entries.access.roles.some((one) => one === role) ? 200 : 403;
      assert.equal((await service.as(role)(path)).status, status, role);
    }
    const stranger = roles.find((role) => !{{camel}}Calls.add{{Name}}Entry.access.roles.some((one) => one === role));
    if (stranger) assert.equal((await service.as(stranger)(path, { method: 'POST', json: { title: 'No' } })).status, 403);
    assert.equal(await entriesOf(service).countDocuments(), 0);
  });

  it('creates an entry once, with its event, and returns it', async () => {
    const first = await write({ title: 'First', note: 'With a note' }, 'key-of-first');
    assert.equal(first.status, 201);
    const entry = {{camel}}Calls.add{{Name}}Entry.response.parse(await first.json());
    assert.equal(entry.author, `${allowed}@clinic.example`);
    assert.deepEqual(await (await write({ title: 'First', note: 'With a note' }, 'key-of-first')).json(), entry);
    assert.deepEqual(await (await member(path)).json(), [entry]);
    assert.equal(await service.db.collection('events').countDocuments({ 'record.id': entry._id, action: 'entry written' }), 1);
  });

  it('copies and erases a person with every field of their records', async () => {
    const zoe = { email: 'zoe@mail.example', id: service.issuer.idOf('zoe@mail.example') };
    // A new field of the record doesn't compile here until it has a value, and in personal-records.ts until it is declared.
    const entry: Filled<EntryRecord> = {
      _id: new ObjectId(), title: 'A title', note: 'A note', author: zoe.email, authorId: zoe.id, writtenAt: new Date('2020-01-01T00:00:00Z'),
    };
    await entriesOf(service).insertOne({ ...entry });
    const admin = service.as('admin');
    const copy = (await (await admin(`/{{name}}/export?email=${zoe.email}`)).json()) as ExportedThing[];
    assertCopied(entry, copy.find(({ kind }) => kind === 'entry')?.data, entryInCopy);
    assert.equal((await service.erase(personWith(zoe.id, zoe.email))).records, 1);
    const left = await entriesOf(service).findOne({ _id: entry._id });
    assertErased<EntryRecord>(entry, left as Record<string, unknown> | null, authorDeleted);
    assert.equal(left?.author, erasedEmail(zoe.id));
    // A call from a browser only says how far that has got.
    const erased = await admin('/{{name}}/erasure', { method: 'POST', json: { email: zoe.email, userId: zoe.id } });
    assert.deepEqual(await erased.json(), { done: true, records: 1, cancelled: 0, events: 0 });
    await entriesOf(service).deleteOne({ _id: entry._id });
  });

  it('names the invalid field', async () => {
    const answer = await write({ title: ' ' });
    assert.equal(answer.status, 400);
    const { errors } = (await answer.json()) as { errors: unknown };
    assert.deepEqual(errors, [{ field: 'title', message: 'Title is required' }]);
  });

  it('pages through the list, latest first, and finds words', async () => {
    for (const title of ['Second', 'Third (a*)']) assert.equal((await write({ title })).status, 201);
    const page = await member(`${path}?limit=2`);
    assert.deepEqual(((await page.json()) as {{Name}}Entry[]).map(({ title }) => title), ['Third (a*)', 'Second']);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    assert.ok(next);
    assert.deepEqual(((await (await member(next)).json()) as {{Name}}Entry[]).map(({ title }) => title), ['First']);
    assert.deepEqual(((await (await member(`${path}?q=${encodeURIComponent('(a*')}`)).json()) as {{Name}}Entry[]).map(({ title }) => title), ['Third (a*)']);
  });
});
