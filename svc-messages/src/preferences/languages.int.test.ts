import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brand } from '@clinic/contracts/brand';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import type { Message, MessagePreferences } from '../contract/schemas.ts';
import { messagesOf } from '../ledger/message-record.ts';
import { dueMessage, startMessages } from '../testing/messages.ts';
import { preferencesOf } from './preferences-record.ts';
import { statusesOf } from '@clinic/service-kit/testing/statuses-of';

const path = '/messages/preferences';
const folder = await mkdtemp(join(tmpdir(), 'clinic-messages-'));
const service = await startMessages({ MESSAGE_CHANNEL: 'file', MESSAGE_FOLDER: folder, QUIET_HOURS: 'none' });
after(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const patient = (name: string) => service.as({ role: 'patient', email: `${name}@mail.example` });
const read = async (name: string): Promise<MessagePreferences> =>
  (await (await patient(name)(path)).json()) as MessagePreferences;
const change = (name: string, json: unknown, etag?: string) =>
  patient(name)(path, { method: 'PATCH', json, ...(etag && { headers: { 'If-Match': etag } }) });

test('rejects an unknown language, and keeps the chosen one', async () => {
  assert.equal((await read('ann')).language, 'en');
  assert.equal(((await (await change('ann', { language: 'bn' })).json()) as MessagePreferences).language, 'bn');
  const answer = await change('ann', { language: 'tlh', timeZone: 'Europe/Lisbon' });
  assert.equal(answer.status, 400);
  assert.deepEqual(((await answer.json()) as { errors: unknown }).errors, [
    { field: 'language', message: 'Language must be one of en (English), bn (বাংলা)' },
  ]);
  const { language, timeZone } = await read('ann');
  assert.deepEqual([language, timeZone], ['bn', 'Asia/Dhaka']);
  const preview = '/messages/kinds/order-shipped/preview?language=';
  const shown = (await (await service.as('admin')(`${preview}bn`)).json()) as { subject: string; text: string };
  assert.equal(shown.subject, 'আপনার অর্ডার #4F09A1 পাঠানো হয়েছে');
  assert.match(shown.text, /\/unsubscribe\/example\?lang=bn$/m);
  assert.equal((await service.as('admin')(`${preview}tlh`)).status, 400);
});

test('of two changes from the same version one is saved, and the other is rejected', async () => {
  const etag = (await patient('ben')(path)).headers.get('etag') ?? assert.fail('no ETag');
  const changes = [{ language: 'bn' }, { timeZone: 'Europe/Lisbon' }];
  const answers = await Promise.all(changes.map((one) => change('ben', one, etag)));
  assert.deepEqual(statusesOf(answers), [200, 412]);
  const { language, timeZone } = await read('ben');
  assert.deepEqual([language, timeZone], answers[0]?.status === 200 ? ['bn', 'Asia/Dhaka'] : ['en', 'Europe/Lisbon']);
});

test('writes messages in their reader’s language, and records it in the ledger', async () => {
  await change('cem', { language: 'bn' });
  const accounts = new Map(['cem', 'dee', 'eve'].map((name) => [name, service.issuer.idOf(`${name}@mail.example`)]));
  // Saved before there were languages, and by a later release with more of them.
  const stored = (name: string, other: { readonly language?: string }) => ({
    _id: accounts.get(name) ?? '',
    off: [],
    changedAt: new Date(),
    ...other,
  });
  await preferencesOf(service.context).insertMany([stored('dee', {}), stored('eve', { language: 'tlh' })]);
  await messagesOf(service.context).insertMany(
    [...accounts].map(([name, account]) =>
      dueMessage({ key: name, to: { account, email: `${name}@mail.example`, name } }),
    ),
  );
  service.parts.delivery?.wake();
  const sent = () => messagesOf(service.context).countDocuments({ status: 'sent' });
  await waitUntil(async () => (await sent()) === accounts.size);

  const lines = (await readFile(join(folder, 'messages.ndjson'), 'utf8')).trim().split('\n');
  const written = lines.map((line) => JSON.parse(line) as Record<'language' | 'subject', string> & Message);
  assert.deepEqual(Object.fromEntries(written.map(({ to, language, subject }) => [to.name, [language, subject]])), {
    cem: ['bn', `${brand.brandName}-এ আপনার ভূমিকা বদলেছে`],
    dee: ['en', `Your role at ${brand.brandName} has changed`],
    eve: ['en', `Your role at ${brand.brandName} has changed`],
  });
  const ledger = (await (await service.as('admin')('/messages?limit=10')).json()) as Message[];
  assert.deepEqual(Object.fromEntries(ledger.map(({ to, language }) => [to.name, language])), {
    cem: 'bn',
    dee: 'en',
    eve: 'en',
  });
});
