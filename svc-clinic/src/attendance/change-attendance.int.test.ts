import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, clinicMinute, clinicMoment, judgeTransition, timeOf, type HistoryEntry } from '@clinic/contracts';
import { internalHeaders, internalSecret } from '@clinic/service-kit';
import { applyRetention } from '@clinic/service-kit/retention';
import { isVisitOfToday } from './attendance-record.ts';
import { arrivalRetention } from './retention.ts';
import { collectionsOf } from '../collections.ts';
import { attendanceStates, attendanceTransitions, whyNotNow, type AttendanceState } from '../contract/attendance.ts';
import type { VisitOfDay } from '../contract/attendance-calls.ts';
import type { AppointmentReport } from '../contract/reports.ts';
import type { Appointment } from '../contract/schemas.ts';
import type { AppointmentRecord } from '../appointments/appointment-record.ts';
import {
  admin,
  ann,
  ben,
  drGrey,
  drHouse,
  emptyCollections,
  eventsOf,
  findEvents,
  read,
  reschedule,
  setStatus,
  sharedClinic,
  storedAppointment,
  verdict,
  type Who,
} from '../testing/test-clinic.ts';
import { zones } from '../testing/zones.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const clinic = await sharedClinic();
await clinic.addDoctor();
await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
beforeEach(async () => {
  await emptyCollections(clinic, 'appointments', 'events', 'arrivalNumbers', 'appointmentTallies');
});

const dhaka = { now: new Date(), timeZone: 'Asia/Dhaka' };
const idOf = (who: { readonly email: string }) => clinic.issuer.idOf(who.email);

/** Ann's visit to Dr. Grey, at midnight: its time has come. */
async function visit(fields: Partial<AppointmentRecord> = {}): Promise<string> {
  const record = storedAppointment({
    date: clinic.today,
    time: '00:00',
    patientId: idOf(ann),
    doctorAccountId: idOf(drGrey),
    ...fields,
  });
  await clinic.appointments.insertOne({ ...record, ...fields });
  return record._id.toHexString();
}

const note = (who: Who, id: string, from: AttendanceState, to: AttendanceState) =>
  clinic.as(who)(`/appoinments/${id}/attendance`, { method: 'PATCH', json: { from, to } });
const noted = async (who: Who, id: string, from: AttendanceState, to: AttendanceState) => {
  return readJson<Appointment>(note(who, id, from, to), 200);
};
const stored = async () => (await clinic.appointments.findOne({}))?.attendance;
const day = (who: Who, query = '') =>
  read<{ readonly visits: VisitOfDay[] }>(clinic.as(who), `/appoinments/day?date=${clinic.today}${query}`);
const steps = async (id: string) =>
  (await eventsOf(clinic, id)).map((event) => `${event['before'].attendance} → ${event['after'].attendance}`);

test('a visit goes from expected to finished, each step once in the history', async () => {
  const id = await visit();
  const arrived = await noted(admin, id, 'expected', 'arrived');
  assert.deepEqual([arrived.attendance?.state, arrived.attendance?.number], ['arrived', 1]);
  await noted(drGrey, id, 'arrived', 'called');
  await noted(drGrey, id, 'called', 'with doctor');
  const { attendance, status } = await noted(drGrey, id, 'with doctor', 'finished');
  assert.deepEqual(
    [status, attendance?.state, attendance?.arrivedAt],
    ['Confirmed', 'finished', arrived.attendance?.since],
  );
  assert.deepEqual(await steps(id), [
    'expected → arrived',
    'arrived → called',
    'called → with doctor',
    'with doctor → finished',
  ]);
  const history = await read<HistoryEntry[]>(clinic.as(ann), `/appoinments/${id}/history`);
  assert.equal(history[0]?.action, 'attendance noted');
});

