import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seriesDates, shifted } from './series-dates.ts';

const first = { date: '2026-10-19', time: '09:00' };

test('eight Mondays at nine are Mondays at nine, also after the clocks have changed', () => {
  assert.deepEqual(seriesDates({ first, every: { unit: 'weeks', count: 1 }, count: 8 }), [
    { date: '2026-10-19', time: '09:00' },
    { date: '2026-10-26', time: '09:00' },
    { date: '2026-11-02', time: '09:00' },
    { date: '2026-11-09', time: '09:00' },
    { date: '2026-11-16', time: '09:00' },
    { date: '2026-11-23', time: '09:00' },
    { date: '2026-11-30', time: '09:00' },
    { date: '2026-12-07', time: '09:00' },
  ]);
});

test('a month without the day gets its last day, and later months the original day again', () => {
  const dates = seriesDates({
    first: { date: '2027-12-31', time: '09:00' },
    every: { unit: 'months', count: 1 },
    count: 4,
  });
  assert.deepEqual(
    dates.map(({ date }) => date),
    ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31'],
  );
});

test('days count on the calendar', () => {
  const dates = seriesDates({ first, every: { unit: 'days', count: 10 }, count: 3 });
  assert.deepEqual(
    dates.map(({ date }) => date),
    ['2026-10-19', '2026-10-29', '2026-11-08'],
  );
  assert.equal(shifted('2026-11-30', '2026-10-19', '2026-10-20'), '2026-12-01');
  assert.equal(shifted('2026-11-30', '2026-10-19', '2026-10-12'), '2026-11-23');
});
