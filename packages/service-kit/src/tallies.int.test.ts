import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { daysOf, reportPeriod } from './report-period.ts';
import { addToTallies, daysOfMonth, keepTallies, monthAfter, type Tally } from './tallies.ts';
import { tallySlot } from './tally-slots.ts';
import { shopService, type ShopSettings } from './test/shop-service.ts';
import { startTestService, type TestService } from './testing.ts';

interface DayTally extends Tally {
  readonly day: string;
  readonly name?: string;
  readonly sold?: number;
}

let shop: TestService<ShopSettings>;
before(async () => {
  shop = await startTestService(shopService);
  // Transactions can't create collections everywhere.
  await tallies().createIndex({ day: 1 });
});
after(() => shop.close());

const tallies = () => shop.db.collection<DayTally>('tallies');
const day = '2026-11-21';
const change = (key: string, sold: number, name?: string) => ({ key, about: { day, name: 'first' }, add: { sold }, ...(name !== undefined && { set: { name } }) });

test('differences of one transaction are one write of each tally, and no write where they add up to nothing', async () => {
  await shop.context.inTransaction((session) => addToTallies(tallies(), session, [change('b', 2), change('a', 1), change('b', 3), change('c', 1), change('c', -1)]));
  await shop.context.inTransaction((session) => addToTallies(tallies(), session, [change('a', -4, 'second'), change('d', 1, 'second')]));
  assert.deepEqual(await tallies().find().sort({ _id: 1 }).toArray(), [
    { _id: 'a', day, name: 'second', sold: -3 }, { _id: 'b', day, name: 'first', sold: 5 }, { _id: 'd', day, name: 'second', sold: 1 },
  ]);
});

test('what many count at once is all counted, on one tally or on one for each, and nothing of what fails', async () => {
  await tallies().deleteMany({});
  const count = (key: (slot: string) => string, fails: boolean) => shop.context.inTransaction(async (session) => {
    await addToTallies(tallies(), session, [change(key(tallySlot(session)), 1)]);
    if (fails) throw new RangeError('on purpose');
  });
  const ended = await Promise.allSettled(Array.from({ length: 24 }, (_, index) => count(index % 2 === 0 ? () => 'hot' : (slot) => `part ${slot}`, index % 6 === 0)));
  assert.deepEqual(ended.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : [])), Array.from({ length: 4 }, () => 'RangeError: on purpose'));
  const all = await tallies().find().toArray();
  assert.equal(all.find(({ _id }) => _id === 'hot')?.sold, 8);
  assert.equal(all.filter(({ _id }) => _id !== 'hot').reduce((sum, { sold = 0 }) => sum + sold, 0), 12);
});

test('a slot is nobody else’s while its transaction lasts, and free again afterwards', async () => {
  const [first, second, third] = [shop.client.startSession(), shop.client.startSession(), shop.client.startSession()];
  const [a, b] = [tallySlot(first), tallySlot(second)];
  assert.notEqual(a, b);
  assert.equal(tallySlot(first), a);
  await first.endSession();
  assert.equal(tallySlot(third), a);
  await Promise.all([second.endSession(), third.endSession()]);
});

test('tallies are counted again where they are of another version or out of step, month by month', async () => {
  const counted: string[] = [];
  let inStep = true;
  const keep = (version: string) => keepTallies(shop.context, {
    version,
    inStep: () => Promise.resolve(inStep),
    nextMonth: (month) => Promise.resolve(['2025-12', '2026-01', '2026-07'].find((each) => each >= month)),
    countMonth: (month) => {
      counted.push(month);
      return Promise.resolve();
    },
  });
  assert.deepEqual([await keep('1'), await keep('1'), await keep('2')], [3, 0, 3]);
  inStep = false;
  assert.equal(await keep('2'), 3);
  assert.deepEqual(counted.slice(0, 4), ['2025-12', '2026-01', '2026-07', '2025-12']);
  assert.deepEqual([monthAfter('2026-09'), monthAfter('2026-12')], ['2026-10', '2027-01']);
  assert.deepEqual([daysOfMonth('2028-02').to, daysOfMonth('2026-02').to, daysOfMonth('2026-12').to], ['2028-02-29', '2026-02-28', '2026-12-31']);
});

test('a period nobody names is the 30 days that end today at the clinic, wherever the server stands', () => {
  const midnightInDhaka = new Date('2026-11-20T18:00:00Z');
  assert.equal(reportPeriod({}, 'Asia/Dhaka', midnightInDhaka).to, '2026-11-21');
  assert.equal(reportPeriod({}, 'Asia/Dhaka', new Date(midnightInDhaka.getTime() - 1)).to, '2026-11-20');
  assert.equal(reportPeriod({}, 'America/New_York', midnightInDhaka).to, '2026-11-20');
  const { from, to } = reportPeriod({}, 'Asia/Dhaka', midnightInDhaka);
  assert.equal(daysOf({ from, to }).length, 30);
  assert.equal(addDays(from, 29), to);
});
