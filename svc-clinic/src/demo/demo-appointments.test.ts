import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import { demoAccounts, demoDoctors } from '@clinic/demo-data';
import { appointmentStatuses } from '../contract/transitions.ts';
import { demoAppointments } from './demo-appointments.ts';

const today = '2026-12-31';
const appointments = demoAppointments(today);

test('forty appointments within three weeks of today, with every status', () => {
  assert.equal(appointments.length, 40);
  for (const { date } of appointments) assert.ok(date >= addDays(today, -21) && date <= addDays(today, 21), date);
  for (const status of appointmentStatuses)
    assert.ok(appointments.filter((one) => one.status === status).length >= 5, status);
  assert.ok(appointments.some(({ date }) => date < today) && appointments.some(({ date }) => date > today));
});

test('the same day gives the same appointments', () => {
  assert.deepEqual(demoAppointments(today), appointments);
});

test('no slot is used twice, and only listed times', () => {
  const slots = appointments.map(({ doctorEmail, date, time }) => `${doctorEmail} ${date} ${time}`);
  assert.equal(new Set(slots).size, slots.length);
  for (const { doctorEmail, time } of appointments) {
    const times = demoDoctors.find(({ email }) => email === doctorEmail)?.availableTimes ?? [];
    assert.ok(times.length === 0 || times.includes(time), `${doctorEmail} ${time}`);
  }
});

test('the demo doctor and patient have several around today, some pending', () => {
  for (const who of [demoAccounts.doctor, demoAccounts.patient]) {
    const own = appointments.filter(({ doctorEmail, patientEmail }) => doctorEmail === who || patientEmail === who);
    assert.ok(own.length >= 8);
    assert.ok(own.some(({ date }) => date === today) && own.some(({ date }) => date === addDays(today, 1)));
    assert.ok(own.some(({ status, date }) => status === 'Pending' && date >= today));
  }
});
