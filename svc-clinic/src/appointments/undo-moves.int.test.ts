import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import { admin, ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { hoursAt, sharedClinic, storedAppointment, verdict, type Who } from '../testing/test-clinic.ts';
import { clinicCalls } from '../contract/calls.ts';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { ObjectId } from 'mongodb';
import { findingFields, type AppointmentRecord } from './appointment-record.ts';
import { promiseOf } from './promise.ts';

const clinic = await sharedClinic();
beforeEach(async () => {
  await clinic.empty('appointments', 'doctors', 'events', 'outbox');
  await clinic.addDoctor(hoursAt(['09:00', '10:00', '11:00'], 60));
  await clinic.addDoctor({
    email: drHouse.email,
    name: 'Dr. House',
    ...hoursAt(['09:00', '10:00'], 30),
    location: 'Branch',
  });
});

const seenOf = ({ _id: id, doctoremail, date, time }: Appointment) => ({ id, seen: { doctoremail, date, time } });
const undo = (who: Who, ...moved: readonly Appointment[]) =>
  clinic.as(who)('/appoinments/undone', { method: 'PATCH', json: { moves: moved.map(seenOf) } });
const undone = async (who: Who, ...moved: readonly Appointment[]): Promise<Appointment[]> =>
  clinicCalls.undoMoves.response.parse(await readJson(undo(who, ...moved), 200));
const handOver = (who: Who, { _id }: Appointment, time: string) =>
  clinic.as(who)(`/appoinments/${_id}/doctor`, {
    method: 'PATCH',
    json: { doctoremail: drHouse.email, date: clinic.soon, time, patientChoice: 'not asked' },
  });
const promised = ({ doctoremail, time, minutes, place, status }: Appointment) => [
  doctoremail,
  time,
  minutes,
  place,
  status,
];

test('a move that is taken back restores what was promised, also if the hours have no such time any more', async () => {
  const visit = await clinic.book();
  await clinic.setStatus(drGrey, visit._id, 'Confirmed');
  await clinic.doctors.updateOne(
    { email: drGrey.email },
    { $set: { ...hoursAt(['10:30', '11:00'], 30), location: 'Annexe' } },
  );
  const moved = await readJson<Appointment>(clinic.reschedule(drGrey, visit._id, clinic.soon, '10:30'));
  assert.deepEqual(promised(moved), [drGrey.email, '10:30', 30, 'Annexe', 'Confirmed']);
  const [back] = await undone(drGrey, moved);
  assert.deepEqual(back && promised(back), [drGrey.email, '09:00', 60, 'Level 3', 'Confirmed']);
  const record = await clinic.appointments.findOne({});
  assert.deepEqual([record?.cells?.length, record?.sequence], [60, 3]);
  // The message of a move is dropped if the patient knows the visit as it is then: both say what was before.
  const entries = await clinic.db.collection('outbox').find({ kind: 'appointment-moved' }).toArray();
  assert.deepEqual(
    entries.map(({ data }) => [data.was.time, data.was.minutes, data.was.place, data.own]),
    [
      ['09:00', 60, 'Level 3', false],
      ['10:30', 30, 'Annexe', false],
    ],
  );
});

test('a hand-over is taken back by whoever made it, and by nobody else', async () => {
  const visit = await clinic.book();
  const given = await readJson<Appointment>(handOver('admin', visit, '09:00'));
  assert.deepEqual(promised(given), [drHouse.email, '09:00', 30, 'Branch', 'Pending']);
  for (const who of [ann, ben, drGrey, drHouse, 'pharmacist'] as const)
    assert.equal(await verdict(undo(who, given)), '403 forbidden');
  assert.equal(await verdict(undo({ role: 'admin', email: 'other@clinic.example' }, given)), '409 transition_refused');
  const [back] = await undone('admin', given);
  assert.deepEqual(back && promised(back), [drGrey.email, '09:00', 60, 'Level 3', 'Pending']);
  const record = await clinic.appointments.findOne({});
  assert.deepEqual(
    record?.accounts.toSorted(),
    [clinic.issuer.idOf(ann.email), clinic.issuer.idOf(drGrey.email)].toSorted(),
  );
  assert.deepEqual(
    (await clinic.eventsOf(visit._id)).map(({ action }) => action),
    ['booked', 'moved to a colleague', 'moved to a colleague'],
  );
});

test('a doctor who hands an appointment over outside the hours takes it back, without access to it otherwise', async () => {
  const visit = await clinic.book();
  await clinic.doctors.updateOne({ email: drGrey.email }, { $set: hoursAt(['15:00'], 60) });
  const settled = await clinic.as(drGrey)(`/appoinments/${visit._id}/outside`, {
    method: 'PATCH',
    json: {
      seen: { doctoremail: drGrey.email, date: visit.date, time: visit.time },
      decision: { act: 'move', doctoremail: drHouse.email, date: visit.date, time: '10:00', patientChoice: 'agreed' },
    },
  });
  const given = { ...visit, doctoremail: drHouse.email, time: '10:00' };
  assert.equal(settled.status, 200);
  assert.equal(await verdict(clinic.as(drGrey)(`/appoinments/${visit._id}/history`)), '403 forbidden');
  const [back] = await undone(drGrey, given);
  assert.deepEqual(back && promised(back), promised(visit));
});

test('all moves of a series are taken back together, or none', async () => {
  const dates = [0, 1, 2].map((days) => ({ date: addDays(clinic.soon, days), time: '09:00' }));
  const { doctoremail, patientname, patientemail, age, address, number } = await clinic.book({ time: '11:00' });
  const answer = await clinic.as('admin')('/appoinments/series', {
    method: 'POST',
    json: { booking: { doctoremail, patientname, patientemail, age, address, number }, dates },
  });
  const series = (await answer.json()) as Appointment[];
  const move = async (): Promise<Appointment[]> => {
    const first = series[0] as Appointment;
    return readJson<Appointment[]>(
      clinic.as('admin')(`/appoinments/${first._id}/series`, {
        method: 'PATCH',
        json: { seen: dates[0], change: { act: 'move', date: addDays(clinic.soon, 1), time: '09:00' } },
      }),
      200,
    );
  };
  // Each goes back to where another one is.
  assert.equal((await undone('admin', ...(await move()))).length, 3);
  const stored = async () =>
    (
      await clinic.appointments
        .find({ series: { $exists: true } })
        .sort({ date: 1 })
        .toArray()
    ).map(({ date }) => date);
  assert.deepEqual(
    await stored(),
    dates.map(({ date }) => date),
  );
  const moved = await move();
  await clinic.book({ patientemail: ben.email });
  assert.equal(await verdict(undo('admin', ...moved)), '409 slot_taken');
  assert.deepEqual(
    await stored(),
    dates.map(({ date }) => addDays(date, 1)),
  );
});

test('what has changed since, moves of patients and old moves can’t be taken back', async () => {
  const visit = await clinic.book();
  assert.equal(await verdict(undo('admin', visit)), '409 transition_refused');
  const moved = await readJson<Appointment>(clinic.reschedule('admin', visit._id, clinic.soon, '10:00'));
  assert.equal(await verdict(undo('admin', { ...moved, time: '11:00' })), '412 changed_meanwhile');
  await clinic.db.collection('events').updateMany({}, { $set: { at: new Date(Date.now() - 700_000) } });
  assert.equal(await verdict(undo('admin', moved)), '409 transition_refused');
  const again = await readJson<Appointment>(clinic.reschedule('admin', visit._id, clinic.soon, '11:00'));
  await clinic.setStatus('admin', visit._id, 'Confirmed');
  assert.equal(await verdict(undo('admin', again)), '409 transition_refused');
  const theirs = await readJson<Appointment>(clinic.reschedule(ann, visit._id, clinic.soon, '09:00'));
  assert.equal(await verdict(undo(ann, theirs)), '403 forbidden');
  assert.equal(await verdict(undo('admin', theirs)), '409 transition_refused');
  assert.equal((await clinic.appointments.findOne({}))?.time, '09:00');
});

test('nothing is taken back to a doctor who has left, or to a time that is past', async () => {
  const visit = await clinic.book();
  const given = await readJson<Appointment>(handOver('admin', visit, '09:00'));
  await clinic.doctors.updateOne({ email: drGrey.email }, { $set: { suspended: true } });
  assert.equal(await verdict(undo('admin', given)), '409 transition_refused');
  const record = await clinic.appointments.findOne({});
  assert.deepEqual([record?.doctorEmail, record?.sequence], [drHouse.email, 1]);
  await clinic.doctors.updateOne({ email: drGrey.email }, { $unset: { suspended: '' } });
  await clinic.db
    .collection('events')
    .updateMany({ action: 'moved to a colleague' }, { $set: { 'before.date': addDays(clinic.today, -1) } });
  assert.equal(await verdict(undo('admin', given)), '409 transition_refused');
  assert.equal((await clinic.appointments.findOne({}))?.date, clinic.soon);
});

test('what the patient had moved stays theirs to wait for after a move and its Undo', async () => {
  const visit = await clinic.book();
  await clinic.setStatus(drGrey, visit._id, 'Confirmed');
  await readJson<Appointment>(clinic.reschedule(ann, visit._id, clinic.soon, '10:00'));
  const moved = await readJson<Appointment>(clinic.reschedule(drGrey, visit._id, clinic.soon, '11:00'));
  const [back] = await undone(drGrey, moved);
  assert.deepEqual([back?.time, back?.movedFrom], ['10:00', { date: clinic.soon, time: '09:00' }]);
  assert.equal(await verdict(clinic.setStatus(ann, visit._id, 'Confirmed')), '403 forbidden');
});

test('a move that is taken back leaves everything of a visit as it was', async () => {
  const slot = { date: clinic.soon, time: '09:00' };
  const filled: Required<Omit<AppointmentRecord, 'overlaps'>> = {
    ...storedAppointment(slot),
    ...promiseOf(slot, { minutes: 45, place: 'Annexe' }, 'Asia/Dhaka'),
    reason: 'Checkup',
    phoneE164: '+8801555010999',
    patientId: clinic.issuer.idOf(ann.email),
    doctorAccountId: clinic.issuer.idOf(drGrey.email),
    sequence: 0,
    movedFrom: { ...slot, time: '08:00' },
    keptAt: slot,
    comes: slot,
    attendance: { ...slot, state: 'arrived', since: new Date(), arrivedAt: new Date(), number: 7 },
    answered: { form: new ObjectId(), version: 1, at: new Date() },
    answers: [],
    walkIn: true,
    series: { id: new ObjectId(), number: 1, of: 2 },
  };
  const record = { ...filled, ...findingFields(filled) };
  const moves = [
    (time: string, date: string) => clinic.reschedule('admin', record._id.toHexString(), date, time),
    (time: string, date: string) =>
      clinic.as('admin')(`/appoinments/${record._id.toHexString()}/doctor`, {
        method: 'PATCH',
        json: { doctoremail: drHouse.email, date, time, patientChoice: 'agreed' },
      }),
  ];
  for (const move of moves)
    for (const date of [clinic.soon, addDays(clinic.soon, 1)]) {
      await clinic.empty('appointments', 'events');
      await clinic.appointments.insertOne(record);
      await undone('admin', await readJson<Appointment>(move('10:00', date), 200));
      const back = (await clinic.appointments.findOne({})) ?? assert.fail();
      assert.deepEqual(back, { ...record, sequence: 2, changedAt: back.changedAt });
    }
});

test('of 50 clients who book the old time while a move is taken back, exactly one has it', async () => {
  const visit = await clinic.book();
  const moved = await readJson<Appointment>(clinic.reschedule(admin, visit._id, clinic.soon, '10:00'));
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const email = `patient${index}@mail.example`;
      return index === 25
        ? untilServed(() => undo(admin, moved))
        : untilServed(() => clinic.requestBooking({ role: 'patient', email }, { patientemail: email }));
    }),
  );
  const won = answers.filter(({ ok }) => ok);
  assert.equal(won.length, 1, answers.map(({ status }) => status).join());
  const atNine = await clinic.appointments.find({ time: '09:00', status: { $ne: 'Cancelled' } }).toArray();
  assert.equal(atNine.length, 1);
  const record = await clinic.appointments.findOne({ patientEmail: ann.email });
  assert.equal(record?.time, answers[25]?.ok ? '09:00' : '10:00');
});

