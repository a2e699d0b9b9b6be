import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  addDays,
  addMonths,
  ageOn,
  clinicInstant,
  clinicMinute,
  clinicMoment,
  dayOfWeek,
  daysBetween,
  existsInClinic,
  isSteadyDay,
  lastDayOfMonth,
  minuteOf,
  timeOf,
} from './clinic-time.ts';
import { startOfWeek } from './opening-days.ts';

/** Days on which appointments, birthdays and reports can be. */
const date = fc
  .integer({ min: 0, max: 80_000 })
  .map((days) => Temporal.PlainDate.from('1925-01-01').add({ days }).toString());
/** Zone rules are known for the past and assumed for the coming years. */
const soon = fc
  .integer({ min: 0, max: 12_000 })
  .map((days) => Temporal.PlainDate.from('2005-01-01').add({ days }).toString());
const time = fc.integer({ min: 0, max: 1_439 }).map(timeOf);
const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC', '+06:00', '-03:30');
const runs = { numRuns: 2_000 };

/** The changes of a zone's clock, where mistakes are. */
const nearChange = fc
  .tuple(zone, fc.integer({ min: 2005, max: 2035 }), fc.integer({ min: -200, max: 200 }))
  .map(([id, year, minutes]) => {
    const start = Temporal.PlainDate.from({ year, month: 1, day: 1 }).toZonedDateTime(id);
    const change = start.getTimeZoneTransition('next') ?? start;
    const near = change.toPlainDateTime().add({ minutes });
    return [id, near.toPlainDate().toString(), near.toPlainTime().toString().slice(0, 5)] as const;
  });
const moment = fc.oneof(fc.tuple(zone, soon, time), nearChange);
const plain = (day: string, at: string) => Temporal.PlainDateTime.from(`${day}T${at}`);

test('a moment on a clock is the instant that Temporal says, also where the clock skips or repeats it', () => {
  fc.assert(
    fc.property(moment, ([id, day, at]) => {
      // "compatible": the later one of a skipped moment, the first of a repeated one (RFC 5545, section 3.3.5).
      const expected = plain(day, at).toZonedDateTime(id, { disambiguation: 'compatible' });
      assert.equal(clinicInstant({ date: day, time: at }, id).getTime(), expected.epochMilliseconds);
      assert.equal(clinicMinute({ date: day, time: at }, id), expected.epochMilliseconds / 60_000);
      assert.equal(existsInClinic({ date: day, time: at }, id), expected.toPlainDateTime().equals(plain(day, at)));
    }),
    runs,
  );
});

test('an instant is shown as Temporal shows it', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: 59_999 }), ([id, day, at], ms) => {
      const instant = clinicInstant({ date: day, time: at }, id).getTime() + ms;
      const shown = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(id);
      assert.deepEqual(clinicMoment(new Date(instant), id), {
        date: shown.toPlainDate().toString(),
        time: shown.toPlainTime().toString().slice(0, 5),
      });
    }),
    runs,
  );
});

test('a day is steady only if its clock and its neighbours’ never change', () => {
  fc.assert(
    fc.property(moment, ([id, day]) => {
      if (!isSteadyDay(day, id)) return;
      const start = Temporal.PlainDate.from(day).toZonedDateTime(id);
      assert.equal(start.hoursInDay, 24);
      assert.equal(start.offset, start.add({ hours: 23, minutes: 59 }).offset);
    }),
    runs,
  );
});

test('days, months, weeks and ages are counted as Temporal counts them', () => {
  fc.assert(
    fc.property(date, date, fc.integer({ min: -5_000, max: 5_000 }), (one, other, count) => {
      const day = Temporal.PlainDate.from(one);
      assert.equal(addDays(one, count), day.add({ days: count }).toString());
      assert.equal(addMonths(one, count % 600), day.add({ months: count % 600 }).toString());
      assert.equal(daysBetween(one, other), day.until(other).total('days'));
      assert.equal(dayOfWeek(one), day.dayOfWeek % 7);
      assert.equal(startOfWeek(one), day.subtract({ days: day.dayOfWeek - 1 }).toString());
      assert.equal(lastDayOfMonth(one), day.with({ day: day.daysInMonth }).toString());
      const [born = one, today = other] = [one, other].toSorted();
      const birthday = Temporal.PlainDate.from(born);
      // Born on 29 February: a year older on 1 March of common years.
      const isLeap = birthday.day === 29 && birthday.month === 2;
      const counted = isLeap ? birthday.add({ days: 1 }) : birthday;
      const inLeapYear = isLeap && Temporal.PlainDate.from(today).inLeapYear;
      assert.equal(
        ageOn(today, born),
        inLeapYear
          ? Temporal.PlainDate.from(today).year - birthday.year - Number(today.slice(5) < '02-29')
          : Temporal.PlainDate.from(today).year - counted.year - Number(today.slice(5) < counted.toString().slice(5)),
      );
    }),
    runs,
  );
});

test('minutes of the day are counted as Temporal does', () => {
  fc.assert(
    fc.property(time, (at) => {
      assert.equal(minuteOf(at), Temporal.PlainTime.from(at).since('00:00').total('minutes'));
    }),
    runs,
  );
});
