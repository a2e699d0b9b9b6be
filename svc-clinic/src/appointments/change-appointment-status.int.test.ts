import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, type HistoryEntry, type Problem } from '@clinic/contracts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import type { PlannedMove } from '../contract/calendar-calls.ts';
import type { Appointment } from '../contract/schemas.ts';
import type { AppointmentStatus } from '../contract/transitions.ts';
import { admin, ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic, storedAppointment, type Who, verdict } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();
beforeEach(() => clinic.empty('appointments', 'events'));

const change = (who: Who, id: string, newStatus: string) =>
  clinic.as(who)(`/update-appoinment/${id}`, { method: 'PATCH', json: { newStatus } });
const statusOf = async (): Promise<AppointmentStatus | undefined> => (await clinic.appointments.findOne({}))?.status;
const changes = async () => {
  const events = await clinic.findEvents({ action: { $ne: 'booked' } });
  return events.map((event) => `${event['before'].status} → ${event['after'].status} by ${event['actor'].email}`);
};

for (const who of [ann, drGrey, admin]) {
  test(`its ${who.role} confirms and cancels, with a history entry each`, async () => {
    const { _id } = await clinic.book();
    const confirmed = await change(who, _id, 'Confirmed');
    assert.equal(confirmed.status, 200);
    assert.equal(((await confirmed.json()) as Appointment).status, 'Confirmed');
    assert.equal((await change(who, _id, 'Cancelled')).status, 200);
    assert.equal(await statusOf(), 'Cancelled');
    assert.deepEqual(await changes(), [`Pending → Confirmed by ${who.email}`, `Confirmed → Cancelled by ${who.email}`]);
  });
}

test('everybody with access to an appointment sees its history, latest first', async () => {
  const { _id } = await clinic.book();
  await change(drGrey, _id, 'Confirmed');
  await change('admin', _id, 'Cancelled');
  const history = async (who: Who) =>
    (await read<HistoryEntry[]>(clinic.as(who), `/appoinments/${_id}/history`)).map(({ action, actor }) => [
      action,
      actor?.role,
      actor?.email,
    ]);
  assert.deepEqual(await history('admin'), [
    ['status changed', 'admin', 'admin@clinic.example'],
    ['status changed', 'doctor', drGrey.email],
    ['booked', 'patient', ann.email],
  ]);
  assert.deepEqual(await history(ann), [
    ['status changed', 'admin', undefined],
    ['status changed', 'doctor', undefined],
    ['booked', 'patient', ann.email],
  ]);
  assert.equal(await verdict(clinic.anonymous(`/appoinments/${_id}/history`)), '401 unauthenticated');
  assert.equal(await verdict(clinic.as(ben)(`/appoinments/${_id}/history`)), '403 forbidden');
  assert.equal(await verdict(clinic.as('admin')(`/appoinments/${'a'.repeat(24)}/history`)), '404 not_found');
  assert.equal(await verdict(clinic.as('admin')('/appoinments/nonsense/history')), '400 bad_id');
});

test('nobody else can change its status, and a rejected change changes nothing', async () => {
  const { _id } = await clinic.book();
  const anonymous = clinic.anonymous(`/update-appoinment/${_id}`, {
    method: 'PATCH',
    json: { newStatus: 'Cancelled' },
  });
  assert.equal(await verdict(anonymous), '401 unauthenticated');
  for (const who of [ben, drHouse, 'pharmacist'] as const)
    assert.equal(await verdict(change(who, _id, 'Cancelled')), '403 forbidden');
  assert.equal(await statusOf(), 'Pending');
  assert.deepEqual(await changes(), []);
});

test('the history keeps the patient’s choice if the clinic cancels, but not if the patient does', async () => {
  const after = async (id: string): Promise<unknown> =>
    (await clinic.db.collection('events').findOne({ 'record.id': id, action: 'status changed' }))?.['after'];
  const cancel = (who: Who, id: string, patientChoice: string) =>
    clinic.as(who)(`/update-appoinment/${id}`, { method: 'PATCH', json: { newStatus: 'Cancelled', patientChoice } });
  const { _id } = await clinic.book();
  const rejected = await cancel('admin', _id, 'shouted');
  assert.equal(rejected.status, 400);
  assert.equal((await clinic.appointments.findOne({}))?.status, 'Pending');
  assert.equal((await cancel('admin', _id, 'agreed')).status, 200);
  assert.deepEqual(await after(_id), { status: 'Cancelled', patientChoice: 'agreed' });

  const own = await clinic.book();
  assert.equal((await cancel(ann, own._id, 'asked to move')).status, 200);
  assert.deepEqual(await after(own._id), { status: 'Cancelled' });
});

test('Cancelled is final; even requesting it again is rejected', async () => {
  const { _id } = await clinic.book();
  await change(ann, _id, 'Cancelled');
  for (const status of ['Pending', 'Confirmed', 'Cancelled'])
    assert.equal(await verdict(change('admin', _id, status)), '409 transition_refused');
  assert.equal((await changes()).length, 1);
});

test('requesting the current status of an open appointment returns it unchanged', async () => {
  const { _id } = await clinic.book();
  const same = await change(ann, _id, 'Pending');
  assert.equal(same.status, 200);
  assert.equal(((await same.json()) as Appointment).status, 'Pending');
  await change(drGrey, _id, 'Confirmed');
  assert.equal((await change(drGrey, _id, 'Confirmed')).status, 200);
  assert.equal(await verdict(change(drGrey, _id, 'Pending')), '409 transition_refused');
  assert.equal((await changes()).length, 1);
});

