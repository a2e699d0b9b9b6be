import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import type { CalendarAppointment, ClinicCalendar } from '../contract/calendar-calls.ts';
import type { OutsideAppointment } from '../contract/schedule-schemas.ts';
import { weekdays } from '@clinic/contracts/opening-days';
import { ann, ben, drGrey } from '../testing/people.ts';
import { verdict } from '../testing/test-clinic.ts';
import { change, clinic, freeOn, openClinicOfDrGrey, path, period, read } from '../testing/test-schedule.ts';

openClinicOfDrGrey();

const at = (place: string, slotMinutes: number, from = '09:00', until = '12:00') => ({
  slotMinutes,
  bufferMinutes: 0,
  hours: weekdays.map((day) => ({ day, from, until, place })),
});
const fileOf = async (id: string): Promise<string> => (await clinic.as(ann)(`/appoinments/${id}/calendar`)).text();
const mails = () => clinic.db.collection('outbox').countDocuments({});

test('other hours change neither length nor place of a booked visit, and sell none of its time to others', async () => {
  await change({ periods: [at('', 60)] });
  const visit = await clinic.book();
  assert.deepEqual([visit.minutes, visit.place], [60, 'Level 3']);
  const [file, sent] = [await fileOf(visit._id), await mails()];
  const { outside } = await change({ periods: [at('Branch', 30)] });
  assert.deepEqual(
    outside.map(({ _id, why, promised, now }) => [_id, why, promised, now]),
    [[visit._id, ['length', 'place'], { minutes: 60, place: 'Level 3' }, { minutes: 30, place: 'Branch' }]],
  );
  assert.equal(await fileOf(visit._id), file);
  assert.equal(await mails(), sent);
  assert.deepEqual((await freeOn(clinic.soon)).slice(0, 2), ['10:00', '10:30']);
  for (const time of ['09:00', '09:30'])
    assert.equal(await verdict(clinic.requestBooking(ben, { patientemail: ben.email, time })), '409 slot_taken');
  const week = await clinic.as(drGrey)(
    `/doctors/calendar?doctor=${path.slice('/doctors/'.length)}&from=${clinic.soon}&until=${clinic.soon}`,
  );
  const { appointments } = (await week.json()) as { appointments: CalendarAppointment[] };
  assert.deepEqual(
    appointments.map(({ time, ends, outside: misfits }) => [time, ends, misfits]),
    [['09:00', '10:00', true]],
  );
});

test('staff keep it as promised, or give it what the hours have now with a message and a higher sequence', async () => {
  await change({ periods: [at('', 60)] });
  const visit = await clinic.book();
  await change({ periods: [at('Branch', 30)] });
  const settle = (decision: object) =>
    clinic.as(drGrey)(`/appoinments/${visit._id}/outside`, {
      method: 'PATCH',
      json: { seen: { doctoremail: drGrey.email, date: visit.date, time: visit.time }, decision },
    });
  const sent = await mails();
  assert.equal((await settle({ act: 'keep' })).status, 200);
  assert.equal(await mails(), sent);
  const listed = async () =>
    ((await (await clinic.as(drGrey)(`${path}/outside-times`)).json()) as OutsideAppointment[]).length;
  assert.equal(await listed(), 0);
  await clinic.appointments.updateOne({}, { $unset: { keptAt: '' } });
  assert.equal(await listed(), 1);
  const move = { act: 'move', date: visit.date, time: visit.time, patientChoice: 'agreed' };
  assert.equal((await settle(move)).status, 200);
  const [own] = (await (await clinic.as(ann)(`/appoinments?email=${ann.email}`)).json()) as Appointment[];
  assert.deepEqual([own?.minutes, own?.place, own?.time], [30, 'Branch', '09:00']);
  assert.match(await fileOf(visit._id), /SEQUENCE:1\r\n/);
  assert.equal(await mails(), sent + 1);
  assert.deepEqual(await freeOn(visit.date).then((times) => times[0]), '09:30');
});

