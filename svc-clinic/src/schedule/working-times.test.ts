import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, clinicInstant, existsInClinic } from '@clinic/contracts';
import { isClosedOn, weekdays, type Weekday } from '@clinic/contracts/opening-days';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { freeTimesOfDay } from '../appointments/free-times.ts';
import { timeTaken } from '../appointments/promise.ts';
import { nothingTaken, TakenTime } from '../appointments/taken-times.ts';
import { slotRejections } from '../appointments/requested-slot.ts';
import { clinicClock, isPast, type ClinicClock } from '../clinic-clock.ts';
import { zones } from '../testing/zones.ts';
import type { HoursRecord } from './hours-record.ts';
import { hoursFromTimes } from './plain-times.ts';
import { lengthBetween } from './planned-slots.ts';
import { allTimes, timesOfNextDay, workingDay, type ScheduledDoctor } from './working-times.ts';

const clockOf = (now: string, timeZone = 'Asia/Dhaka', horizon = 90): ClinicClock =>
  clinicClock({ CLINIC_TZ: timeZone, CLINIC_BOOKING_HORIZON_DAYS: horizon }, new Date(now));
const clock = clockOf('2026-03-09T00:00:00Z');

const doctorWith = (partial: Partial<HoursRecord>, daysOff: readonly string[] = []): ScheduledDoctor => {
  const schedule = { periods: [], exceptions: [], ...partial };
  const listedTimes = allTimes(schedule);
  return { availableTimes: listedTimes, daysOff, hours: { ...schedule, listedTimes } };
};
const span = (day: Weekday, from: string, until: string, place = '') => ({ day, from, until, place });
const takenAt = (date: string, times: readonly string[], duration: string, timeZone = 'Asia/Dhaka'): TakenTime =>
  new TakenTime(times.map((time) => timeTaken({ date, time, duration }, timeZone)));
const timesOn = (doctor: ScheduledDoctor, date: string, at = clock): string[] =>
  workingDay(doctor, date, at).slots.map(({ time }) => time);

const weekly = doctorWith({
  periods: [
    {
      slotMinutes: 30,
      bufferMinutes: 10,
      hours: [
        span('Monday', '09:00', '11:00'),
        span('Monday', '14:00', '15:00', 'Room 2'),
        span('Friday', '23:00', '24:00'),
      ],
    },
  ],
});

const shownSlots = (date: string) =>
  workingDay(weekly, date, clock).slots.map(({ time, until, minutes, place }) => ({ time, until, minutes, place }));

test('a week has its own hours each day, with breaks, a buffer and a place', () => {
  // Monday.
  assert.deepEqual(shownSlots('2026-03-09'), [
    { time: '09:00', until: '09:30', minutes: 30, place: '' },
    { time: '09:40', until: '10:10', minutes: 30, place: '' },
    { time: '10:20', until: '10:50', minutes: 30, place: '' },
    { time: '14:00', until: '14:30', minutes: 30, place: 'Room 2' },
  ]);
  assert.deepEqual(workingDay(weekly, '2026-03-10', clock), { slots: [], closed: 'no hours' });
  assert.deepEqual(shownSlots('2026-03-13'), [{ time: '23:00', until: '23:30', minutes: 30, place: '' }]);
});

test('periods begin and end on their days, and between two there are no hours', () => {
  const seasonal = doctorWith({
    periods: [
      { until: '2026-03-15', slotMinutes: 60, bufferMinutes: 0, hours: [span('Monday', '09:00', '11:00')] },
      { from: '2026-03-23', slotMinutes: 30, bufferMinutes: 0, hours: [span('Monday', '18:00', '19:00')] },
    ],
  });
  assert.deepEqual(
    ['2026-03-09', '2026-03-16', '2026-03-23'].map((date) => timesOn(seasonal, date)),
    [['09:00', '10:00'], [], ['18:00', '18:30']],
  );
});