test('an undo that is sent again, at once or later, changes nothing more; a move after it is not taken for one', async () => {
  const visit = await clinic.book();
  const moved = await readJson<Appointment>(clinic.reschedule(drGrey, visit._id, clinic.soon, '10:00'));
  const twice = await Promise.all([1, 2].map(() => untilServed(() => undo(drGrey, moved))));
  assert.deepEqual(
    twice.map(({ status }) => status),
    [200, 200],
  );
  const [again] = await undone(drGrey, moved);
  assert.equal(again?.time, '09:00');
  assert.equal((await clinic.eventsOf(visit._id)).length, 3);
  assert.equal(await verdict(undo('admin', moved)), '412 changed_meanwhile');
  await readJson<Appointment>(clinic.reschedule(drGrey, visit._id, clinic.soon, '10:00'));
  await readJson<Appointment>(clinic.reschedule(drGrey, visit._id, clinic.soon, '11:00'));
  // Somebody who presses an old Undo hasn't seen this one.
  assert.equal(await verdict(undo(drGrey, moved)), '412 changed_meanwhile');

  const other = await clinic.book({ patientemail: ben.email });
  const given = await readJson<Appointment>(handOver('admin', other, '09:00'));
  assert.equal((await undone('admin', given))[0]?.doctoremail, drGrey.email);
  assert.equal((await undone('admin', given))[0]?.doctoremail, drGrey.email);
});
