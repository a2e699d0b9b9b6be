import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clinicClock, forStaff, type ClinicClock } from '../clinic-clock.ts';
import { slotRejections } from './requested-slot.ts';

const doctor = { isAvailable: true, availableTimes: ['09:00', '09:30'] };
const rules = { CLINIC_TZ: 'Asia/Dhaka', CLINIC_BOOKING_HORIZON_DAYS: 90 };
const now = clinicClock(rules, new Date('2026-03-10T03:15:40Z'));
const fields = (...args: Parameters<typeof slotRejections>) => slotRejections(...args).map(({ field }) => field);

test('accepts a listed time in the future', () => {
  assert.deepEqual(slotRejections(doctor, { date: '2026-03-10', time: '09:30' }, now), []);
  assert.deepEqual(slotRejections(doctor, { date: '2026-03-11', time: '09:00' }, now), []);
});

test('accepts the current minute', () => {
  assert.deepEqual(
    slotRejections(doctor, { date: '2026-03-10', time: '09:00' }, clinicClock(rules, new Date('2026-03-10T03:00:59Z'))),
    [],
  );
});

test('names the field at fault', () => {
  assert.deepEqual(fields(null, { date: '2026-03-11', time: '09:00' }, now), ['doctoremail']);
  assert.deepEqual(fields({ ...doctor, isAvailable: false }, { date: '2026-03-11', time: '09:00' }, now), [
    'doctoremail',
  ]);
  assert.deepEqual(fields(doctor, { date: '2026-03-09', time: '09:30' }, now), ['date']);
  assert.deepEqual(fields(doctor, { date: '2026-03-10', time: '09:00' }, now), ['time']);
  assert.deepEqual(fields(doctor, { date: '2026-03-11', time: '09:15' }, now), ['time']);
});

test('rejects a weekday on which the clinic is closed', () => {
  const closed = clinicClock(rules, now.now, ['Friday']);
  assert.deepEqual(slotRejections(doctor, { date: '2026-03-13', time: '09:00' }, closed), [
    { field: 'date', message: 'The clinic is closed on this day' },
  ]);
  assert.deepEqual(slotRejections(doctor, { date: '2026-03-14', time: '09:00' }, closed), []);
});

test('accepts the last bookable day and rejects the day after', () => {
  assert.deepEqual(slotRejections(doctor, { date: '2026-06-08', time: '09:00' }, now), []);
  assert.deepEqual(slotRejections(doctor, { date: '2026-06-09', time: '09:00' }, now), [
    { field: 'date', message: 'You can book until Mon, Jun 8, 2026' },
  ]);
});

test('a doctor without hours is closed', () => {
  assert.deepEqual(
    slotRejections({ isAvailable: true, availableTimes: [] }, { date: '2026-03-11', time: '03:07' }, now),
    [{ field: 'doctoremail', message: 'This doctor has no hours yet' }],
  );
});

test('the public books within the opening hours, except emergency medicine; staff also outside', () => {
  const open = clinicClock({ ...rules, CLINIC_OPENING_HOURS: { from: '08:00', until: '20:00' } }, now.now);
  const late = { isAvailable: true, availableTimes: ['07:30', '07:45', '08:00', '19:45', '19:50', '20:00'] };
  const booked = (clock: ClinicClock, specialization: string) =>
    late.availableTimes.filter(
      (time) => slotRejections({ ...late, specialization }, { date: '2026-03-11', time }, clock).length === 0,
    );
  // Each lasts five minutes, the least time between two of them.
  assert.deepEqual(booked(open, 'Cardiologist'), ['08:00', '19:45', '19:50']);
  assert.deepEqual(booked(open, 'Emergency Medicine'), late.availableTimes);
  assert.deepEqual(booked(forStaff(open), 'Cardiologist'), late.availableTimes);
});