test('exceptions add hours, also to a day without any, and take parts of days off', () => {
  const exceptional = doctorWith({
    periods: [{ slotMinutes: 30, bufferMinutes: 0, hours: [span('Monday', '09:00', '11:00')] }],
    exceptions: [
      { date: '2026-03-10', kind: 'extra', from: '16:00', until: '17:00', place: 'Annexe' },
      { date: '2026-03-16', kind: 'off', from: '09:45', until: '10:15', place: '' },
      { date: '2026-03-23', kind: 'extra', from: '10:30', until: '12:00', place: '' },
    ],
  });
  assert.deepEqual(timesOn(exceptional, '2026-03-10'), ['16:00', '16:30']);
  // Every slot that reaches into the hours off is removed; the others keep their times.
  assert.deepEqual(timesOn(exceptional, '2026-03-16'), ['09:00', '10:30']);
  assert.deepEqual(timesOn(exceptional, '2026-03-23'), ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30']);
  assert.deepEqual(timesOn(exceptional, '2026-03-30'), ['09:00', '09:30', '10:00', '10:30']);
});

test('days off and holidays have no times, and a reason', () => {
  const withDayOff = { ...weekly, daysOff: ['2026-03-09'] };
  assert.equal(workingDay(withDayOff, '2026-03-09', clock).closed, 'day off');
  const closed = { ...clock, holidays: new Map([['2026-03-09', 'Holi']]) };
  assert.equal(workingDay(weekly, '2026-03-09', closed).closed, 'holiday');
  assert.deepEqual(timesOfNextDay(weekly, closed), ['23:00']);
});

test('listed times written after the hours apply instead of them', () => {
  const rewritten = { ...weekly, availableTimes: ['12:00'] };
  assert.deepEqual(timesOn(rewritten, '2026-03-10'), ['12:00']);
});

test('an appointment booked before the hours changed blocks every slot that it reaches into', () => {
  const doctor = { isAvailable: true, ...weekly };
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-16', takenAt('2026-03-16', ['09:35'], 'PT45M'), clock), [
    '09:00',
    '10:20',
    '14:00',
  ]);
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-16', takenAt('2026-03-16', ['09:40'], 'PT60M'), clock), [
    '09:00',
    '14:00',
  ]);
});

/** The time of day some quarters of an hour after a given one. */
const quartersAfter = (start: string, quarters: number): string =>
  Temporal.PlainTime.from(start)
    .add({ minutes: quarters * 15 })
    .toString({ smallestUnit: 'minute' });
const time = fc.integer({ min: 0, max: 95 }).map((quarter) => quartersAfter('00:00', quarter));
const date = fc.integer({ min: 0, max: 365 * 32 }).map((days) => addDays('2005-01-01', days));
const anySpan = fc
  .tuple(fc.constantFrom(...weekdays), time, fc.integer({ min: 1, max: 12 }))
  .map(([day, from, quarters]) => {
    const until = quartersAfter(from, quarters);
    return span(day, from, until > from ? until : '24:00');
  });

/** Spans of a week as the service accepts them. */
const weekOf = (most: number) =>
  fc
    .array(anySpan, { minLength: 1, maxLength: most })
    .map((spans) =>
      spans.filter((one, index) =>
        spans
          .slice(0, index)
          .every(({ day, from, until }) => day !== one.day || until <= one.from || one.until <= from),
      ),
    );

test('in any zone and year, a time the clock skips is never offered, and a repeated one is offered once', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      date,
      weekOf(14),
      fc.constantFrom(10, 15, 20, 30, 45, 60),
      (timeZone, day, hoursOfWeek, slotMinutes) => {
        const now = clockOf(`${addDays(day, -3)}T12:00:00Z`, timeZone);
        const doctor = {
          isAvailable: true,
          ...doctorWith({ periods: [{ slotMinutes, bufferMinutes: 0, hours: hoursOfWeek }] }),
        };
        for (const shown of [-1, 0, 1].map((offset) => addDays(day, offset))) {
          const times = freeTimesOfDay(doctor, shown, nothingTaken, now);
          assert.deepEqual(
            times.filter((one) => !existsInClinic({ date: shown, time: one }, timeZone)),
            [],
          );
          const instants = times.map(
            (one) => Temporal.PlainDateTime.from(`${shown}T${one}`).toZonedDateTime(timeZone).epochMilliseconds,
          );
          assert.equal(new Set(instants).size, instants.length);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('every clock change of every zone: the skipped hour is not offered, the repeated one once', () => {
  const allDay = hoursFromTimes(Array.from({ length: 96 }, (_, quarter) => quartersAfter('00:00', quarter)));
  assert.ok(allDay);
  const doctor = { isAvailable: true, availableTimes: allDay.listedTimes, hours: allDay };
  const lengths = new Set<number>();
  for (const timeZone of zones) {
    let at = Temporal.ZonedDateTime.from(`2005-01-01T12:00[${timeZone}]`);
    while (at.year < 2035) {
      const next = at.getTimeZoneTransition('next');
      if (!next) break;
      at = next;
      const before = next.subtract({ nanoseconds: 1 });
      const skipped = Math.round((next.offsetNanoseconds - before.offsetNanoseconds) / 60e9);
      const day = (skipped > 0 ? before.add({ minutes: 1 }) : next).toPlainDate().toString();
      for (const shown of [addDays(day, -1), day, addDays(day, 1)]) {
        const times = freeTimesOfDay(doctor, shown, nothingTaken, clockOf(`${addDays(shown, -3)}T12:00:00Z`, timeZone));
        assert.equal(new Set(times).size, times.length);
        assert.deepEqual(
          times,
          allDay.listedTimes.filter((one) => existsInClinic({ date: shown, time: one }, timeZone)),
          `${timeZone} ${shown}`,
        );
        lengths.add(times.length);
      }
    }
  }
  // Days of 24, 23 and 23½ hours, and the day that Samoa skipped.
  assert.deepEqual(lengths, new Set([0, 92, 94, 96]));
});

test('what is offered can be booked and nothing else, in any zone', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      date,
      weekOf(10),
      fc.array(
        fc.record({
          ahead: fc.integer({ min: 0, max: 6 }),
          kind: fc.constantFrom('extra' as const, 'off' as const),
          span: anySpan,
        }),
        {
          maxLength: 4,
        },
      ),
      fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 2 }),
      time,
      (timeZone, day, hoursOfWeek, special, off, asked) => {
        const now = clockOf(`${day}T10:20:30Z`, timeZone);
        const exceptions = special.map(({ ahead, kind, span: { from, until, place } }) => ({
          date: addDays(now.today, ahead),
          kind,
          from,
          until,
          place,
        }));
        const doctor = {
          isAvailable: true,
          ...doctorWith(
            { periods: [{ slotMinutes: 30, bufferMinutes: 0, hours: hoursOfWeek }], exceptions },
            off.map((ahead) => addDays(now.today, ahead)),
          ),
        };
        for (let ahead = -1; ahead <= 7; ahead += 1) {
          const shown = addDays(now.today, ahead);
          const times = freeTimesOfDay(doctor, shown, nothingTaken, now);
          for (const one of times) assert.deepEqual(slotRejections(doctor, { date: shown, time: one }, now), []);
          if (!times.includes(asked))
            assert.notDeepEqual(slotRejections(doctor, { date: shown, time: asked }, now), []);
        }
      },
    ),
    { numRuns: 150 },
  );
});

