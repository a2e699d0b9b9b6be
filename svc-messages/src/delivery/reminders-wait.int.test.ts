import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { messagesOf } from '../ledger/message-record.ts';
import { dueMessage, startMessages } from '../testing/messages.ts';

const folder = await mkdtemp(join(tmpdir(), 'clinic-messages-'));
const service = await startMessages({
  MESSAGE_CHANNEL: 'file',
  MESSAGE_FOLDER: folder,
  REMINDERS_PER_SECOND: '10',
  QUIET_HOURS: 'none',
});
after(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const rowOf = (key: string, lane: 0 | 1) =>
  dueMessage({ key, to: { email: `${key}@mail.example`, name: 'Zoe' }, lane });

test('reminders are sent at their pace, and an urgent message doesn’t wait for them', async () => {
  const messages = messagesOf(service.context);
  const wake = (): void => service.parts.delivery?.wake();
  const sent = (lane: 0 | 1): Promise<number> => messages.countDocuments({ lane, status: 'sent' });
  const began = performance.now();
  await messages.insertMany(Array.from({ length: 30 }, (_, index) => rowOf(`reminder${index}`, 1)));
  wake();
  await waitUntil(async () => (await sent(1)) > 0);
  await messages.insertOne(rowOf('urgent', 0));
  const insertedAt = new Date();
  wake();
  await waitUntil(async () => (await sent(0)) === 1);
  const urgent = await messages.findOne({ key: 'urgent' });
  await waitUntil(async () => (await sent(1)) === 30);
  assert.ok(performance.now() - began >= 2_800);
  const before = await messages.countDocuments({ lane: 1, sentAt: { $gt: insertedAt, $lt: urgent?.sentAt } });
  // The batch that was already claimed, a quarter of a second's.
  assert.ok(before <= 3, `${before} reminders went first`);
});
