import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOf } from '@clinic/contracts';
import { weekdays } from '@clinic/contracts/opening-days';
import fc from 'fast-check';
import type { WeeklySpanRecord } from './hours-record.ts';
import { changeTimesOfDays } from './plain-times.ts';
import { allTimes } from './working-times.ts';

const daytime = fc.integer({ min: 6 * 60, max: 20 * 60 }).map(timeOf);
const spans = fc.constantFrom<readonly Pick<WeeklySpanRecord, 'from' | 'until'>[]>(
  [{ from: '09:00', until: '12:00' }],
  [{ from: '22:00', until: '24:00' }],
  [{ from: '22:00', until: '02:00' }],
  [
    { from: '08:00', until: '10:30' },
    { from: '21:40', until: '04:00' },
  ],
);
const hours = fc
  .record({
    days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
    spans,
    slotMinutes: fc.constantFrom(15, 20, 30, 60),
    bufferMinutes: fc.constantFrom(0, 5, 30),
  })
  .map(({ days, spans: daily, ...rhythm }) => ({
    periods: [{ ...rhythm, hours: days.flatMap((day) => daily.map((span) => ({ day, ...span, place: 'Level 3' }))) }],
    exceptions: [],
    listedTimes: [],
  }));

test('times are added to hours and removed from them, also from those across midnight', () => {
  fc.assert(
    fc.property(
      hours,
      fc.uniqueArray(daytime, { maxLength: 3 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      (before, added, places) => {
        const times = allTimes(before);
        const removed = places.map((place) => times[place % times.length] ?? '');
        const fresh = added.filter((time) => !times.includes(time));
        const { listedTimes, periods } = changeTimesOfDays(before, fresh, removed);
        const wanted = [...times.filter((time) => !removed.includes(time)), ...fresh].toSorted();
        assert.deepEqual(listedTimes, wanted);
        for (const { slotMinutes, bufferMinutes } of periods) assert.ok(slotMinutes > 0 && bufferMinutes >= 0);
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});

test('what is left of a night after a removed time begins on the next day', () => {
  const night = { day: 'Friday', from: '23:30', until: '01:30', place: 'Level 3' } as const;
  const period = { slotMinutes: 30, bufferMinutes: 0, hours: [night] };
  const { periods } = changeTimesOfDays({ periods: [period], exceptions: [], listedTimes: [] }, [], ['00:00']);
  assert.deepEqual(periods[0]?.hours, [
    { day: 'Friday', from: '23:30', until: '24:00', place: 'Level 3' },
    { day: 'Saturday', from: '00:30', until: '01:30', place: 'Level 3' },
  ]);
});
