import { filterFrom, queryOf } from './directory-filter.ts';

const query = (search: string) => queryOf(filterFrom(new URLSearchParams(search)), '2026-11-30');

test('asks the service for what the address says', () => {
  expect(query('')).toEqual({ sort: 'name' });
  expect(query('q=+CARD+&specialty=Cardiologist&sort=experience')).toEqual({
    q: 'CARD',
    specialty: 'Cardiologist',
    sort: 'experience',
  });
});

test('supports the rating order, which no selector offers', () => {
  expect(query('sort=rating').sort).toBe('rating');
});

test('days are those of the clinic, and whoever names one sees the soonest doctor first', () => {
  expect(query('when=today')).toEqual({ from: '2026-11-30', until: '2026-11-30', sort: 'soonest' });
  expect(query('when=tomorrow&part=morning')).toEqual({
    from: '2026-12-01',
    until: '2026-12-01',
    part: 'morning',
    sort: 'soonest',
  });
  expect(query('when=week')).toEqual({ from: '2026-11-30', until: '2026-12-06', sort: 'soonest' });
  expect(query('part=afternoon&sort=name')).toEqual({ part: 'afternoon', sort: 'name' });
});

test('ignores unknown words in the address', () => {
  expect(query('sort=salary&when=yesterday&part=night')).toEqual({ sort: 'name' });
});
