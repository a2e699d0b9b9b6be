import { periodOf, spanTrouble, withPeriod } from './period.ts';

const today = '2026-11-21';
const of = (search: string) => periodOf(new URLSearchParams(search), today);

test.each([
  ['', '30', '2026-10-23', today],
  ['period=7', '7', '2026-11-15', today],
  ['period=90', '90', '2026-08-24', today],
  ['period=year', 'year', '2026-01-01', today],
  ['period=own&from=2025-12-01&to=2026-02-03', 'own', '2025-12-01', '2026-02-03'],
])('the address ?%s means its days, including today', (search, name, from, to) => {
  expect(of(search)).toEqual({ name, from, to });
});

test.each([
  'period=fortnight',
  'period=own',
  'period=own&from=2026-11-21&to=2026-11-01',
  'period=own&from=2024-01-01&to=2026-11-01',
  'period=own&from=2026-02-30&to=2026-03-01',
  'period=own&from=x&to=y',
])('an invalid address (?%s) means the default period', (search) => {
  expect(of(search)).toEqual(of(''));
});

test('a period round-trips through the address, which keeps everything else', () => {
  const search = withPeriod(new URLSearchParams('theme=dark&period=90'), 'own', {
    from: '2026-11-01',
    to: '2026-11-05',
  });
  expect(search.toString()).toBe('theme=dark&period=own&from=2026-11-01&to=2026-11-05');
  expect(periodOf(search, today)).toEqual({ name: 'own', from: '2026-11-01', to: '2026-11-05' });
  expect(withPeriod(search, '30', { from: '', to: '' }).toString()).toBe('theme=dark');
});

test('custom dates are rejected for the same reasons as in the services', () => {
  expect(spanTrouble({ from: '', to: today })).toBe('Choose the first and the last day');
  expect(spanTrouble({ from: today, to: '2026-11-20' })).toBe('The last day is before the first');
  expect(spanTrouble({ from: '2025-11-20', to: '2026-11-21' })).toBe('Choose at most 366 days');
  expect([spanTrouble({ from: '2025-11-21', to: today }), spanTrouble({ from: today, to: today })]).toEqual([
    undefined,
    undefined,
  ]);
});
