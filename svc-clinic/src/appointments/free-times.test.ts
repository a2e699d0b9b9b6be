import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clinicClock } from '../clinic-clock.ts';
import { freeTimesOfDay } from './free-times.ts';

const doctor = { isAvailable: true, availableTimes: ['14:00', '09:00', '09:30', '09:00'] };
const rules = { CLINIC_TZ: 'Asia/Dhaka', CLINIC_BOOKING_HORIZON_DAYS: 90 };
const now = clinicClock(rules, new Date('2026-03-10T03:15:40Z'));

test('offers the listed times of a future day in ascending order, each once', () => {
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-11', [], now), {
    times: ['09:00', '09:30', '14:00'],
    anyTime: false,
  });
});

test('leaves out times held by appointments', () => {
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-11', ['09:30'], now).times, ['09:00', '14:00']);
});

test('leaves out times of today that have passed', () => {
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-10', [], now).times, ['09:30', '14:00']);
});

test('offers nothing on a past day, nor for an unavailable doctor', () => {
  const nothing = { times: [], anyTime: false };
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-09', [], now), nothing);
  assert.deepEqual(freeTimesOfDay({ ...doctor, isAvailable: false }, '2026-03-11', [], now), nothing);
  assert.deepEqual(freeTimesOfDay({ isAvailable: true, availableTimes: [] }, '2026-03-09', [], now), nothing);
});

test('offers nothing on a weekday on which the clinic is closed', () => {
  const closed = clinicClock(rules, now.now, ['Friday']);
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-13', [], closed), { times: [], anyTime: false });
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-14', [], closed).times, ['09:00', '09:30', '14:00']);
});

test('offers nothing after the last bookable day, listed times or not', () => {
  const nothing = { times: [], anyTime: false };
  assert.deepEqual(freeTimesOfDay(doctor, '2026-06-08', [], now).times, ['09:00', '09:30', '14:00']);
  assert.deepEqual(freeTimesOfDay(doctor, '2026-06-09', [], now), nothing);
  assert.deepEqual(freeTimesOfDay({ isAvailable: true, availableTimes: [] }, '2026-06-09', [], now), nothing);
});

test('a doctor without listed times accepts any', () => {
  assert.deepEqual(freeTimesOfDay({ isAvailable: true, availableTimes: [] }, '2026-03-11', ['10:00'], now), {
    times: [],
    anyTime: true,
  });
});
