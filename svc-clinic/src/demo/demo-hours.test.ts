import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { demoDoctors, fullyBookedDoctor } from '@clinic/demo-data';
import { clinicClock } from '../clinic-clock.ts';
import { scheduleFaults } from '../schedule/schedule-faults.ts';
import { workingDay } from '../schedule/working-times.ts';
import { demoHours, worksEveryDay } from './demo-hours.ts';
import { demoWaitlist, fullyBooked } from './fully-booked.ts';

const today = '2026-12-31';
const clock = clinicClock({ CLINIC_TZ: 'Asia/Dhaka', CLINIC_BOOKING_HORIZON_DAYS: 90 }, new Date(`${today}T00:00:00Z`));
const week = Array.from({ length: 7 }, (_, day) => addDays(today, day));

const hoursOfAll = demoDoctors.map((doctor) => ({ doctor, hours: demoHours(doctor, today) }));

test('nearly all can be booked at their listed times every day, as journeys and tests expect', () => {
  const everyDay = hoursOfAll.filter(({ doctor }) => worksEveryDay(doctor));
  assert.equal(everyDay.length, demoDoctors.length - 4);
  for (const { doctor, hours } of everyDay) {
    for (const date of week) {
      const times = workingDay(hours, date, clock).slots.map(({ time }) => time);
      assert.deepEqual(
        doctor.availableTimes.filter((time) => !times.includes(time)),
        [],
        `${doctor.name} ${date}`,
      );
    }
  }
});

test('some work longer or elsewhere on some days, two have a week of their own, and two have leave', () => {
  const daysOf = (email: string): number => {
    const found = hoursOfAll.find(({ doctor }) => doctor.email === email)?.hours;
    return found ? week.filter((date) => workingDay(found, date, clock).slots.length > 0).length : 0;
  };
  assert.deepEqual([daysOf(fullyBookedDoctor), daysOf('mei.tanaka@clinic.example')], [2, 4]);
  const elsewhere = hoursOfAll.filter(({ hours: { hours } }) =>
    hours?.periods.some((period) => period.hours.some(({ place }) => place)),
  );
  assert.equal(elsewhere.length, 3);
  assert.deepEqual(
    hoursOfAll.flatMap(({ hours: { daysOff } }) => (daysOff ? [[daysOff[0], daysOff.at(-1)]] : [])),
    [
      [addDays(today, 21), addDays(today, 27)],
      [addDays(today, -4), addDays(today, 9)],
    ],
  );
});

test('one doctor is fully booked for all planned hours, and patients wait', () => {
  const doctor = hoursOfAll.find(({ doctor: { email } }) => email === fullyBookedDoctor) ?? assert.fail();
  const booked = fullyBooked(clock);
  const slots = new Set(booked.map(({ date, time }) => `${date} ${time}`));
  assert.deepEqual(
    [booked.length, slots.size, new Set(booked.map(({ patientEmail }) => patientEmail)).size],
    [32, 32, 32],
  );
  const free = Array.from({ length: 91 }, (_, day) => addDays(today, day)).flatMap((date) =>
    workingDay(doctor.hours, date, clock).slots.filter(({ time }) => !slots.has(`${date} ${time}`)),
  );
  assert.deepEqual(free, []);
  const waiting = demoWaitlist(clock);
  assert.equal(new Set(waiting.map(({ patientId }) => patientId)).size, 5);
  for (const { from, until } of waiting) assert.ok(today <= from && from < until && until <= clock.bookableUntil);
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
    assert.deepEqual(scheduleFaults(draft, today, draft), [], doctor.name);
  }
});
