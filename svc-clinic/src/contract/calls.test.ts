import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clinicCalls } from './calls.ts';

const { body } = clinicCalls.bookAppointment;
const booking = {
  patientname: 'Amina',
  patientemail: 'Amina@Mail.Example ',
  age: 35,
  address: '1 Lake Road',
  number: '+880 1555 010400',
  date: '2026-12-01',
  time: '09:30',
  doctorname: 'Dr. X',
  doctoremail: 'x@clinic.example',
  status: 'Confirmed',
};

const messages = (sent: unknown): string[] =>
  (body.safeParse(sent).error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);

test('a booking’s email addresses are lower-cased', () => {
  assert.equal(body.parse(booking).patientemail, 'amina@mail.example');
});

test('every missing field of a booking gets its fixed message', () => {
  assert.deepEqual(messages({ patientemail: booking.patientemail, doctoremail: booking.doctoremail }), [
    'patientname: Patient name is required',
    'age: Age is required',
    'address: Address is required',
    'number: Phone number is required',
    'date: Date is required',
    'time: Time is required',
  ]);
  assert.deepEqual(messages({ ...booking, age: 0 }), ['age: Age must be positive']);
});

test('a date that doesn’t exist is rejected', () => {
  assert.deepEqual(messages({ ...booking, date: '2026-02-30' }), ['date: Date must be a date (yyyy-mm-dd)']);
});
