import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { addDays, timeOf, type CallBody } from '@clinic/contracts';
import { weekdays } from '@clinic/contracts/opening-days';
import { startTestDatabase, withUriOption } from '@clinic/service-kit/testing';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import type { CommandStartedEvent } from 'mongodb';
import { clinicCalls } from '../contract/calls.ts';
import type { PlannedMove } from '../contract/calendar-calls.ts';
import type { Schedule } from '../contract/schedule-schemas.ts';
import type { Appointment } from '../contract/schemas.ts';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { hoursAt, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';

const clinic = await sharedClinic();
const drYang = { role: 'doctor', email: 'yang@clinic.example' } as const;
const reception = { role: 'patient', email: 'desk@clinic.example', rights: ['reception'] } as const;
const times = ['09:00', '09:30', '10:00'];
const next = addDays(clinic.soon, 1);

beforeEach(async () => {
  await clinic.empty('appointments', 'doctors', 'events', 'outbox');
  await clinic.addDoctor(hoursAt(times));
  await clinic.addDoctor({
    email: drHouse.email,
    name: 'Dr. House',
    location: 'Branch',
    ...hoursAt(['09:00', '10:00'], 20),
  });
  await clinic.addDoctor({ email: drYang.email, name: 'Dr. Yang', ...hoursAt(['09:30']) });
});

/** A patient for each of Dr. Grey's times. */
const fullDay = () =>
  Promise.all(times.map((time, index) => clinic.book({ patientemail: `p${index}@mail.example`, time })));
const ask = (who: Who, visits: readonly Appointment[], wanted: Omit<CallBody<'planDay'>, 'appointments'>) =>
  clinic.as(who)('/appoinments/day/times', {
    method: 'POST',
    json: { appointments: visits.map(({ _id }) => _id), ...wanted },
  });
async function planned(...asked: Parameters<typeof ask>): Promise<PlannedMove[]> {
  return clinicCalls.planDay.response.parse(await readJson(ask(...asked), 200));
}
const inShort = ({ to, conflict }: PlannedMove): string =>
  to ? `${to.doctorname} ${to.date} ${to.time} ${to.minutes} ${to.place}` : (conflict ?? '');
function move(who: Who, { _id, doctoremail, date, time }: Appointment, to: PlannedMove['to']): Promise<Response> {
  assert.ok(to);
  const json = { date: to.date, time: to.time, seen: { doctoremail, date, time } };
  return to.doctoremail === doctoremail
    ? clinic.as(who)(`/appoinments/${_id}`, { method: 'PATCH', json })
    : clinic.as(who)(`/appoinments/${_id}/doctor`, {
        method: 'PATCH',
        json: { ...json, doctoremail: to.doctoremail, patientChoice: 'not asked' },
      });
}
const stored = () => clinic.appointments.find({}).sort({ patientEmail: 1 }).toArray();

test('a day goes to the colleagues who are free at the same times, and whoever fits nowhere is named with the reason', async () => {
  const day = await fullDay();
  await clinic.book({ patientemail: ben.email, doctoremail: drHouse.email, time: '10:00' });
  const moves = await planned(reception, day, { colleagues: [drHouse.email, drYang.email] });
  assert.deepEqual(moves.map(inShort), [
    `Dr. House ${clinic.soon} 09:00 20 Branch`,
    `Dr. Yang ${clinic.soon} 09:30 30 Level 3`,
    'Dr. House: Someone else has this time. Dr. Yang: The doctor doesn’t see patients at this time',
  ]);
  // Asking moves nothing.
  assert.deepEqual(new Set((await stored()).map(({ sequence }) => sequence)), new Set([undefined]));
  for (const [index, { to }] of moves.slice(0, 2).entries())
    assert.equal(await verdict(move(reception, day[index] as Appointment, to)), '200');
  // Once more, after a lost answer.
  for (const [index, { to }] of moves.slice(0, 2).entries())
    assert.equal(await verdict(move(reception, day[index] as Appointment, to)), '200');
  const after = await stored();
  assert.deepEqual(
    after.map(({ doctorEmail, time, duration, sequence }) => [doctorEmail, time, duration, sequence]),
    [
      [drHouse.email, '10:00', 'PT20M', undefined],
      [drHouse.email, '09:00', 'PT20M', 1],
      [drYang.email, '09:30', 'PT30M', 1],
      [drGrey.email, '10:00', 'PT30M', undefined],
    ],
  );
  assert.equal(await clinic.db.collection('outbox').countDocuments({ kind: 'appointment-moved' }), 2);
});

test('a doctor moves the own day to another day or to later, each to another time', async () => {
  const day = await fullDay();
  await clinic.book({ patientemail: ben.email, date: next, time: '09:30' });
  assert.deepEqual((await planned(drGrey, day, { date: next })).map(inShort), [
    `Dr. Meredith Grey ${next} 09:00 30 Level 3`,
    'Dr. Meredith Grey: Someone else has this time',
    `Dr. Meredith Grey ${next} 10:00 30 Level 3`,
  ]);
  // Two go to the only other time of that day: the first gets it.
  const [first, second] = day;
  assert.ok(first && second);
  assert.deepEqual((await planned(drGrey, [second, first], { date: next, otherTimes: true })).map(inShort), [
    `Dr. Meredith Grey ${next} 09:00 30 Level 3`,
    `Dr. Meredith Grey ${next} 10:00 30 Level 3`,
  ]);
  await clinic.setStatus(drGrey, second._id, 'Cancelled');
  assert.deepEqual((await planned(drGrey, day, { from: '09:30', otherTimes: true })).map(inShort), [
    `Dr. Meredith Grey ${clinic.soon} 09:30 30 Level 3`,
    'This appointment is Cancelled and can’t be changed. Book a new one.',
    `Dr. Meredith Grey ${clinic.soon} 10:00 30 Level 3`,
  ]);
});

test('a plan makes as many queries for a full day and many colleagues as for one visit and one of them, and proposals likewise', async () => {
  const database = await startTestDatabase();
  const watched = await sharedClinic({ MONGODB_URI: withUriOption(database.uri, 'monitorCommands', 'true') });
  after(() => database.close());
  const doctors = Array.from({ length: 6 }, (_, index) => `doctor${index}@clinic.example`);
  const many = Array.from({ length: 12 }, (_, index) => timeOf(540 + index * 20));
  for (const [index, email] of doctors.entries())
    await watched.addDoctor({ name: `Dr. ${index}`, email, ...hoursAt(many, 20) });
  const [away = '', ...colleagues] = doctors;
  const visits: Appointment[] = [];
  for (const [index, time] of many.entries())
    visits.push(await watched.book({ patientemail: `p${index}@mail.example`, doctoremail: away, time }));
  const queriesOf = async (path: string, asked: readonly Appointment[], more: object = {}): Promise<number> => {
    let queries = 0;
    const count = ({ commandName, command }: CommandStartedEvent): void => {
      // In the plan's transaction: the service's own work goes on beside it.
      const planning = command['autocommit'] === false;
      if (planning && (commandName === 'find' || commandName === 'aggregate')) queries += 1;
    };
    const json = { appointments: asked.map(({ _id }) => _id), ...more };
    const send = () => watched.as('admin')(path, { method: 'POST', json });
    // What is remembered between requests isn't counted.
    await send();
    watched.client.on('commandStarted', count);
    const answer = await send();
    watched.client.off('commandStarted', count);
    const plans = (await answer.json()) as readonly { readonly to?: object }[];
    assert.equal(plans.filter(({ to }) => to !== undefined).length, asked.length);
    return queries;
  };
  const first = visits.slice(0, 1);
  const plan = (asked: readonly Appointment[], of: readonly string[]) =>
    queriesOf('/appoinments/day/times', asked, { colleagues: of, otherTimes: true });
  const few = await plan(first, colleagues.slice(0, 1));
  assert.ok(few < 10, String(few));
  assert.equal(await plan(visits, colleagues), few);
  const proposals = await queriesOf('/appoinments/outside/times', first);
  assert.equal(await queriesOf('/appoinments/outside/times', visits), proposals);
});

const wholeDay = { date: clinic.soon, closed: true };
for (const [where, wanted, closing] of [
  ['the next day', { date: next }, wholeDay],
  ['any time of the next day', { date: next, otherTimes: true }, wholeDay],
  ['any time of the day before', { date: addDays(clinic.soon, -1), otherTimes: true }, wholeDay],
  ['later', { from: '22:30', otherTimes: true }, { ...wholeDay, until: '22:30' }],
  ['the next day, all of them, while their own stays open', { date: next, staysOpen: true }, undefined],
] as const)
  test(`the visits of a doctor's nights go to ${where} as planned${closing ? ' once the day is closed' : ''}`, async () => {
    const nights = weekdays.map((day) => ({ day, from: '22:00', until: '02:00', place: '' }));
    const { _id } = await clinic.addDoctor({ email: 'night@clinic.example', name: 'Dr. Night', ...hoursAt(['22:00']) });
    const path = `/doctors/${_id.toHexString()}`;
    const { version } = await readJson<Schedule>(clinic.as('admin')(`${path}/schedule`), 200);
    const periods = [{ slotMinutes: 60, bufferMinutes: 0, hours: nights }];
    const changed = { version, periods, takesAppointments: true };
    assert.equal((await clinic.as('admin')(`${path}/schedule`, { method: 'PATCH', json: changed })).status, 200);
    const visits = await Promise.all(
      ['00:00', '01:00', '22:00', '23:00'].map((time, index) =>
        clinic.book({ patientemail: `p${index}@mail.example`, doctoremail: 'night@clinic.example', time }),
      ),
    );
    const plans = await planned('admin', visits, wanted);
    const fits = ({ to }: PlannedMove): boolean => to !== undefined;
    assert.ok(closing ? plans.some(fits) : plans.every(fits));
    if (closing)
      assert.equal((await clinic.as('admin')(`${path}/day`, { method: 'PATCH', json: closing })).status, 200);
    // As the page sends them: none that stays where it is.
    for (const [index, { to }] of plans.entries()) {
      const visit = visits[index] as Appointment;
      if (to && (to.date !== visit.date || to.time !== visit.time))
        assert.equal(await verdict(move('admin', visit, to)), '200', `${visit.time} to ${to.date} ${to.time}`);
    }
  });

test('who has begun stays', async () => {
  const [visit] = await fullDay();
  assert.ok(visit);
  const attendance = { date: visit.date, time: visit.time, state: 'with doctor' as const, since: new Date() };
  await clinic.appointments.updateOne({ time: '09:00' }, { $set: { attendance } });
  assert.match(inShort((await planned(drGrey, [visit], { date: next }))[0] as PlannedMove), /is with the doctor/);
});

test('others’ appointments are nobody’s to ask about, and colleagues are the desk’s', async () => {
  const day = await fullDay();
  for (const who of [ann, drHouse, 'pharmacist'] as const)
    assert.equal(await verdict(ask(who, day, { date: next })), '403 forbidden');
  assert.equal(await verdict(ask(drGrey, day, { colleagues: [drHouse.email] })), '403 forbidden');
  assert.equal(
    await verdict(ask('admin', [{ ...day[0], _id: 'f'.repeat(24) } as Appointment], { date: next })),
    '404 not_found',
  );
});

test('an appointment that somebody has moved meanwhile stays where they put it', async () => {
  const [visit] = await fullDay();
  assert.ok(visit);
  const [{ to } = {}] = await planned('admin', [visit], { date: next });
  await clinic.as(drGrey)(`/appoinments/${visit._id}`, {
    method: 'PATCH',
    json: { date: addDays(next, 1), time: '09:00' },
  });
  assert.equal(await verdict(move('admin', visit, to)), '412 changed_meanwhile');
  const [colleague] = await planned('admin', [visit], { date: addDays(next, 2), colleagues: [drHouse.email] });
  assert.equal(await verdict(move('admin', visit, colleague?.to)), '412 changed_meanwhile');
  assert.equal((await stored())[0]?.date, addDays(next, 1));
});

test('while six receptionists move one day, patients cancel and others book, each visit is in one place and told once', async () => {
  const day = await fullDay();
  const plans = {
    colleagues: await planned('admin', day, { colleagues: [drHouse.email, drYang.email] }),
    tomorrow: await planned('admin', day, { date: next }),
  };
  const whoever = (index: number) => ({ role: 'patient', email: `other${index}@mail.example` }) as const;
  const answers = await Promise.all(
    Array.from({ length: 36 }, (_, index) =>
      untilServed(() => {
        const at = index % day.length;
        const visit = day[at] as Appointment;
        const kind = Math.floor(index / 3) % 4;
        if (kind === 3 && at === 0) return clinic.setStatus(drGrey, visit._id, 'Cancelled');
        if (kind === 2) {
          const { to } = plans.tomorrow[at] as PlannedMove;
          const wanted = { patientemail: whoever(index).email, date: to?.date ?? '', time: to?.time ?? '' };
          return clinic.requestBooking(whoever(index), wanted);
        }
        const plan = kind === 0 ? plans.colleagues : plans.tomorrow;
        return move({ ...reception, email: `desk${index % 6}@clinic.example` }, visit, plan[at]?.to);
      }),
    ),
  );
  for (const { status } of answers) assert.ok([200, 201, 409, 412].includes(status), String(status));
  const records = await stored();
  const held = records
    .filter(({ status }) => status !== 'Cancelled')
    .map(({ doctorEmail, date, time }) => `${doctorEmail} ${date} ${time}`);
  assert.equal(new Set(held).size, held.length);
  const own = records.filter(({ patientEmail }) => patientEmail.startsWith('p'));
  const moved = await clinic.db.collection('outbox').find({ kind: 'appointment-moved' }).toArray();
  for (const { _id, sequence = 0, status, date, doctorEmail } of own) {
    const told = moved.filter(({ data }) => data.visit.id === _id.toHexString());
    const away = date !== clinic.soon || doctorEmail !== drGrey.email;
    assert.equal(told.length, sequence - (status === 'Cancelled' ? 1 : 0));
    assert.equal(told.length, away ? 1 : 0);
  }
});
