import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clinicClock } from '../clinic-clock.ts';
import { freeTimesOfDay } from './free-times.ts';
import { timeTaken } from './promise.ts';
import { nothingTaken, TakenTime } from './taken-times.ts';

const doctor = { isAvailable: true, availableTimes: ['14:00', '09:00', '09:30', '09:00'] };
const rules = { CLINIC_TZ: 'Asia/Dhaka', CLINIC_BOOKING_HORIZON_DAYS: 90 };
const now = clinicClock(rules, new Date('2026-03-10T03:15:40Z'));
const taken = (time: string, duration: string) =>
  new TakenTime([timeTaken({ date: '2026-03-11', time, duration }, 'Asia/Dhaka')]);

test('offers the listed times of a future day in ascending order, each once', () => {
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-11', nothingTaken, now), ['09:00', '09:30', '14:00']);
});

test('leaves out times held by appointments', () => {
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-11', taken('09:30', 'PT30M'), now), ['09:00', '14:00']);
});

test('leaves out times of today that have passed', () => {
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-10', nothingTaken, now), ['09:30', '14:00']);
});

test('offers nothing on a past day, nor for an unavailable doctor', () => {
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-09', nothingTaken, now), []);
  assert.deepEqual(freeTimesOfDay({ ...doctor, isAvailable: false }, '2026-03-11', nothingTaken, now), []);
  assert.deepEqual(freeTimesOfDay({ isAvailable: true, availableTimes: [] }, '2026-03-09', nothingTaken, now), []);
});

test('offers nothing on a weekday on which the clinic is closed', () => {
  const closed = clinicClock(rules, now.now, ['Friday']);
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-13', nothingTaken, closed), []);
  assert.deepEqual(freeTimesOfDay(doctor, '2026-03-14', nothingTaken, closed), ['09:00', '09:30', '14:00']);
});

test('offers nothing after the last bookable day, listed times or not', () => {
  assert.deepEqual(freeTimesOfDay(doctor, '2026-06-08', nothingTaken, now), ['09:00', '09:30', '14:00']);
  assert.deepEqual(freeTimesOfDay(doctor, '2026-06-09', nothingTaken, now), []);
  assert.deepEqual(freeTimesOfDay({ isAvailable: true, availableTimes: [] }, '2026-06-09', nothingTaken, now), []);
});

test('a doctor without hours is closed', () => {
  assert.deepEqual(freeTimesOfDay({ isAvailable: true, availableTimes: [] }, '2026-03-11', nothingTaken, now), []);
});

test('an appointment takes every time that it reaches into, by its own length', () => {
  const free = (time: string, duration: string) => freeTimesOfDay(doctor, '2026-03-11', taken(time, duration), now);
  assert.deepEqual(free('09:00', 'PT31M'), ['14:00']);
  assert.deepEqual(free('08:30', 'PT30M'), ['09:00', '09:30', '14:00']);
  assert.deepEqual(free('08:31', 'PT30M'), ['09:30', '14:00']);
  assert.deepEqual(free('08:00', 'PT480M'), []);
  assert.deepEqual(free('10:00', 'PT240M'), ['09:00', '09:30', '14:00']);
});
