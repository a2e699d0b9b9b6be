// What the model (clinic-time.model.test.ts) has no other side for, or hardly ever draws.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ageOn,
  clinicInstant,
  clinicMoment,
  formatDate,
  formatShortDate,
  formatTime,
  minuteOf,
  minutesOfSpan,
  timeOf,
} from './clinic-time.ts';

test('the repeated hour is its first pass, and each instant of it is shown', () => {
  const repeated = { date: '2026-11-01', time: '01:30' };
  assert.equal(clinicInstant(repeated, 'America/New_York').toISOString(), '2026-11-01T05:30:00.000Z');
  assert.deepEqual(clinicMoment(new Date('2026-11-01T06:30:00Z'), 'America/New_York'), repeated);
});

test('an unknown time zone is rejected', () => {
  assert.throws(() => clinicMoment(new Date(), 'Mars/Olympus'), RangeError);
});

test('dates and times are formatted for people', () => {
  assert.deepEqual(
    [formatDate('2026-12-01'), formatShortDate('2026-12-01'), formatTime('09:30'), formatTime('00:00')],
    ['Tue, Dec 1, 2026', 'Dec 1, 2026', '9:30 AM', '12:00 AM'],
  );
});

test('who was born on 29 February is a year older on 1 March of common years', () => {
  const days = ['2026-02-28', '2026-03-01', '2028-02-28', '2028-02-29'];
  assert.deepEqual(
    days.map((day) => ageOn(day, '2024-02-29')),
    [1, 2, 3, 4],
  );
});

test('the day ends at 24:00, and times go on after midnight', () => {
  assert.equal(minuteOf('24:00'), 1_440);
  assert.deepEqual([0, 545, 1_440, 1_530].map(timeOf), ['00:00', '09:05', '24:00', '01:30']);
  assert.deepEqual(
    [minutesOfSpan({ from: '22:30', until: '01:30' }), minutesOfSpan({ from: '09:00', until: '24:00' })],
    [180, 900],
  );
});
