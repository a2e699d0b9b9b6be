import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { waitUntil } from '../testing/wait-until.ts';
import { daysOf, reportPeriod } from './report-period.ts';
import {
  addToRollups,
  daysOfMonth,
  keepRollups,
  keepRollupsInBackground,
  monthAfter,
  type Rollup,
  type RollupPlan,
} from './rollups.ts';
import { rollupShard } from './rollup-shard.ts';
import { shopService, type ShopSettings } from '../testing/shop-service.ts';
import { startTestService, type TestService } from '../testing/index.ts';

interface DayRollup extends Rollup {
  readonly day: string;
  readonly name?: string;
  readonly sold?: number;
}

let shop: TestService<ShopSettings>;
before(async () => {
  shop = await startTestService(shopService);
  // Not every database can create collections in a transaction.
  await rollups().createIndex({ day: 1 });
});
after(() => shop.close());

const rollups = () => shop.db.collection<DayRollup>('tallies');
const day = '2026-11-21';
const change = (key: string, sold: number, name?: string) => ({
  key,
  about: { day, name: 'first' },
  add: { sold },
  ...(name !== undefined && { set: { name } }),
});

test('a transaction writes each rollup once, and not at all if its increments cancel out', async () => {
  await shop.context.inTransaction((session) =>
    addToRollups(rollups(), session, [change('b', 2), change('a', 1), change('b', 3), change('c', 1), change('c', -1)]),
  );
  await shop.context.inTransaction((session) =>
    addToRollups(rollups(), session, [change('a', -4, 'second'), change('d', 1, 'second')]),
  );
  assert.deepEqual(await rollups().find().sort({ _id: 1 }).toArray(), [
    { _id: 'a', day, name: 'second', sold: -3 },
    { _id: 'b', day, name: 'first', sold: 5 },
    { _id: 'd', day, name: 'second', sold: 1 },
  ]);
});

test('all concurrent changes count, on one rollup or on several, and failed ones don’t', async () => {
  await rollups().deleteMany({});
  const count = (key: (slot: string) => string, fails: boolean) =>
    shop.context.inTransaction(async (session) => {
      await addToRollups(rollups(), session, [change(key(rollupShard(session)), 1)]);
      if (fails) throw new RangeError('on purpose');
    });
  const ended = await Promise.allSettled(
    Array.from({ length: 24 }, (_, index) =>
      count(index % 2 === 0 ? () => 'hot' : (slot) => `part ${slot}`, index % 6 === 0),
    ),
  );
  assert.deepEqual(
    ended.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : [])),
    Array.from({ length: 4 }, () => 'RangeError: on purpose'),
  );
  const all = await rollups().find().toArray();
  assert.equal(all.find(({ _id }) => _id === 'hot')?.sold, 8);
  assert.equal(
    all.filter(({ _id }) => _id !== 'hot').reduce((sum, { sold = 0 }) => sum + sold, 0),
    12,
  );
});

test('a shard belongs to one transaction at a time, and is free afterwards', async () => {
  const [first, second, third] = [shop.client.startSession(), shop.client.startSession(), shop.client.startSession()];
  const [a, b] = [rollupShard(first), rollupShard(second)];
  assert.notEqual(a, b);
  assert.equal(rollupShard(first), a);
  await first.endSession();
  assert.equal(rollupShard(third), a);
  await Promise.all([second.endSession(), third.endSession()]);
});

const monthsWithRecords = ['2025-12', '2026-01', '2026-07'];

/** A plan that records the months it counted. @param wrong - months that don't match their records */
const planOf = (version: string, wrong: readonly string[], counted: string[]): RollupPlan => ({
  what: 'tests',
  version,
  inStep: (month) => Promise.resolve(!wrong.includes(month)),
  nextMonth: (month) => Promise.resolve(monthsWithRecords.find((each) => each >= month)),
  countMonth: (month) => {
    counted.push(month);
    return Promise.resolve();
  },
});

test('rollups of another version, and months that differ from the records, are rebuilt', async () => {
  const counted: string[] = [];
  const keep = (version: string, wrong: readonly string[] = []) =>
    keepRollups(shop.context, planOf(version, wrong, counted));
  assert.deepEqual([await keep('1'), await keep('1'), await keep('2')], [3, 0, 3]);
  assert.equal(await keep('2', ['2026-01']), 1);
  assert.deepEqual(counted, [...monthsWithRecords, ...monthsWithRecords, '2026-01']);
  assert.deepEqual([monthAfter('2026-09'), monthAfter('2026-12')], ['2026-10', '2027-01']);
  assert.deepEqual(
    [daysOfMonth('2028-02').to, daysOfMonth('2026-02').to, daysOfMonth('2026-12').to],
    ['2028-02-29', '2026-02-28', '2026-12-31'],
  );
});

test('an interrupted check continues after the last month it finished, and only for the same version', async () => {
  const counted: string[] = [];
  const broken = (version: string): RollupPlan => ({
    ...planOf(version, [], counted),
    countMonth: (month) => {
      counted.push(month);
      return month === '2026-01' ? Promise.reject(new RangeError('on purpose')) : Promise.resolve();
    },
  });
  await assert.rejects(keepRollups(shop.context, broken('3')), RangeError);
  assert.equal(await keepRollups(shop.context, planOf('3', [], counted)), 2);
  assert.deepEqual(counted.splice(0), ['2025-12', '2026-01', '2026-01', '2026-07']);
  await assert.rejects(keepRollups(shop.context, broken('4')), RangeError);
  assert.equal(await keepRollups(shop.context, planOf('5', [], counted)), 3);
  assert.equal(await keepRollups(shop.context, planOf('5', [], counted)), 0);
});

test('a service starts while its rollups are being counted', async () => {
  const counting = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await using starting = await startTestService({
    ...shopService,
    onStart: async (context) => {
      keepRollupsInBackground(context, {
        ...planOf('1', [], []),
        countMonth: () => {
          counting.resolve();
          return held.promise;
        },
      });
      return Promise.resolve();
    },
  });
  await counting.promise;
  assert.equal((await starting.anonymous('/medicine?limit=1')).status, 200);
  assert.deepEqual(
    starting.log.filter((line) => line.includes('rollups')),
    [],
  );
  held.resolve();
  await waitUntil(() => starting.log.some((line) => line.includes('"months":3') && line.includes('rollups rebuilt')));
});

test('the default period is the 30 days up to today at the clinic, in any server time zone', () => {
  const midnightInDhaka = new Date('2026-11-20T18:00:00Z');
  assert.equal(reportPeriod({}, 'Asia/Dhaka', midnightInDhaka).to, '2026-11-21');
  assert.equal(reportPeriod({}, 'Asia/Dhaka', new Date(midnightInDhaka.getTime() - 1)).to, '2026-11-20');
  assert.equal(reportPeriod({}, 'America/New_York', midnightInDhaka).to, '2026-11-20');
  const { from, to } = reportPeriod({}, 'Asia/Dhaka', midnightInDhaka);
  assert.equal(daysOf({ from, to }).length, 30);
  assert.equal(addDays(from, 29), to);
});