test('a move takes the length and place of its new time', async () => {
  await change({ periods: [at('', 60)], exceptions: [] });
  const visit = await clinic.book();
  const later = addDays(clinic.soon, 1);
  await change({ exceptions: [{ date: later, kind: 'extra', from: '14:00', until: '15:00', place: 'Annexe' }] });
  const moved = await clinic.as(ann)(`/appoinments/${visit._id}`, {
    method: 'PATCH',
    json: { date: later, time: '14:00' },
  });
  const { minutes, place, start, end } = (await moved.json()) as Appointment;
  assert.deepEqual([minutes, place], [60, 'Annexe']);
  assert.equal(Date.parse(end ?? '') - Date.parse(start ?? ''), 3_600_000);
});

test('night duty is booked before and after midnight, and ends where the doctor or the clinic is closed', async () => {
  const { schedule } = await change({ periods: [at('', 60, '22:30', '01:30')] });
  assert.equal(schedule.periods[0]?.hours[0]?.until, '01:30');
  assert.deepEqual(await freeOn(clinic.soon), ['00:30', '22:30', '23:30']);
  const night = await clinic.book({ time: '23:30' });
  assert.deepEqual(await freeOn(addDays(clinic.soon, 1)), ['00:30', '22:30', '23:30']);
  assert.equal(Date.parse(night.end ?? '') - Date.parse(night.start ?? ''), 3_600_000);
  const column = await clinic.as(drGrey)(
    `/doctors/calendar?doctor=${path.slice('/doctors/'.length)}&from=${clinic.soon}&until=${clinic.soon}`,
  );
  const calendar = (await column.json()) as ClinicCalendar;
  assert.deepEqual(calendar.doctors[0]?.days[0]?.hours, [
    { from: '00:00', until: '01:30', place: '' },
    { from: '22:30', until: '24:00', place: '' },
  ]);
  assert.equal(calendar.appointments[0]?.ends, '24:00');
  await clinic.as(drGrey)(path, { method: 'PATCH', json: { daysOff: [addDays(clinic.soon, 1)] } });
  // The visit reaches into the day off, so it is listed; the one after midnight isn't offered.
  assert.deepEqual(await freeOn(addDays(clinic.soon, 1)), []);
  assert.deepEqual(await freeOn(addDays(clinic.soon, 2)), ['22:30', '23:30']);
  assert.deepEqual(await freeOn(clinic.soon), ['00:30', '22:30']);
});

test('extra hours at another place keep it, too short ones are refused, and the gap is kept between spans', async () => {
  const gap = { ...period('09:00', '10:00'), bufferMinutes: 10 };
  await change({
    periods: [
      {
        ...gap,
        hours: [...gap.hours, ...weekdays.map((day) => ({ day, from: '10:00', until: '12:00', place: 'Room 2' }))],
      },
    ],
    exceptions: [{ date: clinic.soon, kind: 'extra', from: '11:00', until: '13:00', place: 'Annexe' }],
  });
  const free = await clinic.anonymous(`${path}/free-times?date=${clinic.soon}`);
  const { times, places } = (await free.json()) as { times: string[]; places: { time: string; place: string }[] };
  assert.deepEqual(times, ['09:00', '10:00', '11:00', '11:40', '12:20']);
  assert.deepEqual(
    places.map(({ time, place }) => `${time} ${place}`),
    ['10:00 Room 2', '11:00 Annexe', '11:40 Annexe', '12:20 Annexe'],
  );
  const short = await clinic.as(drGrey)(`${path}/schedule`, {
    method: 'PATCH',
    json: {
      ...(await read()),
      exceptions: [{ date: clinic.soon, kind: 'extra', from: '15:00', until: '15:20', place: '' }],
    },
  });
  assert.equal(short.status, 400);
  assert.match(await short.text(), /shorter than one appointment \(30 minutes\)/);
});
