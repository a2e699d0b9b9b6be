import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumedVisit } from './visit.ts';

const listedTimes = ['09:00', '09:20', '18:00'];
const doctor = {
  location: 'Level 3',
  availableTimes: listedTimes,
  // A Monday.
  daysOff: ['2027-03-08'],
  hours: {
    periods: [
      {
        until: '2027-03-31',
        slotMinutes: 20,
        bufferMinutes: 10,
        hours: [{ day: 'Monday', from: '09:00', until: '10:00', place: '' }],
      },
      {
        from: '2027-04-01',
        slotMinutes: 45,
        bufferMinutes: 0,
        hours: [{ day: 'Monday', from: '09:00', until: '10:00', place: 'Branch' }],
      },
    ],
    exceptions: [{ date: '2027-03-02', kind: 'extra', from: '18:00', until: '19:00', place: 'Annexe' }],
    listedTimes,
  },
} as const;

test('a visit has the length and place of its slot', () => {
  assert.deepEqual(assumedVisit(doctor, { date: '2027-03-01', time: '09:30' }), { minutes: 20, place: 'Level 3' });
  assert.deepEqual(assumedVisit(doctor, { date: '2027-04-05', time: '09:00' }), { minutes: 45, place: 'Branch' });
  assert.deepEqual(assumedVisit(doctor, { date: '2027-03-02', time: '18:00' }), { minutes: 20, place: 'Annexe' });
});

test('one on a day off or outside the hours has the period’s length and the usual place', () => {
  assert.deepEqual(assumedVisit(doctor, { date: '2027-03-08', time: '09:00' }), { minutes: 20, place: 'Level 3' });
  assert.deepEqual(assumedVisit(doctor, { date: '2027-04-06', time: '13:00' }), { minutes: 45, place: 'Level 3' });
});

test('at plain times it lasts until the next at most, and half an hour without a profile', () => {
  const plain = { location: 'Level 3', availableTimes: ['09:00'] };
  const close = { location: 'Level 3', availableTimes: ['09:00', '09:20', '18:00'] };
  assert.deepEqual(assumedVisit(close, { date: '2027-03-01', time: '18:00' }), { minutes: 20, place: 'Level 3' });
  assert.deepEqual(assumedVisit(plain, { date: '2027-03-01', time: '09:00' }), { minutes: 30, place: 'Level 3' });
  assert.deepEqual(assumedVisit(undefined, { date: '2027-03-01', time: '09:00' }), { minutes: 30, place: '' });
});
