import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, type CallBody } from '@clinic/contracts';
import type { ClinicCalendar } from '../contract/calendar-calls.ts';
import { calendarLimits } from '../contract/limits.ts';
import type { Schedule } from '../contract/schedule-schemas.ts';
import { clinicCalls } from '../contract/calls.ts';
import { weekdays } from '@clinic/contracts/opening-days';
import { ann, drGrey, drHouse } from '../testing/people.ts';
import { sharedClinic, storedAppointment, verdict, type Who } from '../testing/test-clinic.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

let doctor: string;
const clinic = await sharedClinic();
beforeEach(async () => {
  await clinic.empty('appointments', 'doctors');
  await clinic.db.collection('holidays').updateMany({}, { $set: { list: [] } });
  doctor = (await clinic.addDoctor())._id.toHexString();
});

const ask = (who: Who, query: Readonly<Record<string, string>>): Promise<Response> =>
  clinic.as(who)(`/doctors/calendar?${String(new URLSearchParams(query))}`);
async function read(who: Who, query: Readonly<Record<string, string>>): Promise<ClinicCalendar> {
  return clinicCalls.getClinicCalendar.response.parse(await readJson(ask(who, query), 200));
}
const ofDoctor = (from = clinic.soon, until = from) => ({ doctor, from, until });

async function schedule(fields: Partial<CallBody<'changeSchedule'>>): Promise<void> {
  const path = `/doctors/${doctor}/schedule`;
  const present = (await (await clinic.as(drGrey)(path)).json()) as Schedule;
  assert.equal((await clinic.as(drGrey)(path, { method: 'PATCH', json: { ...present, ...fields } })).status, 200);
}

test('a day has its hours, blocks, times and appointments with their ends', async () => {
  const date = clinic.soon;
  await schedule({
    periods: [
      {
        slotMinutes: 40,
        bufferMinutes: 5,
        hours: weekdays.map((day) => ({ day, from: '09:00', until: '12:00', place: 'Room 2' })),
      },
    ],
    exceptions: [{ date, kind: 'off', from: '10:00', until: '10:30', place: '' }],
  });
  await clinic.book();
  const cancelled = await clinic.book({ time: '11:15' });
  await clinic.setStatus('admin', cancelled._id, 'Cancelled');
  const { doctors, appointments, more, complete } = await read(drGrey, ofDoctor());
  assert.deepEqual([more, complete], [false, true]);
  assert.deepEqual(doctors[0]?.days, [
    {
      date,
      hours: [{ from: '09:00', until: '12:00', place: 'Room 2' }],
      off: [{ from: '10:00', until: '10:30' }],
      blocks: [{ from: '10:00', until: '10:30', exception: { date, from: '10:00', until: '10:30' } }],
      slots: [
        { time: '09:00', until: '09:40', free: false },
        { time: '10:30', until: '11:10', free: true },
        { time: '11:15', until: '11:55', free: true },
      ],
    },
  ]);
  assert.deepEqual(
    appointments.map(({ time, ends, patientname, status, outside, you }) => [
      time,
      ends,
      patientname,
      status,
      outside,
      you,
    ]),
    [['09:00', '09:40', 'Ann Lee', 'Pending', false, ['doctor']]],
  );
});

test('blocked time across midnight is in both days, with the exception that it is part of', async () => {
  const date = clinic.soon;
  const exception = { date, from: '22:30', until: '01:30' };
  await schedule({
    periods: [
      {
        slotMinutes: 60,
        bufferMinutes: 0,
        hours: weekdays.map((day) => ({ day, from: '20:30', until: '02:30', place: '' })),
      },
    ],
    exceptions: [{ ...exception, kind: 'off', place: '' }],
  });
  const { doctors } = await read(drGrey, ofDoctor(date, addDays(date, 1)));
  assert.deepEqual(
    doctors[0]?.days.map(({ off, blocks }) => [off, blocks]),
    [
      [[{ from: '22:30', until: '01:30' }], [{ from: '22:30', until: '24:00', exception }]],
      [[], [{ from: '00:00', until: '01:30', exception }]],
    ],
  );
  const times = (index: number) => doctors[0]?.days[index]?.slots.map(({ time }) => time);
  assert.deepEqual(
    [times(0), times(1)],
    [
      ['00:30', '01:30', '20:30', '21:30'],
      ['01:30', '20:30', '21:30', '22:30', '23:30'],
    ],
  );
});

