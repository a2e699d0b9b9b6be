import { ageOn } from './age-on.ts';

test('counts full years', () => {
  expect(ageOn('2026-11-22', '1990-11-22')).toBe(36);
  expect(ageOn('2026-11-21', '1990-11-22')).toBe(35);
  expect(ageOn('2026-02-28', '2024-02-29')).toBe(1);
  expect(ageOn('2026-03-01', '2024-02-29')).toBe(2);
  expect(ageOn('2026-11-22', '2026-11-01')).toBe(0);
});