test('of two who note the same at once one has done it, and of two different ones one is refused', async () => {
  for (let round = 0; round < 5; round += 1) {
    await emptyCollections(clinic, 'appointments', 'events');
    const id = await visit();
    const same = await Promise.all([admin, drGrey].map((who) => note(who, id, 'expected', 'arrived')));
    assert.deepEqual(
      same.map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual(await steps(id), ['expected → arrived']);
    const different = await Promise.all([
      verdict(note(admin, id, 'arrived', 'missed')),
      verdict(note(drGrey, id, 'arrived', 'with doctor')),
    ]);
    assert.deepEqual(different.toSorted(), ['200', '409 transition_refused']);
    assert.equal((await steps(id)).length, 2);
    assert.equal((await stored())?.state, different[0] === '200' ? 'missed' : 'with doctor');
  }
});

test('of a move and a start at once one happens', async () => {
  for (let round = 0; round < 5; round += 1) {
    await emptyCollections(clinic, 'appointments', 'events');
    const id = await visit();
    await noted(admin, id, 'expected', 'arrived');
    const [moved, started] = await Promise.all([
      verdict(reschedule(clinic, admin, id, clinic.soon, '09:30')),
      verdict(note(drGrey, id, 'arrived', 'with doctor')),
    ]);
    assert.deepEqual([moved, started].toSorted(), ['200', '409 transition_refused']);
    const { date, attendance } = (await clinic.appointments.findOne({})) ?? assert.fail();
    assert.deepEqual(
      [date, attendance?.state],
      moved === '200' ? [clinic.soon, 'arrived'] : [clinic.today, 'with doctor'],
    );
  }
});

test('concurrent arrivals get different numbers', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, (_, index) => visit({ time: timeOf(index * 30) })));
  await Promise.all(ids.map((id) => noted(admin, id, 'expected', 'arrived')));
  const numbers = (await day(admin)).visits.map(({ attendance }) => attendance?.number ?? 0);
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    ids.map((_, index) => index + 1),
  );
});

test('every change is made by whom the table names, and a refused one changes nothing', async () => {
  for (const from of attendanceStates)
    for (const to of attendanceStates) {
      if (from === to) continue;
      for (const [actor, who] of [
        ['admin', admin],
        ['doctor', drGrey],
        ['patient', ann],
      ] as const) {
        await emptyCollections(clinic, 'appointments', 'events');
        const attendance = { date: clinic.today, time: '00:00', state: from, since: new Date() };
        const id = await visit(from === 'expected' ? {} : { attendance });
        const allowed = attendanceTransitions[from][to];
        const expected = allowed?.includes(actor) ? '200' : allowed ? '403 forbidden' : '409 transition_refused';
        const answer = await verdict(note(who, id, from, to));
        assert.equal(answer, expected, `${from} → ${to} by ${actor}`);
        assert.equal((await stored())?.state ?? 'expected', expected === '200' ? to : from);
        assert.equal((await findEvents(clinic, {})).length, expected === '200' ? 1 : 0);
      }
    }
});

test('others can’t note anything', async () => {
  const id = await visit();
  for (const who of [ben, drHouse, 'pharmacist'] as const)
    assert.equal(await verdict(note(who, id, 'expected', 'arrived')), '403 forbidden');
  assert.equal(await stored(), undefined);
});

test('staff take their last note back for ten minutes, and the number stays', async () => {
  const id = await visit();
  const byAnn = await noted(ann, id, 'expected', 'arrived');
  assert.equal(await verdict(note(ann, id, 'arrived', 'expected')), '403 forbidden');
  // Nobody is offered what they may not do.
  assert.equal(byAnn.attendance?.undo, undefined);
  for (const who of [admin, drGrey])
    assert.equal((await day(who, `&email=${drGrey.email}`)).visits[0]?.attendance?.undo?.to, 'expected');
  const { attendance } = await noted(admin, id, 'arrived', 'expected');
  assert.deepEqual([attendance?.state, attendance?.arrivedAt, attendance?.undo], ['expected', undefined, undefined]);
  assert.equal((await noted(admin, id, 'expected', 'arrived')).attendance?.number, 1);
  await clinic.appointments.updateOne({}, { $set: { 'attendance.since': new Date(Date.now() - 11 * 60_000) } });
  assert.equal(await verdict(note(admin, id, 'arrived', 'expected')), '409 transition_refused');
});

