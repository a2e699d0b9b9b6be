import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, clinicInstant, clinicMoment, judgeTransition, timeOf, type HistoryEntry } from '@clinic/contracts';
import { internalHeaders, internalSecret } from '@clinic/service-kit';
import {
  attendanceStates,
  attendanceTransitions,
  hasBegun,
  whyNotNow,
  type AttendanceState,
} from '../contract/attendance.ts';
import type { Appointment } from '../contract/schemas.ts';
import { admin, ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic, verdict } from '../testing/test-clinic.ts';
import { attendanceAt } from '../testing/test-attendance.ts';
import { zoneAt } from '../testing/zones.ts';

const timeZone = zoneAt(12);
const clinic = await sharedClinic({ CLINIC_TZ: timeZone });
await clinic.addDoctor();
await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
const { visit, note, noted, stored, day, steps } = attendanceAt(clinic);
beforeEach(() => clinic.empty('appointments', 'events', 'arrivalNumbers', 'appointmentTallies'));

const idOf = (who: { readonly email: string }) => clinic.issuer.idOf(who.email);

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
    await clinic.empty('appointments', 'events');
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
    await clinic.empty('appointments', 'events');
    const id = await visit();
    await noted(admin, id, 'expected', 'arrived');
    const [moved, started] = await Promise.all([
      verdict(clinic.reschedule(admin, id, clinic.soon, '09:30')),
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
        await clinic.empty('appointments', 'events');
        const attendance = { date: clinic.today, time: '00:00', state: from, since: new Date() };
        const id = await visit(from === 'expected' ? {} : { attendance });
        const allowed = attendanceTransitions[from][to];
        const expected = allowed?.includes(actor) ? '200' : allowed ? '403 forbidden' : '409 transition_refused';
        const answer = await verdict(note(who, id, from, to));
        assert.equal(answer, expected, `${from} → ${to} by ${actor}`);
        assert.equal((await stored())?.state ?? 'expected', expected === '200' ? to : from);
        assert.equal((await clinic.findEvents({})).length, expected === '200' ? 1 : 0);
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
  assert.equal(await verdict(clinic.reschedule(admin, moved, clinic.soon, '09:00')), '200');
  const [visitThen] = await read<Appointment[]>(clinic.as(ann), `/appoinments?email=${ann.email}&from=${clinic.soon}`);
  assert.equal(visitThen?.attendance, undefined);
});

test('the service accepts exactly the steps that the desk’s buttons are offered by, at any time and in any state', async () => {
  const now = Date.now();
  const today = { now, today: clinic.today };
  const changes: Promise<void>[] = [];
  for (const minutes of [-8 * 1_440, -3 * 1_440, -420, -45, 45, 1_500])
    for (const state of attendanceStates) {
      const moment = clinicMoment(new Date(now + minutes * 60_000), timeZone);
      const start = clinicInstant(moment, timeZone).getTime();
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

test('once its time has come staff move and cancel a visit, also of somebody who waits, until it has begun or was missed', async () => {
  const move = { doctoremail: drHouse.email, date: clinic.soon, time: '09:00', patientChoice: 'agreed' };
  const changes = [
    (id: string) => clinic.setStatus(admin, id, 'Cancelled'),
    (id: string) => clinic.reschedule(admin, id, clinic.soon, '09:00'),
    (id: string) => clinic.as(admin)(`/appoinments/${id}/doctor`, { method: 'PATCH', json: move }),
  ];
  for (const state of attendanceStates)
    for (const change of changes) {
      await clinic.empty('appointments');
      const attendance = { date: clinic.today, time: '00:00', state, since: new Date() };
      // It hasn't ended before tomorrow.
      const id = await visit({ attendance, duration: 'PT1440M' });
      assert.equal(await verdict(change(id)), hasBegun(state) ? '409 transition_refused' : '200', state);
    }
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
  assert.equal((await clinic.findEvents({}))[0]?.['actor'].email, ann.email);
});
