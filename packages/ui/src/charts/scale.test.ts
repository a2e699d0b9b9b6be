import { axisMarks, barsOf, namedEvery } from './scale.ts';

test.each([
  [0, true, [0, 1]],
  [1, true, [0, 1]],
  [3, true, [0, 1, 2, 3]],
  [7, true, [0, 2, 4, 6, 8]],
  [10, true, [0, 5, 10]],
  [11, true, [0, 5, 10, 15]],
  [40, true, [0, 10, 20, 30, 40]],
  [0.3, false, [0, 0.1, 0.2, 0.3]],
  [1234.5, false, [0, 500, 1000, 1500]],
  [987_654, false, [0, 500_000, 1_000_000]],
])('marks for values up to %d are round numbers from 0 to at least that value', (most, whole, marks) => {
  expect(axisMarks(most, whole)).toEqual(marks);
});

test('the axis covers its largest value with few marks', () => {
  for (let most = 1; most < 5_000; most += 7) {
    const marks = axisMarks(most, true);
    expect(marks.at(-1)).toBeGreaterThanOrEqual(most);
    expect(marks.length).toBeLessThanOrEqual(6);
  }
});

test('axis labels keep their distance', () => {
  const days = [1, 2, 7, 14, 28];
  expect([
    namedEvery(30, 600, 60, days),
    namedEvery(30, 280, 60, days),
    namedEvery(90, 280, 60, days),
    namedEvery(5, 600, 60, days),
    namedEvery(900, 280, 60, days),
  ]).toEqual([7, 7, 28, 1, 193]);
});

test('bars are on whole pixels, in order, within the plot and don’t overlap', () => {
  for (const [count, width] of [
    [7, 280],
    [30, 281],
    [90, 277],
    [92, 560],
    [1, 600],
    [53, 263],
  ] as const) {
    const bars = barsOf(count, width);
    expect(bars).toHaveLength(count);
    bars.forEach(({ start, width: wide }, place) => {
      expect(Number.isInteger(start) && Number.isInteger(wide) && wide >= 1 && wide <= 30).toBe(true);
      expect(start).toBeGreaterThanOrEqual(
        place === 0 ? 0 : (bars[place - 1]?.start ?? 0) + (bars[place - 1]?.width ?? 0),
      );
    });
    expect((bars.at(-1)?.start ?? 0) + (bars.at(-1)?.width ?? 0)).toBeLessThanOrEqual(width);
  }
});