test('distinguishes a malformed id, an unknown id and an unknown status', async () => {
  const { _id } = await clinic.book();
  assert.equal(await verdict(change('admin', 'nonsense', 'Confirmed')), '400 bad_id');
  assert.equal(await verdict(change('admin', 'f'.repeat(24), 'Confirmed')), '404 not_found');
  assert.equal(await verdict(change('admin', _id, 'Done')), '400 validation_failed');
});

test('cancelling frees the slot for the next patient', async () => {
  const { _id } = await clinic.book();
  const again = () => clinic.requestBooking(ben, { patientemail: ben.email });
  assert.equal(await verdict(again()), '409 slot_taken');
  await change(drGrey, _id, 'Cancelled');
  assert.equal(await verdict(again()), '201');
  assert.equal(await verdict(change(ann, _id, 'Confirmed')), '409 transition_refused');
});

test('of many concurrent cancellations exactly one takes effect', async () => {
  const { _id } = await clinic.book();
  const verdicts = await Promise.all(Array.from({ length: 10 }, () => verdict(change(ann, _id, 'Cancelled'))));
  assert.deepEqual(verdicts.toSorted(), ['200', ...Array.from({ length: 9 }, () => '409 transition_refused')]);
  assert.equal((await changes()).length, 1);
});

test('a confirmation is for the appointment on screen: one that has moved or changed meanwhile is answered 409 and says how', async () => {
  const appointment = await clinic.book();
  const { _id, date, time } = appointment;
  const confirm = (seen: object) =>
    clinic.as(drGrey)(`/update-appoinment/${_id}`, { method: 'PATCH', json: { newStatus: 'Confirmed', seen } });
  assert.equal((await clinic.reschedule(ann, _id, date, '09:30')).status, 200);
  const moved = await confirm({ date, time, status: 'Pending' });
  assert.equal(moved.status, 409);
  assert.match(((await moved.json()) as { detail: string }).detail, /moved from .* 9:00 AM to .* 9:30 AM/);
  assert.equal((await clinic.appointments.findOne({}))?.status, 'Pending');
  assert.equal((await confirm({ date, time: '09:30', status: 'Pending' })).status, 200);
  // A client may repeat a request whose response it lost.
  assert.equal((await confirm({ date, time: '09:30', status: 'Pending' })).status, 200);
  const cancel = await clinic.as(ann)(`/update-appoinment/${_id}`, {
    method: 'PATCH',
    json: { newStatus: 'Cancelled', seen: { date, time: '09:30', status: 'Pending' } },
  });
  assert.equal(cancel.status, 409);
  assert.equal((await clinic.appointments.findOne({}))?.status, 'Confirmed');
});

test('a visit that is over is neither confirmed, cancelled nor moved, unless its patient still waits', async () => {
  const { _id } = storedAppointment({ date: clinic.soon, time: '09:00' });
  const over = storedAppointment({ _id, date: addDays(clinic.today, -1), time: '09:00', status: 'Pending' });
  await clinic.appointments.insertOne({ ...over, accounts: [], series: { id: _id, number: 1, of: 2 } });
  const id = _id.toHexString();
  for (const [newStatus, detail] of [
    [
      'Cancelled',
      'This visit is over, so it can’t be cancelled any more. If the patient didn’t come, note “Didn’t come” instead.',
    ],
    [
      'Confirmed',
      'This visit is over, so it can’t be confirmed any more. If the patient still needs it, book a new one.',
    ],
  ] as const) {
    const answer = await change(admin, id, newStatus);
    const problem = (await answer.json()) as Problem;
    assert.deepEqual([answer.status, problem.code, problem.detail], [409, 'transition_refused', detail]);
  }
  const asked = (path: string, json: object, method = 'POST') =>
    clinic.as(admin)(`/appoinments/${path}`, { method, json });
  const to = { date: clinic.soon, time: '09:00' };
  const later = { ...to, alsoThen: true };
  const seen = { doctoremail: over.doctorEmail, date: over.date, time: over.time };
  const colleague = { ...later, doctoremail: drHouse.email, patientChoice: 'agreed' };
  const notMoved = 'This visit is over, so it can’t be moved any more. If the patient still needs it, book a new one.';
  for (const moved of [
    asked(id, later, 'PATCH'),
    asked(`${id}/doctor`, colleague, 'PATCH'),
    asked(`${id}/series`, { seen, change: { act: 'move', ...later } }, 'PATCH'),
  ]) {
    const problem = (await (await moved).json()) as Problem;
    assert.deepEqual([(await moved).status, problem.code, problem.detail], [409, 'transition_refused', notMoved]);
  }
  for (const json of [{}, { to }]) {
    const { visits } = await readJson<{ visits: { conflict?: string }[] }>(asked(`${id}/series/preview`, json), 200);
    assert.match(visits[0]?.conflict ?? '', /^This visit is over/);
  }
  const [planned] = await readJson<PlannedMove[]>(asked('day/times', { appointments: [id], date: clinic.soon }), 200);
  assert.equal(planned?.conflict, notMoved);
  assert.equal(await statusOf(), 'Pending');
  assert.deepEqual(await changes(), []);
  // The doctor runs late.
  const { date, time } = over;
  const since = new Date();
  const attendance = { date, time, state: 'arrived' as const, since, arrivedAt: since, number: 1 };
  await clinic.appointments.updateOne({ _id }, { $set: { attendance } });
  assert.equal((await asked(id, later, 'PATCH')).status, 200);
  assert.equal((await change(admin, id, 'Cancelled')).status, 200);
});