test('a visit that isn’t today, is cancelled or has moved can’t arrive; one whose time hasn’t come isn’t missed', async () => {
  const refused = async (id: string, to: AttendanceState) =>
    assert.equal(await verdict(note(admin, id, 'expected', to)), '409 transition_refused');
  await refused(await visit({ date: addDays(clinic.today, 1), time: '23:59' }), 'arrived');
  await refused(await visit({ date: addDays(clinic.today, 3) }), 'missed');
  await refused(await visit({ date: addDays(clinic.today, -2) }), 'arrived');
  await refused(await visit({ date: addDays(clinic.today, -9) }), 'missed');
  await refused(await visit({ status: 'Cancelled' }), 'arrived');
  await noted(admin, await visit({ date: addDays(clinic.today, -3) }), 'expected', 'missed');
  const moved = await visit({ time: '01:00' });
  await noted(admin, moved, 'expected', 'arrived');
  assert.equal(await verdict(reschedule(clinic, admin, moved, clinic.soon, '09:00')), '200');
  const [visitThen] = await read<Appointment[]>(clinic.as(ann), `/appoinments?email=${ann.email}&from=${clinic.soon}`);
  assert.equal(visitThen?.attendance, undefined);
});

test('the service accepts exactly the steps that the desk’s buttons are offered by, at any time and in any state', async () => {
  const now = Date.now();
  const today = { now, today: clinic.today };
  const changes: Promise<void>[] = [];
  for (const minutes of [-8 * 1_440, -3 * 1_440, -420, -45, 45, 1_500])
    for (const state of attendanceStates) {
      const start = Math.floor(now / 60_000) * 60_000 + minutes * 60_000;
      const moment = clinicMoment(new Date(start), 'Asia/Dhaka');
      const end = start + 30 * 60_000;
      for (const to of attendanceStates.filter((one) => one !== state)) {
        const attendance = { ...moment, state, since: new Date(now - 3_600_000), number: 1 };
        const id = await visit({ ...moment, attendance, doctorEmail: `${minutes}${state}${to}@clinic.example` });
        const accepted =
          judgeTransition(attendanceTransitions, state, to, ['admin']) === 'allowed' &&
          whyNotNow({ date: moment.date, start, end, state }, to, today) === undefined;
        const name = `${minutes} minutes, ${state} to ${to}`;
        changes.push(
          verdict(note(admin, id, state, to)).then((got) =>
            assert.equal(got, accepted ? '200' : '409 transition_refused', name),
          ),
        );
        if (changes.length % 20 === 0) await Promise.all(changes);
      }
    }
  await Promise.all(changes);
});

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

test('a visit that has begun or was missed is neither moved nor cancelled', async () => {
  for (const state of ['with doctor', 'finished', 'missed'] as const) {
    await emptyCollections(clinic, 'appointments');
    const attendance = { date: clinic.today, time: '00:00', state, since: new Date() };
    const id = await visit({ attendance });
    for (const change of [
      setStatus(clinic, admin, id, 'Cancelled'),
      reschedule(clinic, admin, id, clinic.soon, '09:00'),
      clinic.as(admin)(`/appoinments/${id}/doctor`, {
        method: 'PATCH',
        json: { doctoremail: drHouse.email, date: clinic.soon, time: '09:00', patientChoice: 'agreed' },
      }),
    ])
      assert.equal(await verdict(change), '409 transition_refused', state);
  }
});

test('the day has everybody’s visits for the desk, a doctor’s own for the doctor, and who has missed visits before', async () => {
  await visit({ time: '10:00' });
  await visit({ time: '09:00', doctorEmail: drHouse.email, doctorAccountId: idOf(drHouse) });
  await visit({ time: '11:00', status: 'Cancelled' });
  const before = addDays(clinic.today, -3);
  await visit({
    date: before,
    attendance: { date: before, time: '00:00', state: 'missed', since: new Date() },
  });
  // Whoever has the address now isn't who missed this one.
  await visit({
    date: before,
    time: '01:00',
    patientId: 'f'.repeat(24),
    attendance: { date: before, time: '01:00', state: 'missed', since: new Date() },
  });
  // Nor is this one missed: the patient came, and left before the doctor had time.
  await visit({
    date: before,
    time: '02:00',
    attendance: { date: before, time: '02:00', state: 'missed', since: new Date(), arrivedAt: new Date() },
  });
  const shown = async (who: Who, query = '') =>
    (await day(who, query)).visits.map(({ time, missedBefore }) => [time, missedBefore]);
  assert.deepEqual(await shown(admin), [
    ['09:00', 1],
    ['10:00', 1],
  ]);
  assert.deepEqual(await shown(admin, `&email=${drHouse.email}`), [['09:00', 1]]);
  assert.deepEqual(await shown(drGrey, `&email=${drGrey.email}`), [['10:00', 1]]);
  for (const [who, query] of [
    [drGrey, ''],
    [drGrey, `&email=${drHouse.email}`],
    [ann, `&email=${ann.email}`],
  ] as const)
    assert.equal(await verdict(clinic.as(who)(`/appoinments/day?date=${clinic.today}${query}`)), '403 forbidden');
});

