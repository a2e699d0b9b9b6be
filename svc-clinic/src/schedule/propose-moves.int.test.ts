import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type CallResponse } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import type { OutsideAppointment } from '../contract/schedule-schemas.ts';
import { weekdays } from '@clinic/contracts/opening-days';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { hoursAt, verdict, type Who } from '../testing/test-clinic.ts';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import { change, clinic, openClinicOfDrGrey, period } from '../testing/test-schedule.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

openClinicOfDrGrey();

type Proposed = CallResponse<'proposeMoves'>;

const ask = (who: Who, appointments: readonly Pick<Appointment, '_id'>[]) =>
  clinic.as(who)('/appoinments/outside/times', {
    method: 'POST',
    json: { appointments: appointments.map(({ _id }) => _id) },
  });
async function proposed(who: Who, appointments: readonly Pick<Appointment, '_id'>[]): Promise<Proposed> {
  return readJson<Proposed>(ask(who, appointments), 200);
}
const settle = (who: Who, { _id, doctoremail, date, time }: OutsideAppointment, decision: object) =>
  clinic.as(who)(`/appoinments/${_id}/outside`, {
    method: 'PATCH',
    json: { seen: { doctoremail, date, time }, decision },
  });
const names = ['p0', 'p1', 'p2', 'p3'].map((name) => `${name}@mail.example`);

test('each stranded visit is proposed another nearest time, and every proposal is accepted', async () => {
  for (const [index, patientemail] of names.entries())
    await clinic.book({
      patientemail,
      time: ['09:00', '09:30', '10:00', '09:00'][index] ?? '',
      date: addDays(clinic.soon, index === 3 ? 1 : 0),
    });
  const { outside } = await change({ periods: [period('14:00', '15:00')] });
  // One of the new times is somebody else’s, and one patient is with another doctor at the other.
  await clinic.book({ patientemail: ben.email, time: '14:00' });
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House', ...hoursAt(['14:30'], 30) });
  const [first = ''] = names;
  await clinic.book({ patientemail: first, doctoremail: drHouse.email, time: '14:30' });
  const moves = await proposed(drGrey, outside);
  const next = addDays(clinic.soon, 1);
  assert.deepEqual(
    moves.map(({ to }) => `${to?.date} ${to?.time}`),
    [`${next} 14:00`, `${clinic.soon} 14:30`, `${next} 14:30`, `${addDays(clinic.soon, 2)} 14:00`],
  );
  for (const [index, { to }] of moves.entries()) {
    const one = outside[index];
    assert.ok(one);
    assert.equal(await verdict(settle(drGrey, one, { act: 'move', ...to, patientChoice: 'not asked' })), '200');
  }
});

test('a visit whose time still fits is proposed its own time, with the new length and place', async () => {
  await change({ periods: [period('09:00', '12:00', 60)] });
  const visit = await clinic.book();
  const { outside } = await change({ periods: [period('09:00', '12:00')] });
  assert.deepEqual(await proposed('admin', outside), [{ _id: visit._id, to: { date: visit.date, time: '09:00' } }]);
});

test('nothing is proposed without hours, and nobody reads others’ appointments by asking', async () => {
  const visit = await clinic.book();
  await clinic.addDoctor({ email: drHouse.email, name: 'Dr. House' });
  for (const who of [ann, drHouse, 'pharmacist'] as const)
    assert.equal(await verdict(ask(who, [visit])), '403 forbidden');
  assert.equal(await verdict(ask('admin', [{ _id: 'f'.repeat(24) }])), '404 not_found');
  await change({ periods: [], exceptions: [] });
  assert.deepEqual(await proposed('admin', [visit]), [{ _id: visit._id }]);
});

test('a holiday lists what is booked in its nights too, with what was promised, and nothing that was stranded before', async () => {
  await change({
    periods: [
      {
        slotMinutes: 60,
        bufferMinutes: 0,
        hours: weekdays.map((day) => ({ day, from: '22:30', until: '01:30', place: '' })),
      },
    ],
  });
  const day = addDays(clinic.soon, 1);
  const dates = [clinic.soon, addDays(day, 1), day, clinic.soon];
  for (const [index, time] of ['23:30', '00:30', '22:30', '22:30'].entries())
    await clinic.book({ patientemail: names[index] ?? '', date: dates[index] ?? '', time });
  const answer = await clinic.as('admin')('/doctors/holidays', {
    method: 'POST',
    json: { name: 'Eid', from: day, until: day },
  });
  const { outside } = (await answer.json()) as { outside: OutsideAppointment[] };
  assert.deepEqual(
    outside.map(({ date, time, promised, why }) => [date, time, promised?.minutes, why]),
    [
      [clinic.soon, '23:30', 60, ['time']],
      [day, '22:30', 60, ['time']],
      [addDays(day, 1), '00:30', 60, ['time']],
    ],
  );
  const moves = await proposed('admin', outside);
  assert.deepEqual(
    moves.map(({ to }) => to?.date === day),
    [false, false, false],
  );
});

test('while 50 clients settle all visits at once, each is moved or cancelled once, and none overlap', async () => {
  const times = ['09:00', '09:30', '10:00', '10:30', '11:00'];
  await change({ periods: [period('09:00', '12:00')] });
  for (const [index, time] of times.entries()) await clinic.book({ patientemail: `p${index}@mail.example`, time });
  const { outside } = await change({ periods: [period('14:00', '17:00')] });
  const moves = await proposed('admin', outside);
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const at = index % outside.length;
      const [one, to] = [outside[at], moves[at]?.to];
      assert.ok(one && to);
      if (index >= 40) {
        const patientemail = `other${index}@mail.example`;
        return untilServed(() =>
          clinic.requestBooking({ role: 'patient', email: patientemail }, { patientemail, ...to }),
        );
      }
      const who = index % 2 === 0 ? 'admin' : drGrey;
      return untilServed(() =>
        settle(
          who,
          one,
          index % 4 < 2
            ? { act: 'move', ...to, patientChoice: 'not asked' }
            : { act: 'cancel', patientChoice: 'not asked' },
        ),
      );
    }),
  );
  for (const { status } of answers) assert.ok([200, 201, 409, 412].includes(status), String(status));
  // Every twentieth client is the same person with the same decision: for the service it is sent again, and is made once.
  const decisions = new Set(answers.slice(0, 40).flatMap(({ ok }, index) => (ok ? [index % 20] : [])));
  const records = await clinic.appointments.find({}).toArray();
  const changed = records.filter(
    ({ patientEmail, status, time }) => patientEmail.startsWith('p') && (status === 'Cancelled' || time >= '14:00'),
  );
  assert.equal(changed.length, decisions.size);
  const held = records.filter(({ status }) => status !== 'Cancelled').map(({ date, time }) => `${date} ${time}`);
  assert.equal(new Set(held).size, held.length);
  for (const { sequence = 0, patientEmail } of changed) assert.equal(sequence, 1, patientEmail);
});
