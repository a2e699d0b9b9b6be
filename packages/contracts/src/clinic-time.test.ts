import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, clinicMoment, formatDate, formatShortDate, formatTime, isBefore } from './clinic-time.ts';

test('an instant is told in the clinic’s time zone, across midnight and both changes of the clock', () => {
  assert.deepEqual(clinicMoment(new Date('2026-11-20T18:30:00Z'), 'Asia/Dhaka'), { date: '2026-11-21', time: '00:30' });
  assert.deepEqual(clinicMoment(new Date('2026-03-29T00:59:00Z'), 'Europe/London'), { date: '2026-03-29', time: '00:59' });
  assert.deepEqual(clinicMoment(new Date('2026-03-29T01:00:00Z'), 'Europe/London'), { date: '2026-03-29', time: '02:00' });
  assert.deepEqual(clinicMoment(new Date('2026-11-01T06:30:00Z'), 'America/New_York'), { date: '2026-11-01', time: '01:30' });
});

test('an unknown time zone is refused', () => {
  assert.throws(() => clinicMoment(new Date(), 'Mars/Olympus'), RangeError);
});

test('days are counted by the calendar', () => {
  assert.deepEqual([addDays('2026-02-28', 1), addDays('2028-02-28', 1), addDays('2026-01-01', -1)], ['2026-03-01', '2028-02-29', '2025-12-31']);
});

test('moments are compared as the clock shows them', () => {
  assert.equal(isBefore({ date: '2026-11-21', time: '09:30' }, { date: '2026-11-21', time: '10:00' }), true);
  assert.equal(isBefore({ date: '2026-11-21', time: '10:00' }, { date: '2026-11-21', time: '10:00' }), false);
});

test('dates and times are written as people read them', () => {
  assert.deepEqual([formatDate('2026-12-01'), formatShortDate('2026-12-01'), formatTime('09:30'), formatTime('00:00')], ['Tue, Dec 1, 2026', 'Dec 1, 2026', '9:30 AM', '12:00 AM']);
});