test('a link in a reminder says that the patient is here, as they would themselves', async () => {
  const id = await visit();
  const press = () =>
    clinic.anonymous(`/internal/visits/${id}/change`, {
      method: 'POST',
      json: { account: idOf(ann), seen: { date: clinic.today, time: '00:00' }, change: { act: 'arrive' } },
      headers: internalHeaders(internalSecret(clinic.context.settings)),
    });
  clinic.issuer.setStanding(idOf(ann), { active: true, role: 'patient' });
  const answers = await Promise.all([press(), press()]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  assert.deepEqual(await steps(id), ['expected → arrived']);
  assert.equal((await findEvents(clinic, {}))[0]?.['actor'].email, ann.email);
});

test('the numbers of past days are purged after a week, those of earlier releases too; today’s count on', async () => {
  const { arrivalNumbers } = collectionsOf(clinic.db);
  for (const days of [-400, -8, -7, 0]) await arrivalNumbers.insertOne({ _id: addDays(clinic.today, days), last: 3 });
  await applyRetention(clinic.context, arrivalRetention(clinic.context));
  const left = await arrivalNumbers.find({}).sort({ _id: 1 }).toArray();
  assert.deepEqual(
    left.map(({ _id }) => _id),
    [addDays(clinic.today, -7), clinic.today],
  );
});

const seen = (time: string) => ({ date: clinic.today, time, state: 'finished' as const, since: new Date() });

test('the report counts who came and who didn’t, and how long half and nine tenths of them waited', async () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 50];
  for (const [index, waited] of waits.entries())
    await visit({ time: timeOf(index * 30), attendance: { ...seen(timeOf(index * 30)), waited } });
  await visit({ time: '20:00', attendance: { ...seen('20:00'), state: 'missed' } });
  await visit({ time: '21:00', attendance: { ...seen('21:00'), state: 'arrived' } });
  const { attendance } = await read<AppointmentReport>(
    clinic.as(admin),
    `/appoinments/report?from=${clinic.today}&to=${clinic.today}`,
  );
  assert.deepEqual(attendance, { seen: 10, missed: 1, waiting: { median: 5, ninetieth: 9 } });
});

test('just after midnight the desk, the doctor, the screen and the patient’s code still have a visit from before it', async () => {
  // A zone in which it is the first hour of a day.
  const utc = new Date().getUTCHours();
  const timeZone = utc <= 12 ? `Etc/GMT+${utc}` : `Etc/GMT-${24 - utc}`;
  const night = await sharedClinic({ CLINIC_TZ: timeZone === 'Etc/GMT+0' ? 'Etc/GMT' : timeZone });
  await night.addDoctor();
  const yesterday = addDays(night.today, -1);
  const owners = { patientId: night.issuer.idOf(ann.email), doctorAccountId: night.issuer.idOf(drGrey.email) };
  const add = async (time: string, minutes: number, state?: AttendanceState) => {
    const attendance = { date: yesterday, time, state, since: new Date(), arrivedAt: new Date(), number: 7 };
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
  assert.deepEqual(new Set(numbers), new Set([1, 7]));
  // Another day's list has only its own.
  const before = await read<{ readonly visits: VisitOfDay[] }>(night.as(admin), `/appoinments/day?date=${yesterday}`);
  assert.equal(before.visits.length, 4);
});
