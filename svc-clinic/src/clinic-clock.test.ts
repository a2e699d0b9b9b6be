import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, existsInClinic, minutesOfDay, timeOf, type ClinicMoment } from '@clinic/contracts';
import { clinicClock, firstToCome, isPast } from './clinic-clock.ts';

const text = ({ date, time }: ClinicMoment): string => `${date}T${time}`;

const momentsOf = (date: string, timeZone: string): ClinicMoment[] =>
  Array.from({ length: minutesOfDay }, (_, minute) => ({ date, time: timeOf(minute) })).filter((moment) =>
    existsInClinic(moment, timeZone),
  );

test('stored moments before the first that isn’t past are past, also in nights when clocks change', () => {
  for (const [timeZone, evening] of [
    ['Europe/Berlin', '2026-10-24T23:30:00Z'],
    ['Europe/Berlin', '2027-03-28T00:30:00Z'],
    ['Asia/Dhaka', '2009-12-31T16:30:00Z'],
  ] as const) {
    const days = new Map<string, readonly ClinicMoment[]>();
    for (let minutes = 0; minutes < 150; minutes += 7) {
      const now = new Date(Date.parse(evening) + minutes * 60_000);
      const clock = clinicClock({ CLINIC_TZ: timeZone, CLINIC_BOOKING_HORIZON_DAYS: 90 }, now);
      const first = firstToCome(now, timeZone);
      for (const date of [clock.today, addDays(clock.today, 1)]) {
        const moments = days.get(date) ?? momentsOf(date, timeZone);
        days.set(date, moments);
        for (const moment of moments)
          if (text(moment) < text(first) !== isPast(moment, clock))
            assert.fail(`${now.toISOString()} ${date} ${moment.time}`);
      }
    }
  }
});
