import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { attendanceStates, hasBegun, type AttendanceState } from '../contract/attendance.ts';
import type { Appointment } from '../contract/schemas.ts';
import type { WaitingRoom } from '../contract/waiting-room-calls.ts';
import { admin, drGrey, drHouse } from '../testing/people.ts';
import { attendanceAt } from '../testing/test-attendance.ts';
import { hoursAt, read, sharedClinic } from '../testing/test-clinic.ts';
import { zoneAt } from '../testing/zones.ts';

const clinic = await sharedClinic({ CLINIC_TZ: zoneAt(12) });
const hours = hoursAt(['09:00', '15:00', '16:00']);
await clinic.addDoctor(hours);
await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House', ...hours });
const { visit, note, noted, day } = attendanceAt(clinic);
beforeEach(() => clinic.empty('appointments', 'events', 'arrivalNumbers'));

const { secret } = await readJson<{ readonly secret: string }>(
  clinic.as(admin)('/appoinments/waiting-screen', { method: 'POST' }),
  201,
);
const patch = (path: string, json: object) => clinic.as(admin)(`/appoinments/${path}`, { method: 'PATCH', json });
const midnight = { date: clinic.today, time: '00:00' };
const seen = { doctoremail: drGrey.email, ...midnight };
const outside = (id: string, to: object) =>
  patch(`${id}/outside`, { seen, decision: { act: 'move', ...to, patientChoice: 'agreed' } });

/** Every way to move a visit of midnight to three o'clock. */
const moves: Readonly<Record<string, (id: string, date: string) => Promise<Response>>> = {
  'to another time': (id, date) => clinic.reschedule(admin, id, date, '15:00'),
  'to a colleague': (id, date) =>
    patch(`${id}/doctor`, { doctoremail: drHouse.email, date, time: '15:00', patientChoice: 'agreed' }),
  'into the hours': (id, date) => outside(id, { date, time: '15:00' }),
  'into the hours of a colleague': (id, date) => outside(id, { doctoremail: drHouse.email, date, time: '15:00' }),
};

/** Somebody who came nine minutes ago, unless they are expected once more, with number 7. */
function visitIn(state: AttendanceState) {
  const came = new Date(Date.now() - 9 * 60_000);
  const attendance = {
    ...midnight,
    state,
    since: new Date(Date.now() - 2 * 60_000),
    number: 7,
    ...(state !== 'expected' && { arrivedAt: came }),
    ...(state === 'called' && { before: { state: 'arrived' as const, since: came } }),
  };
  return { attendance, ...(state === 'expected' && allDay) };
}

/** A visit that hasn't ended before tomorrow. */
const allDay = { duration: 'PT1440M' };

const waits = attendanceStates.filter((state) => !hasBegun(state));

for (const [how, move] of Object.entries(moves)) {
  test(`who is moved ${how} on the same day keeps number and place in the queue, but isn’t called any more`, async () => {
    for (const state of waits) {
      await clinic.empty('appointments', 'events');
      // Somebody else waits since a minute ago.
      const later = { date: clinic.today, time: '01:00' };
      const since = new Date(Date.now() - 60_000);
      await visit({ ...later, attendance: { ...later, state: 'arrived', since, arrivedAt: since, number: 8 } });
      const { attendance, ...length } = visitIn(state);
      const id = await visit({ attendance, ...length });
      assert.equal((await move(id, clinic.today)).status, 200);
      const shown = (await day(admin)).visits.find(({ _id }) => _id === id);
      assert.deepEqual([shown?.time, shown?.attendance?.number], ['15:00', 7]);
      assert.equal(shown?.attendance?.state, state === 'called' ? 'arrived' : state);
      assert.equal(shown?.attendance?.arrivedAt, attendance.arrivedAt?.toISOString());
      const { called, waiting } = await read<WaitingRoom>(clinic.anonymous, `/waiting-room/${secret}`);
      assert.deepEqual([called, waiting], [[], state === 'expected' ? [8] : [7, 8]]);
      const [event] = await clinic.eventsOf(id);
      assert.equal(event?.['before'].attendance, state === 'called' ? state : undefined);
      const next = await noted(
        admin,
        id,
        shown?.attendance?.state ?? 'expected',
        state === 'expected' ? 'arrived' : 'called',
      );
      assert.equal(next.attendance?.number, 7);
    }
  });

  test(`who is moved ${how} on another day is expected anew, and waits on if that is undone`, async () => {
    for (const state of waits)
      for (const date of [clinic.today, clinic.soon]) {
        await clinic.empty('appointments', 'events');
        const id = await visit(visitIn(state));
        assert.equal((await move(id, date)).status, 200);
        const moved = (await clinic.appointments.findOne({})) ?? assert.fail();
        const { visits } = await read<{ visits: Appointment[] }>(clinic.as(admin), `/appoinments/day?date=${date}`);
        assert.equal(visits[0]?.attendance?.number, date === clinic.today ? 7 : undefined);
        const at = { doctoremail: moved.doctorEmail, date, time: '15:00' };
        const { status } = await patch('undone', { moves: [{ id, seen: at }] });
        // The time is past: whoever isn’t here can’t be expected then.
        assert.equal(status, state === 'expected' ? 409 : 200);
        if (state === 'expected') continue;
        const [back] = (await day(admin)).visits;
        assert.deepEqual([back?.time, back?.attendance?.number], ['00:00', 7]);
        assert.equal(back?.attendance?.state, date === clinic.today ? 'arrived' : state);
      }
  });
}

test('of a move within the day and an arrival at once both count', async () => {
  for (let round = 0; round < 5; round += 1)
    for (const move of Object.values(moves).slice(0, 2)) {
      await clinic.empty('appointments', 'events');
      const id = await visit(allDay);
      const answers = await Promise.all([move(id, clinic.today), note(drGrey, id, 'expected', 'arrived')]);
      // A doctor to whom it no longer belongs notes nothing.
      assert.ok(answers.every(({ status }, index) => status === 200 || (index === 1 && status === 403)));
      const shown = (await day(admin)).visits[0];
      const arrived = answers[1].status === 200 ? 'arrived' : undefined;
      assert.deepEqual([shown?.time, shown?.attendance?.state], ['15:00', arrived]);
    }
});