test('days off and holidays have a reason and no hours; what is booked on them is marked', async () => {
  await clinic.book();
  await schedule({ daysOff: [clinic.soon] });
  const holiday = addDays(clinic.soon, 1);
  await clinic.as('admin')('/doctors/holidays', {
    method: 'POST',
    json: { name: 'Victory Day', from: holiday, until: holiday },
  });
  const { doctors, appointments } = await read('admin', ofDoctor(clinic.soon, holiday));
  assert.deepEqual(doctors[0]?.days, [
    { date: clinic.soon, closed: 'day off', hours: [], off: [], blocks: [], slots: [] },
    { date: holiday, closed: 'holiday', holiday: 'Victory Day', hours: [], off: [], blocks: [], slots: [] },
  ]);
  assert.deepEqual(
    appointments.map(({ ends, outside }) => [ends, outside]),
    [['09:30', true]],
  );
});

test('only the doctor and admins see a calendar, and only admins all of them', async () => {
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
  for (const who of [ann, drHouse, 'pharmacist'] as const)
    assert.equal(await verdict(ask(who, ofDoctor())), '403 forbidden');
  assert.equal(await verdict(clinic.anonymous('/doctors/calendar')), '401 unauthenticated');
  const all = { from: clinic.soon, until: clinic.soon };
  assert.equal(await verdict(ask(drGrey, all)), '403 forbidden');
  const { doctors } = await read('admin', all);
  assert.deepEqual(
    doctors.map(({ name }) => name),
    ['Dr. House', 'Dr. Meredith Grey'],
  );
  assert.equal(await verdict(ask('admin', { ...ofDoctor(), doctor: 'a'.repeat(24) })), '404 not_found');
});

test('the period is limited to 7 days of one doctor, or one day of all', async () => {
  const from = clinic.soon;
  await read('admin', ofDoctor(from, addDays(from, calendarLimits.days - 1)));
  for (const query of [
    ofDoctor(from, addDays(from, calendarLimits.days)),
    ofDoctor(from, addDays(from, -1)),
    { from, until: addDays(from, 1) },
  ])
    assert.equal(await verdict(ask('admin', query)), '400 validation_failed');
});

test('all doctors come in pages, by name', async () => {
  await clinic.doctors.deleteMany({});
  const names = Array.from(
    { length: calendarLimits.doctors + 2 },
    (_, index) => `Dr. ${String(index).padStart(3, '0')}`,
  );
  for (const name of names) await clinic.addDoctor({ name, email: `${name.slice(4)}@clinic.example` });
  const day = { from: clinic.soon, until: clinic.soon };
  const first = await read('admin', day);
  const second = await read('admin', { ...day, after: first.doctors.at(-1)?._id ?? '' });
  assert.deepEqual([first.more, second.more], [true, false]);
  assert.deepEqual(
    [...first.doctors, ...second.doctors].map(({ name }) => name),
    names,
  );
});

test('more appointments than one response holds are cut, and the response is marked', async () => {
  const days = Array.from({ length: calendarLimits.days }, (_, index) => addDays(clinic.soon, index));
  const two = (number: number): string => String(number).padStart(2, '0');
  const records = days.flatMap((date) =>
    Array.from({ length: 300 }, (_, minute) =>
      storedAppointment(
        { date, time: `${two(9 + Math.floor(minute / 60))}:${two(minute % 60)}`, status: 'Pending' },
        { minutes: 1 },
      ),
    ),
  );
  await clinic.appointments.insertMany(records);
  const { appointments, complete } = await read('admin', ofDoctor(clinic.soon, days.at(-1)));
  assert.deepEqual([appointments.length, complete], [calendarLimits.appointments, false]);
});
