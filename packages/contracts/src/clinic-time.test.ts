import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addDays,
  addMonths,
  ageOn,
  clinicInstant,
  clinicMoment,
  daysBetween,
  existsInClinic,
  formatDate,
  formatShortDate,
  formatTime,
  isBefore,
  minuteOf,
  minutesOfSpan,
  timeOf,
} from './clinic-time.ts';

test('an instant is shown in the clinic’s time zone, across midnight and both clock changes', () => {
  assert.deepEqual(clinicMoment(new Date('2026-11-20T18:30:00Z'), 'Asia/Dhaka'), { date: '2026-11-21', time: '00:30' });
  assert.deepEqual(clinicMoment(new Date('2026-03-29T00:59:00Z'), 'Europe/London'), {
    date: '2026-03-29',
    time: '00:59',
  });
  assert.deepEqual(clinicMoment(new Date('2026-03-29T01:00:00Z'), 'Europe/London'), {
    date: '2026-03-29',
    time: '02:00',
  });
  assert.deepEqual(clinicMoment(new Date('2026-11-01T06:30:00Z'), 'America/New_York'), {
    date: '2026-11-01',
    time: '01:30',
  });
});

test('a moment on the clinic’s clock maps to one instant, before and after both clock changes', () => {
  const at = (date: string, time: string, zone: string) =>
    clinicInstant({ date, time }, zone).toISOString().slice(0, 16);
  assert.equal(at('2026-11-21', '00:30', 'Asia/Dhaka'), '2026-11-20T18:30');
  assert.deepEqual(
    ['00:59', '02:00', '23:00'].map((time) => at('2026-03-29', time, 'Europe/London')),
    ['2026-03-29T00:59', '2026-03-29T01:00', '2026-03-29T22:00'],
  );
  assert.deepEqual(
    ['00:30', '01:30', '02:00'].map((time) => at('2026-10-25', time, 'Europe/London')),
    ['2026-10-24T23:30', '2026-10-25T00:30', '2026-10-25T02:00'],
  );
  assert.deepEqual(
    ['01:59', '03:00', '12:00'].map((time) => at('2026-03-08', time, 'America/New_York')),
    ['2026-03-08T06:59', '2026-03-08T07:00', '2026-03-08T16:00'],
  );
  assert.deepEqual(
    ['00:30', '01:30', '02:30'].map((time) => at('2026-11-01', time, 'America/New_York')),
    ['2026-11-01T04:30', '2026-11-01T05:30', '2026-11-01T07:30'],
  );
});

test('an hour skipped by the change to summer time isn’t on the clock', () => {
  const skipped = (date: string, time: string, zone: string) => !existsInClinic({ date, time }, zone);
  assert.deepEqual(
    ['00:59', '01:00', '01:59', '02:00'].map((time) => skipped('2026-03-29', time, 'Europe/London')),
    [false, true, true, false],
  );
  assert.deepEqual(
    ['01:59', '02:00', '02:59', '03:00'].map((time) => skipped('2026-03-08', time, 'America/New_York')),
    [false, true, true, false],
  );
  assert.equal(skipped('2026-10-25', '01:30', 'Europe/London'), false);
  assert.equal(skipped('2026-03-29', '01:30', 'Asia/Dhaka'), false);
});

test('every instant of a year round-trips; the repeated hour maps to its first pass', () => {
  for (const zone of ['Europe/London', 'America/New_York', 'Asia/Dhaka', 'Australia/Lord_Howe', 'Pacific/Apia']) {
    for (
      let instant = Date.parse('2026-01-01T00:00Z');
      instant < Date.parse('2027-01-01T00:00Z');
      instant += 15 * 60_000
    ) {
      const roundTripped = clinicInstant(clinicMoment(new Date(instant), zone), zone).getTime();
      const repeated = instant - roundTripped;
      assert.ok(
        repeated === 0 || repeated === 3_600_000 || repeated === 1_800_000,
        `${zone} ${new Date(instant).toISOString()} comes back as ${roundTripped}`,
      );
    }
  }
});

test('an unknown time zone is rejected', () => {
  assert.throws(() => clinicMoment(new Date(), 'Mars/Olympus'), RangeError);
});

test('days are added by the calendar', () => {
  assert.deepEqual(
    [addDays('2026-02-28', 1), addDays('2028-02-28', 1), addDays('2026-01-01', -1)],
    ['2026-03-01', '2028-02-29', '2025-12-31'],
  );
});

test('moments are compared by date and time', () => {
  assert.equal(isBefore({ date: '2026-11-21', time: '09:30' }, { date: '2026-11-21', time: '10:00' }), true);
  assert.equal(isBefore({ date: '2026-11-21', time: '10:00' }, { date: '2026-11-21', time: '10:00' }), false);
});

test('dates and times are formatted for people', () => {
  assert.deepEqual(
    [formatDate('2026-12-01'), formatShortDate('2026-12-01'), formatTime('09:30'), formatTime('00:00')],
    ['Tue, Dec 1, 2026', 'Dec 1, 2026', '9:30 AM', '12:00 AM'],
  );
});

test('an age is in full years', () => {
  assert.equal(ageOn('2026-11-22', '1990-11-22'), 36);
  assert.equal(ageOn('2026-11-21', '1990-11-22'), 35);
  assert.equal(ageOn('2026-02-28', '2024-02-29'), 1);
  assert.equal(ageOn('2026-03-01', '2024-02-29'), 2);
  assert.equal(ageOn('2026-11-22', '2026-11-01'), 0);
});

test('days and months are added as calendars do, and times of the day are minutes and back', () => {
  assert.deepEqual([addDays('2027-12-31', 1), addDays('2028-03-01', -1)], ['2028-01-01', '2028-02-29']);
  assert.deepEqual(
    [1, 2, 13, -2].map((months) => addMonths('2027-01-31', months)),
    ['2027-02-28', '2027-03-31', '2028-02-29', '2026-11-30'],
  );
  assert.equal(daysBetween('2027-02-27', '2027-03-02'), 3);
  assert.deepEqual(['00:00', '09:05', '24:00'].map(minuteOf), [0, 545, 1_440]);
  assert.deepEqual([0, 545, 1_440, 1_530].map(timeOf), ['00:00', '09:05', '24:00', '01:30']);
  assert.deepEqual(
    [minutesOfSpan({ from: '22:30', until: '01:30' }), minutesOfSpan({ from: '09:00', until: '24:00' })],
    [180, 900],
  );
});
