import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { demoDoctors } from '@clinic/demo-data';
import { clinicClock } from '../clinic-clock.ts';
import { scheduleFaults } from '../schedule/schedule-faults.ts';
import { workingDay } from '../schedule/working-times.ts';
import { demoHours } from './demo-hours.ts';

const today = '2026-12-31';
const clock = clinicClock({ CLINIC_TZ: 'Asia/Dhaka', CLINIC_BOOKING_HORIZON_DAYS: 90 }, new Date(`${today}T00:00:00Z`));
const week = Array.from({ length: 7 }, (_, day) => addDays(today, day));

test('every demo doctor can be booked at their listed times every day, as journeys and tests expect', () => {
  for (const doctor of demoDoctors) {
    const scheduled = demoHours(doctor, today);
    for (const date of week) {
      const times = workingDay(scheduled, date, clock).slots.map(({ time }) => time);
      assert.deepEqual(
        doctor.availableTimes.filter((time) => !times.includes(time)),
        [],
        `${doctor.name} ${date}`,
      );
    }
  }
});

test('some also work in the evening or on a Saturday, elsewhere, and one is on leave', () => {
  const all = demoDoctors.map((doctor) => demoHours(doctor, today));
  const elsewhere = all.filter(({ hours }) => hours?.periods.some((period) => period.hours.some(({ place }) => place)));
  assert.equal(elsewhere.length, 3);
  assert.deepEqual(
    all.flatMap(({ daysOff = [] }) => (daysOff.length > 0 ? [[daysOff.length, daysOff[0]]] : [])),
    [[14, addDays(today, 14)]],
  );
});

test('every demo schedule could be saved by its editor', () => {
  for (const doctor of demoDoctors) {
    const { hours } = demoHours(doctor, today);
    if (!hours) continue;
    const draft = {
      periods: hours.periods.map((period) => ({ ...period, hours: [...period.hours] })),
      exceptions: [],
      daysOff: [],
    };
    assert.deepEqual(scheduleFaults(draft), [], doctor.name);
  }
});
