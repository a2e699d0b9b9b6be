import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, clinicMinute, clinicMoment } from '@clinic/contracts';
import { isVisitOfToday } from './attendance-record.ts';
import { whyNotNow, type AttendanceState } from '../contract/attendance.ts';
import type { VisitOfDay } from '../contract/attendance-calls.ts';
import { admin, ann, drGrey } from '../testing/people.ts';
import { read, sharedClinic, storedAppointment } from '../testing/test-clinic.ts';
import { zoneAt, zones } from '../testing/zones.ts';

const dhaka = { now: new Date(), timeZone: 'Asia/Dhaka' };

test('who has come can leave before their time; who is only expected hasn’t missed it yet', () => {
  const start = 1_000 * 60_000;
  const at = (state: AttendanceState, minute: number) =>
    whyNotNow({ date: '2030-05-06', start, end: start + 30 * 60_000, state }, 'missed', {
      now: start + minute * 60_000,
      today: '2030-05-06',
    });
  assert.deepEqual(
    [at('arrived', -60), at('called', -60), at('expected', -60), at('expected', 0)],
    [undefined, undefined, 'too early', undefined],
  );
});

test('after midnight a visit is shown until it has ended, and longer while its patient is here; also on nights when clocks change', () => {
  const today = '2030-05-07';
  for (const timeZone of zones)
    for (const night of ['2030-05-06', '2030-03-30', '2030-10-26', '2030-04-06', '2030-09-07']) {
      const clockAt = (minute: number) => {
        const now = new Date(minute * 60_000);
        return { now, today: clinicMoment(now, timeZone).date, timeZone };
      };
      for (const time of ['22:00', '23:30', '23:59']) {
        const start = clinicMinute({ date: night, time }, timeZone);
        const record = { date: night, time, duration: 'PT90M' };
        const here = { ...record, attendance: { date: night, time, state: 'called' as const, since: new Date() } };
        const gone = { ...record, attendance: { date: night, time, state: 'finished' as const, since: new Date() } };
        for (const minute of [0, 45, 89, 90, 120, 449, 451]) {
          const clock = clockAt(start + minute);
          const sameDay = clock.today === night;
          const shown = [record, here, gone].map((one) => isVisitOfToday(one, clock));
          const expected = [sameDay || minute < 90, sameDay || minute <= 450, sameDay || minute < 90];
          assert.deepEqual(shown, expected, `${timeZone} ${night} ${time} +${minute}`);
        }
      }
    }
  assert.equal(isVisitOfToday({ date: today, time: '09:00' }, { ...dhaka, today: addDays(today, -1) }), false);
});

test('just after midnight the desk, the doctor, the screen and the patient’s code still have a visit from before it', async () => {
  const timeZone = zoneAt(0);
  const night = await sharedClinic({ CLINIC_TZ: timeZone });
  await night.addDoctor();
  const yesterday = addDays(night.today, -1);
  const owners = { patientId: night.issuer.idOf(ann.email), doctorAccountId: night.issuer.idOf(drGrey.email) };
  const add = async (time: string, minutes: number, state?: AttendanceState) => {
    const attendance = { date: yesterday, time, state, since: new Date(), arrivedAt: new Date(), number: 1 };
    const record = {
      ...storedAppointment({ date: yesterday, time, ...owners }, { minutes }, timeZone),
      ...(state && { attendance: { ...attendance, state } }),
    };
    await night.appointments.insertOne(record);
    return record._id.toHexString();
  };
  const going = await add('22:30', 240);
  await add('20:00', 30);
  await add('21:00', 30, 'finished');
  const waiting = await add('21:45', 30, 'arrived');
  for (const [who, query] of [
    [admin, ''],
    [drGrey, `&email=${drGrey.email}`],
  ] as const) {
    const { visits } = await read<{ readonly visits: VisitOfDay[] }>(
      night.as(who),
      `/appoinments/day?date=${night.today}${query}`,
    );
    assert.deepEqual(
      visits.map(({ _id }) => _id),
      [waiting, going],
    );
  }
  const queue = await read<{ readonly code?: string }>(night.as(ann), `/appoinments/${going}/queue`);
  const arrived = await night.as(admin)('/appoinments/arrivals', { method: 'POST', json: { code: queue.code } });
  assert.equal(arrived.status, 200, await arrived.clone().text());
  const { secret } = (await (await night.as(admin)('/appoinments/waiting-screen', { method: 'POST' })).json()) as {
    readonly secret: string;
  };
  const { waiting: numbers } = await read<{ readonly waiting: number[] }>(night.anonymous, `/waiting-room/${secret}`);
  // The number of before midnight isn't given again.
  assert.deepEqual(
    numbers.toSorted((one, other) => one - other),
    [1, 2],
  );
  // Another day's list has only its own.
  const before = await read<{ readonly visits: VisitOfDay[] }>(night.as(admin), `/appoinments/day?date=${yesterday}`);
  assert.equal(before.visits.length, 4);
});
