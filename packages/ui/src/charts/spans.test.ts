import { addUp, bucketsOf, grainOf } from './spans.ts';

test('days have a bar each up to a quarter; longer periods are drawn by week', () => {
  expect([
    grainOf('2026-11-01', '2026-11-30'),
    grainOf('2026-08-24', '2026-11-21'),
    grainOf('2026-01-01', '2026-11-21'),
  ]).toEqual(['day', 'day', 'week']);
});

test('a bar is labelled with its day or days', () => {
  expect(bucketsOf('2026-11-20', '2026-11-21')).toEqual([
    { from: '2026-11-20', to: '2026-11-20', label: 'Nov 20', name: 'Fri, Nov 20, 2026' },
    { from: '2026-11-21', to: '2026-11-21', label: 'Nov 21', name: 'Sat, Nov 21, 2026' },
  ]);
  // The week of New Year's Day 2026 began on a Monday of 2025.
  expect(bucketsOf('2026-01-01', '2026-01-12', 'week').map(({ name, label }) => [label, name])).toEqual([
    ['Jan 1', 'Jan 1 – Jan 4, 2026'],
    ['Jan 5', 'Jan 5 – Jan 11, 2026'],
    ['Jan 12', 'Jan 12, 2026'],
  ]);
});

test('every day of a period is in exactly one bar', () => {
  for (const grain of ['day', 'week'] as const) {
    const buckets = bucketsOf('2023-11-15', '2024-12-03', grain);
    expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual(['2023-11-15', '2024-12-03']);
    buckets
      .slice(1)
      .forEach(({ from }, place) => expect(Date.parse(from) - Date.parse(buckets[place]?.to ?? '')).toBe(86_400_000));
  }
});

test('daily figures are summed by bar; missing days count as zero, days outside the period don’t count', () => {
  const days = [
    { date: '2026-01-05', orders: 2, minor: 150 },
    { date: '2026-01-01', orders: 1, minor: 50 },
    { date: '2026-01-11', orders: 3, minor: 1 },
    { date: '2025-12-31', orders: 9, minor: 9 },
  ];
  expect(
    addUp(bucketsOf('2026-01-01', '2026-01-12', 'week'), days, ['orders', 'minor']).map(({ values }) => values),
  ).toEqual([
    { orders: 1, minor: 50 },
    { orders: 5, minor: 151 },
    { orders: 0, minor: 0 },
  ]);
});
