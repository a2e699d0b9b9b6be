import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import type { TakenEntry } from '@clinic/contracts/outbox/entries';
import { catchUpWithAccounts, endUserLock } from '@clinic/service-kit';
import { assertHandedOver, handOverParts } from '@clinic/service-kit/testing/hand-overs';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import fc from 'fast-check';
import { dropForgotten, storeEntries } from '../intake/store-entries.ts';
import { signLink } from '../links/link-tokens.ts';
import { messagesOf } from '../ledger/message-record.ts';
import { preferencesOf } from '../preferences/preferences-record.ts';
import { startMessages } from '../testing/messages.ts';

const service = await startMessages();
const { context, issuer, db } = service;
after(() => service.close());

const lives = fc.array(fc.constantFrom(...handOverParts), { minLength: 2, maxLength: 7 }).map((parts) => parts.flat());

const newId = (): string => randomBytes(12).toString('hex');
/** The outbox entry of a visit that was booked for an address without an account. */
const booked = (email: string): TakenEntry => ({
  id: newId(),
  at: new Date().toISOString(),
  kind: 'appointment-booked',
  to: { email, name: 'Zoe' },
  data: {
    visit: { id: newId(), doctor: 'Dr. Rahman', date: '2999-01-05', time: '10:00', sequence: 0, status: 'Pending' },
  },
});
const reminderFor = ({ data }: TakenEntry) =>
  messagesOf({ db }).findOne({ visit: (data as { visit: { id: string } }).visit.id, lane: 1 });

test('a message about a visit follows whoever had the address when it was caused, also if it arrives late', async () => {
  await fc.assert(
    fc.asyncProperty(lives, fc.boolean(), async (life, late) => {
      const entries = new Map<string, TakenEntry>();
      await assertHandedOver(
        { issuer, db },
        life,
        async (email) => {
          const entry = booked(email);
          entries.set(entry.id, entry);
          if (!late) await storeEntries(context, 'clinic', [entry]);
          return entry.id;
        },
        async (id) => {
          const entry = entries.get(id);
          if (!entry) return undefined;
          await storeEntries(context, 'clinic', [entry]);
          return (await reminderFor(entry))?.to.account;
        },
      );
    }),
    { numRuns: 10 },
  );
});

for (const knows of ['what was before', 'not even all of that'])
  test(`while svc-identity is away, a message goes to nobody who may have given the address up (known: ${knows})`, async () => {
    const [first, second] = [newId(), newId()];
    const email = `${first}@mail.example`;
    const elsewhere = `elsewhere.${email}`;
    issuer.changeAccount(first, { email, former: [], held: [{ email }] });
    await catchUpWithAccounts(context);
    issuer.breakFeed();
    if (knows === 'not even all of that')
      await db
        .collection<{ _id: string }>('markers')
        .updateOne({ _id: 'account feed' }, { $unset: { completeSince: '' } });
    const until = new Date(Date.now() - 1).toISOString();
    issuer.changeAccount(first, { email: elsewhere, former: [email], held: [{ email, until }, { email: elsewhere }] });
    const entry = booked(email);
    await storeEntries(context, 'clinic', [entry]);
    assert.equal((await reminderFor(entry))?.to.account, undefined);
    issuer.restoreFeed();
    issuer.changeAccount(second, { email, former: [], held: [{ email, since: until }] });
    await catchUpWithAccounts(context);
    await waitUntil(async () => assert.equal((await reminderFor(entry))?.to.account, second));
  });

const ordered = (email: string): TakenEntry => ({
  id: newId(),
  at: new Date().toISOString(),
  kind: 'order-placed',
  to: { email, name: 'Zoe' },
  data: { order: { id: newId(), number: '12AB34', total: 4.2, currency: '৳', recipient: 'Zoe Lee' } },
});

for (const [what, entryFor] of Object.entries({ 'a visit': booked, 'an order': ordered }))
  test(`a message about ${what} for an address without an account doesn’t outlive its deletion, however late it comes`, async () => {
    const email = `${newId()}@mail.example`;
    const [early, late, forgotten] = [entryFor(email), entryFor(email), entryFor(email)];
    const left = () => messagesOf(context).countDocuments({ 'to.email': email });
    await storeEntries(context, 'clinic', [early, forgotten]);
    assert.notEqual(await left(), 0);
    // Its source had been asked for it before it forgot it.
    await dropForgotten(context, 'clinic', [early.id, forgotten.id]);
    assert.equal(await left(), 0);
    const since = new Date(Date.now() - 60_000).toISOString();
    const account = newId();
    issuer.changeAccount(account, { email, former: [], held: [{ email, since }], active: false, erasing: true });
    await catchUpWithAccounts(context);
    // This service's own erasure has been here.
    await endUserLock(context, account);
    await storeEntries(context, 'clinic', [late]);
    assert.equal(await left(), 0);
  });

test('what an address has switched off stays off for the account that confirms it, and isn’t kept twice', async () => {
  const account = newId();
  const email = 'switched@mail.example';
  const token = await signLink(context, 'unsubscribe', {
    kind: 'appointment-reminder',
    whose: `address:${email}`,
    made: Date.now(),
  });
  assert.equal((await service.anonymous(`/messages/unsubscribe/${token}`, { method: 'POST' })).status, 200);
  await preferencesOf(context).insertOne({ _id: account, off: ['waitlist-offer'], changedAt: new Date() });
  issuer.changeAccount(account, { email, former: [], held: [{ email }] });
  await catchUpWithAccounts(context);
  await waitUntil(async () => {
    const kept = await preferencesOf(context).find({ email }).toArray();
    assert.deepEqual(
      kept.map(({ _id, off }) => [_id, off]),
      [[account, ['waitlist-offer', 'appointment-reminder']]],
    );
  });
  assert.equal(await preferencesOf(context).countDocuments({ _id: `address:${email}` }), 0);
});

test('a link to an address without an account ends for good once somebody confirms the address', async () => {
  const email = 'linked@mail.example';
  const link = (made: Date) =>
    signLink(context, 'unsubscribe', { kind: 'appointment-reminder', whose: `address:${email}`, made: made.getTime() });
  const statusOf = async (token: string) => (await service.anonymous(`/messages/unsubscribe/${token}`)).status;
  const before = await link(new Date());
  assert.equal(await statusOf(before), 200);
  assert.equal((await service.anonymous(`/messages/unsubscribe/${before}`, { method: 'POST' })).status, 200);
  // Nothing would ever delete the address there.
  assert.equal(await db.collection<{ _id: string }>('persons').countDocuments({ _id: /^address:/ }), 0);
  const until = new Date(Date.now() + 1);
  const elsewhere = 'linked.elsewhere@mail.example';
  issuer.changeAccount(newId(), {
    email: elsewhere,
    former: [email],
    held: [{ email, until: until.toISOString() }, { email: elsewhere }],
  });
  await catchUpWithAccounts(context);
  await waitUntil(async () => assert.equal(await statusOf(before), 404));
  assert.equal(await statusOf(await link(until)), 200);
});