/** The rule of the releases without weekly hours. */
function plainFreeTimes(
  doctor: { readonly availableTimes: readonly string[]; readonly daysOff: readonly string[] },
  day: string,
  taken: readonly string[],
  now: ClinicClock,
): string[] {
  const closed = isClosedOn(day, now.closed) || doctor.daysOff.includes(day);
  if (day < now.today || day > now.bookableUntil || closed) return [];
  const times = [...new Set(doctor.availableTimes)].sort();
  const length = lengthBetween(times);
  const start = (time: string): number => clinicInstant({ date: day, time }, now.timeZone).getTime() / 60_000;
  let end = -Infinity;
  return times
    .filter((one) => existsInClinic({ date: day, time: one }, now.timeZone))
    .filter((one) => {
      // Where the clock leaves an hour out, a time just after it can lie within the appointment before.
      if (start(one) < end) return false;
      end = start(one) + length;
      return true;
    })
    .filter((one) => !taken.includes(one) && !isPast({ date: day, time: one }, now));
}

test('doctors with plain times are free exactly as before, with and without the weekly hours made from them', () => {
  const minute = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, one]) => `${String(hour).padStart(2, '0')}:${String(one).padStart(2, '0')}`);
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      date,
      fc.array(fc.oneof(time, minute), { minLength: 1, maxLength: 24 }),
      fc.infiniteStream(fc.boolean()),
      (timeZone, day, availableTimes, choose) => {
        const now = clockOf(`${day}T10:20:30Z`, timeZone, 20);
        const taken = availableTimes.filter(() => choose.next().value);
        const daysOff = [addDays(now.today, 2)];
        const made = hoursFromTimes(availableTimes);
        assert.ok(made);
        assert.deepEqual(allTimes(made), [...new Set(availableTimes)].toSorted());
        const plain = { isAvailable: true, availableTimes, daysOff };
        // Nobody can have a time that the clock skips that day.
        const exists = (shown: string) => (time: string) => existsInClinic({ date: shown, time }, timeZone);
        const takenOn = (shown: string) => takenAt(shown, taken.filter(exists(shown)), 'PT1M', timeZone);
        for (const ahead of [-1, 0, 1, 2, 3, 20, 21]) {
          const shown = addDays(now.today, ahead);
          const expected = plainFreeTimes(plain, shown, taken, now);
          assert.deepEqual(freeTimesOfDay(plain, shown, takenOn(shown), now), expected);
          assert.deepEqual(freeTimesOfDay({ ...plain, hours: made }, shown, takenOn(shown), now), expected);
        }
      },
    ),
    { numRuns: 200 },
  );
});
