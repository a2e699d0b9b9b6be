import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObjectId } from 'mongodb';
import { storedAppointment } from '../testing/test-clinic.ts';
import { calendarFile } from './calendar-file.ts';

const record = storedAppointment({
  _id: new ObjectId('a'.repeat(24)),
  patientName: 'Ann, Lee; "A"\nBEGIN:VALARM',
  doctorName: 'Dr. 😀 Grey',
  date: '2027-07-01',
  time: '23:45',
  bookedAt: new Date('2026-11-20T10:00:00Z'),
});
const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

test('has the time zone with its rules, and the slot in the clinic’s time', () => {
  const lines = linesOf(calendarFile({ ...record, duration: 'PT45M' }, 'Europe/London'));
  for (const line of [
    'BEGIN:VTIMEZONE',
    'TZID:Europe/London',
    'BEGIN:DAYLIGHT',
    'METHOD:PUBLISH',
    'UID:aaaaaaaaaaaaaaaaaaaaaaaa@appointments.clinic',
    'SEQUENCE:0',
    'DTSTART;TZID=Europe/London:20270701T234500',
    'DURATION:PT45M',
    'DTSTAMP:20261120T100000Z',
    'SUMMARY:Appointment with Dr. 😀 Grey',
    'LOCATION:Level 3',
    'STATUS:CONFIRMED',
  ])
    assert.ok(lines.includes(line), `${line} is not in\n${lines.join('\n')}`);
  assert.ok(!lines.includes('BEGIN:VALARM'), 'a name became a line of its own');
});

test('lines end with CRLF and have at most 75 octets', () => {
  const lines = calendarFile({ ...record, doctorName: 'Дж😀'.repeat(50) }, 'America/New_York').split('\r\n');
  assert.deepEqual(
    lines.filter((line) => Buffer.byteLength(line) > 75 || line.includes('\n')),
    [],
  );
});

test('a moved or cancelled appointment replaces the one in the calendar', () => {
  const moved = linesOf(
    calendarFile({ ...record, status: 'Cancelled', sequence: 3, date: '2027-07-02' }, 'Asia/Dhaka'),
  );
  for (const line of [
    'UID:aaaaaaaaaaaaaaaaaaaaaaaa@appointments.clinic',
    'SEQUENCE:3',
    'STATUS:CANCELLED',
    'DTSTART;TZID=Asia/Dhaka:20270702T234500',
  ])
    assert.ok(moved.includes(line), line);
});

for (const [zone, name] of [
  ['+06:00', 'UTC+0600'],
  ['-0330', 'UTC-0330'],
  ['+06', 'UTC+0600'],
  ['UTC', 'Etc/UTC'],
  ['europe/london', 'europe/london'],
  // Time zones that share their rules with another name.
  ['Europe/Amsterdam', 'Europe/Amsterdam'],
  ['Asia/Dhaka', 'Asia/Dhaka'],
] as const) {
  test(`a clinic in ${zone} has one VTIMEZONE, whose name the event uses`, () => {
    const lines = linesOf(calendarFile(record, zone));
    assert.deepEqual(
      lines.filter((line) => line.startsWith('TZID:')),
      [`TZID:${name}`],
    );
    assert.equal(lines.filter((line) => line === 'BEGIN:VTIMEZONE').length, 1);
    assert.ok(lines.includes(`DTSTART;TZID=${name}:20270701T234500`), lines.join('\n'));
    if (name.startsWith('UTC'))
      assert.deepEqual(
        lines.filter((line) => line.startsWith('TZOFFSET')),
        [`TZOFFSETFROM:${name.slice(3)}`, `TZOFFSETTO:${name.slice(3)}`],
      );
  });
}

test('every zone that the settings accept has its rules in the file, under its own name', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const lines = linesOf(calendarFile(record, zone));
    assert.deepEqual(
      lines.filter((line) => line.startsWith('TZID:')),
      [`TZID:${zone}`],
    );
    assert.ok(
      lines.some((line) => line.startsWith('TZOFFSETTO:')),
      zone,
    );
  }
});

test('a visit lasts half an hour even if the clocks go back during it', () => {
  // At 2:00 it becomes 1:00; an end of 1:15 would lie before the start.
  const lines = linesOf(calendarFile({ ...record, date: '2027-10-31', time: '01:45' }, 'Europe/London'));
  assert.ok(lines.includes('DTSTART;TZID=Europe/London:20271031T014500'));
  assert.deepEqual(
    lines.filter((line) => line.startsWith('DTEND') || line.startsWith('DURATION')),
    ['DURATION:PT30M'],
  );
  const event = lines.slice(lines.indexOf('BEGIN:VEVENT'), lines.indexOf('END:VEVENT'));
  assert.ok(event.includes('DURATION:PT30M'), 'the duration is outside of the event');
});
