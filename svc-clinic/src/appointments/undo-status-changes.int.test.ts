import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { personWith } from '@clinic/service-kit/testing';
import { untilServed } from '@clinic/service-kit/testing/wait-until';
import { clinicCalls } from '../contract/calls.ts';
import type { Appointment } from '../contract/schemas.ts';
import type { AppointmentStatus } from '../contract/transitions.ts';
import { ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { hoursAt, sharedClinic, verdict, type Who } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
const times = ['09:00', '10:00', '11:00'];
beforeEach(async () => {
  await clinic.empty('appointments', 'doctors', 'events', 'outbox', 'appointmentTallies');
  await clinic.addDoctor(hoursAt(times, 60));
});

const undo = (who: Who, status: AppointmentStatus, ...changed: readonly Appointment[]) =>
  clinic.as(who)('/appoinments/undone-status', {
    method: 'PATCH',
    json: { changes: changed.map(({ _id: id, date, time }) => ({ id, seen: { date, time, status } })) },
  });
const statuses = async () =>
  (await clinic.appointments.find({}).sort({ time: 1 }).toArray()).map(({ status }) => status);
const day = () =>
  Promise.all(times.map((time, index) => clinic.book({ patientemail: `p${index}@mail.example`, time })));

test('cancellations and confirmations of several are taken back, with their time and in the figures', async () => {
  const visits = await day();
  for (const { _id } of visits) await clinic.setStatus(drGrey, _id, 'Confirmed');
  for (const { _id } of visits.slice(0, 2)) await clinic.setStatus(drGrey, _id, 'Cancelled');
  const answer = await undo(drGrey, 'Cancelled', ...visits.slice(0, 2));
  assert.equal(answer.status, 200, await answer.clone().text());
  assert.deepEqual(
    clinicCalls.undoStatusChanges.response.parse(await answer.json()).map(({ status, time }) => [status, time]),
    [
      ['Confirmed', '09:00'],
      ['Confirmed', '10:00'],
    ],
  );
  assert.deepEqual(await statuses(), ['Confirmed', 'Confirmed', 'Confirmed']);
  // Nobody else can have the times again.
  assert.equal(await verdict(clinic.requestBooking(ben, { patientemail: ben.email })), '409 slot_taken');
  const [third] = visits.slice(2);
  assert.ok(third);
  assert.equal(await verdict(undo(drGrey, 'Confirmed', third)), '200');
  assert.deepEqual(await statuses(), ['Confirmed', 'Confirmed', 'Pending']);
  assert.deepEqual(
    (await clinic.eventsOf(third._id)).map(({ after }) => after.status),
    ['Pending', 'Confirmed', 'Pending'],
  );
  const counted = await clinic.db
    .collection('appointmentTallies')
    .aggregate([
      { $group: { _id: null, p: { $sum: '$Pending' }, c: { $sum: '$Confirmed' }, x: { $sum: '$Cancelled' } } },
    ])
    .toArray();
  assert.deepEqual(counted, [{ _id: null, p: 1, c: 2, x: 0 }]);
});

test('what has gone on is not taken back: others’, too late, taken back already, changed meanwhile, or none at all', async () => {
  const [visit, other] = await day();
  assert.ok(visit && other);
  assert.equal(await verdict(undo(drGrey, 'Pending', visit)), '409 transition_refused');
  await clinic.setStatus(drGrey, visit._id, 'Confirmed');
  for (const who of [ann, drHouse, 'pharmacist'] as const)
    assert.equal(await verdict(undo(who, 'Confirmed', visit)), '403 forbidden');
  assert.equal(await verdict(undo('admin', 'Confirmed', visit)), '409 transition_refused');
  assert.equal(await verdict(undo(drGrey, 'Pending', visit)), '412 changed_meanwhile');
  assert.equal(await verdict(undo(drGrey, 'Confirmed', visit)), '200');
  assert.equal(await verdict(undo(drGrey, 'Pending', visit)), '409 transition_refused');
  await clinic.setStatus(drGrey, other._id, 'Cancelled');
  await clinic.db
    .collection('events')
    .updateMany({ 'record.id': other._id }, { $set: { at: new Date(Date.now() - 46_000) } });
  assert.equal(await verdict(undo(drGrey, 'Cancelled', other)), '409 transition_refused');
  assert.deepEqual(await statuses(), ['Pending', 'Cancelled', 'Pending']);
});

test('an undo that is sent again, at once or later, changes nothing more; a change after it is not taken for one', async () => {
  const [visit, other] = await day();
  assert.ok(visit && other);
  for (const { _id } of [visit, other]) await clinic.setStatus(drGrey, _id, 'Cancelled');
  const twice = await Promise.all([1, 2].map(() => untilServed(() => undo(drGrey, 'Cancelled', visit, other))));
  assert.deepEqual(
    twice.map(({ status }) => status),
    [200, 200],
  );
  assert.equal(await verdict(undo(drGrey, 'Cancelled', visit, other)), '200');
  assert.deepEqual(
    (await clinic.eventsOf(visit._id)).map(({ after }) => after.status),
    ['Pending', 'Cancelled', 'Pending'],
  );
  assert.equal(await verdict(undo('admin', 'Cancelled', visit)), '412 changed_meanwhile');
  await clinic.setStatus(drGrey, visit._id, 'Confirmed');
  assert.equal(await verdict(undo(drGrey, 'Cancelled', visit)), '412 changed_meanwhile');
  assert.deepEqual(await statuses(), ['Confirmed', 'Pending', 'Pending']);
});

test('a cancelled visit doesn’t come back for a patient who has been deleted meanwhile', async () => {
  const patientemail = 'gone@mail.example';
  const visit = await clinic.book({ patientemail });
  await clinic.setStatus(drGrey, visit._id, 'Cancelled');
  await clinic.erase(personWith(clinic.issuer.idOf(patientemail), patientemail));
  assert.equal(await verdict(undo(drGrey, 'Cancelled', visit)), '409 transition_refused');
  assert.deepEqual(await statuses(), ['Cancelled']);
});

test('a time that somebody else has by now stays theirs, and none of the others comes back with it', async () => {
  const visits = await day();
  const [first, second] = visits;
  assert.ok(first && second);
  for (const { _id } of [first, second]) await clinic.setStatus(drGrey, _id, 'Cancelled');
  await clinic.book({ patientemail: ben.email, time: '10:00' });
  assert.equal(await verdict(undo(drGrey, 'Cancelled', first, second)), '409 slot_taken');
  assert.equal((await statuses()).filter((status) => status === 'Cancelled').length, 2);
  assert.equal(await verdict(undo(drGrey, 'Cancelled', first)), '200');
});

test('a confirmation that is taken back mentions again where its patient moved it from', async () => {
  const visit = await clinic.book();
  await clinic.setStatus(drGrey, visit._id, 'Confirmed');
  await clinic.reschedule(ann, visit._id, clinic.soon, '10:00');
  await clinic.setStatus(drGrey, visit._id, 'Confirmed');
  const answer = await undo(drGrey, 'Confirmed', { ...visit, time: '10:00' });
  const [back] = (await answer.json()) as Appointment[];
  assert.deepEqual([back?.status, back?.movedFrom], ['Pending', { date: clinic.soon, time: '09:00' }]);
});

test('while a cancellation is taken back by many at once and others book the time, one of them has it', async () => {
  const visit = await clinic.book();
  await clinic.setStatus(drGrey, visit._id, 'Cancelled');
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) =>
      untilServed(() => {
        const patientemail = `other${index}@mail.example`;
        return index % 2 === 0
          ? undo(drGrey, 'Cancelled', visit)
          : clinic.requestBooking({ role: 'patient', email: patientemail }, { patientemail });
      }),
    ),
  );
  for (const { status } of answers) assert.ok([200, 201, 409, 412].includes(status), String(status));
  // Whoever sends the same undo again is told that it is done.
  const booked = answers.filter(({ status }) => status === 201).length;
  const undone = answers.some(({ status }) => status === 200);
  assert.equal(booked + Number(undone), 1);
  const records = await clinic.appointments.find({ status: { $ne: 'Cancelled' } }).toArray();
  assert.equal(records.length, 1);
});
