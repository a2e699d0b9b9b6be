import { timesBetween } from './working-times.tsx';

test('a series of times excludes its end', () => {
  expect(timesBetween('09:00', '10:30', 30)).toEqual(['09:00', '09:30', '10:00']);
  expect(timesBetween('23:30', '23:59', 30)).toEqual(['23:30']);
  expect(timesBetween('10:00', '09:00', 30)).toEqual([]);
});
