import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, clinicMoment, type HistoryEntry, type Problem } from '@clinic/contracts';
import type { Appointment } from '../contract/schemas.ts';
import type { AppointmentReport } from '../contract/reports.ts';
import { admin, ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic, storedAppointment, verdict } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor({ daysOff: [addDays(clinic.today, 9)] });
const later = addDays(clinic.soon, 1);
beforeEach(() => clinic.empty('appointments', 'appointmentTallies', 'persons', 'events'));

const slots = async () =>
  (await clinic.appointments.find({}).sort({ date: 1, time: 1 }).toArray()).map(({ date, time }) => `${date} ${time}`);
const moves = () => clinic.db.collection('events').countDocuments({ action: 'rescheduled' });

for (const who of [ann, drGrey, admin]) {
  const status = who === ann ? 'Pending' : 'Confirmed';
  test(`its ${who.role} moves it: the id stays, it is ${status}, the old slot is free, the new one held, and the history records it`, async () => {
    const { _id } = await clinic.book();
    await clinic.setStatus(drGrey, _id, 'Confirmed');
    const answer = await clinic.reschedule(who, _id, later, '10:00');
    assert.equal(answer.status, 200);
    const moved = (await answer.json()) as Appointment;
    assert.deepEqual([moved._id, moved.status, moved.date, moved.time], [_id, status, later, '10:00']);
    assert.equal(await verdict(clinic.requestBooking(ben, { patientemail: ben.email })), '201');
    const held = clinic.requestBooking(ben, { patientemail: ben.email, date: later, time: '10:00' });
    assert.equal(await verdict(held), '409 slot_taken');
    const [latest] = await read<HistoryEntry[]>(clinic.as('admin'), `/appoinments/${_id}/history`);
    const [was, is] = who === ann ? [{ status: 'Confirmed' }, { status }] : [{}, {}];
    assert.deepEqual(
      [latest?.action, latest?.actor?.email, latest?.before, latest?.after],
      ['rescheduled', who.email, { date: clinic.soon, time: '09:00', ...was }, { date: later, time: '10:00', ...is }],
    );
  });
}

test('a taken slot is rejected with the other free times of that day, and nothing moves', async () => {
  const { _id } = await clinic.book();
  await clinic.book({ patientemail: ben.email, date: later, time: '09:30' });
  const answer = await clinic.reschedule(ann, _id, later, '09:30');
  const problem = (await answer.json()) as Problem;
  assert.deepEqual([answer.status, problem.code, problem.freeTimes], [409, 'slot_taken', ['09:00', '10:00']]);
  assert.deepEqual(await slots(), [`${clinic.soon} 09:00`, `${later} 09:30`]);
  assert.equal(await moves(), 0);
});

test('a slot that can’t be booked is rejected at its field', async () => {
  const { _id } = await clinic.book();
  const fields = async (date: string, time: string) => {
    const answer = await clinic.reschedule(drGrey, _id, date, time);
    assert.equal(answer.status, 400);
    return ((await answer.json()) as Problem).errors?.map(({ field, message }) => `${field}: ${message}`);
  };
  assert.deepEqual(await fields(addDays(clinic.today, -1), '09:00'), ['date: Date is in the past']);
  assert.deepEqual(await fields(later, '09:15'), ['time: The doctor doesn’t see patients at this time']);
  assert.deepEqual(await fields(addDays(clinic.today, 9), '09:00'), ['date: The doctor is away on this day']);
  assert.deepEqual(await fields('2026-02-30', '9 am'), [
    'date: Date must be a date (yyyy-mm-dd)',
    'time: Time must be a time of day (HH:mm)',
  ]);
  assert.deepEqual(await slots(), [`${clinic.soon} 09:00`]);
});

test('others can’t move it, nobody can move a cancelled one, and a rejected move changes nothing', async () => {
  const { _id } = await clinic.book();
  const anonymous = clinic.anonymous(`/appoinments/${_id}`, { method: 'PATCH', json: { date: later, time: '09:00' } });
  assert.equal(await verdict(anonymous), '401 unauthenticated');
  for (const who of [ben, drHouse, 'pharmacist'] as const)
    assert.equal(await verdict(clinic.reschedule(who, _id, later, '09:00')), '403 forbidden');
  assert.equal(await verdict(clinic.reschedule('admin', 'f'.repeat(24), later, '09:00')), '404 not_found');
  assert.equal(await verdict(clinic.reschedule('admin', 'nonsense', later, '09:00')), '400 bad_id');
  await clinic.setStatus(ann, _id, 'Cancelled');
  assert.equal(await verdict(clinic.reschedule('admin', _id, later, '09:00')), '409 transition_refused');
  assert.deepEqual(await slots(), [`${clinic.soon} 09:00`]);
  assert.equal(await moves(), 0);
});

test('requesting its current slot returns it unchanged', async () => {
  const { _id } = await clinic.book();
  assert.equal(await verdict(clinic.reschedule(ann, _id, clinic.soon, '09:00')), '200');
  assert.equal(await moves(), 0);
});

test('patients can change and cancel until two hours before, doctor and admin at any time', async () => {
  const inMinutes = (minutes: number) => clinicMoment(new Date(Date.now() + minutes * 60_000), 'Asia/Dhaka');
  const bookedFor = async (minutes: number): Promise<string> => {
    await clinic.appointments.deleteMany({});
    const record = storedAppointment({
      patientId: clinic.issuer.idOf(ann.email),
      doctorAccountId: clinic.issuer.idOf(drGrey.email),
      ...inMinutes(minutes),
      status: 'Pending',
    });
    await clinic.appointments.insertOne(record);
    return record._id.toHexString();
  };
  let id = await bookedFor(118);
  assert.equal(await verdict(clinic.setStatus(ann, id, 'Cancelled')), '409 too_late');
  assert.equal(await verdict(clinic.reschedule(ann, id, later, '09:00')), '409 too_late');
  assert.equal(await verdict(clinic.setStatus(ann, id, 'Confirmed')), '200');
  assert.equal(await verdict(clinic.reschedule(drGrey, id, later, '09:00')), '200');
  id = await bookedFor(118);
  assert.equal(await verdict(clinic.setStatus('admin', id, 'Cancelled')), '200');
  id = await bookedFor(125);
  assert.equal(await verdict(clinic.reschedule(ann, id, later, '09:00')), '200');
  id = await bookedFor(125);
  assert.equal(await verdict(clinic.setStatus(ann, id, 'Cancelled')), '200');
});

test('a move that races a cancellation ends up cancelled', async () => {
  for (let round = 0; round < 10; round += 1) {
    await clinic.appointments.deleteMany({});
    const { _id } = await clinic.book();
    const [moved, cancelled] = await Promise.all([
      verdict(clinic.reschedule(drGrey, _id, later, '10:00')),
      verdict(clinic.setStatus(ann, _id, 'Cancelled')),
    ]);
    assert.equal(cancelled, '200');
    assert.ok(moved === '200' || moved === '409 transition_refused', moved);
    assert.deepEqual(await slots(), [moved === '200' ? `${later} 10:00` : `${clinic.soon} 09:00`]);
    assert.equal((await clinic.appointments.findOne({}))?.status, 'Cancelled');
  }
});

const waiting = async (): Promise<Appointment[]> =>
  await read<Appointment[]>(clinic.as(drGrey), `/appoinments/unconfirmed?email=${drGrey.email}`);

test('a confirmed appointment that its patient moves is pending, with its old time, until the doctor confirms it', async () => {
  const { _id } = await clinic.book();
  await clinic.setStatus(drGrey, _id, 'Confirmed');
  assert.deepEqual(await waiting(), []);
  const known = { date: clinic.soon, time: '09:00' };
  assert.deepEqual(
    ((await (await clinic.reschedule(ann, _id, later, '09:30')).json()) as Appointment).movedFrom,
    known,
  );
  await clinic.reschedule(ann, _id, later, '10:00');
  assert.deepEqual(
    (await waiting()).map(({ date, time, status, movedFrom }) => ({ date, time, status, movedFrom })),
    [{ date: later, time: '10:00', status: 'Pending', movedFrom: known }],
  );

  // The patient can't confirm it instead of the doctor, and trying changes nothing.
  const before = await clinic.appointments.findOne({});
  const rejected = await clinic.setStatus(ann, _id, 'Confirmed');
  const { code, detail } = (await rejected.json()) as Problem;
  assert.deepEqual(
    [rejected.status, code, detail],
    [403, 'forbidden', 'You moved this appointment, so your doctor has to confirm the new time.'],
  );
  assert.deepEqual(await clinic.appointments.findOne({}), before);
  assert.equal(await clinic.db.collection('events').countDocuments({ action: 'status changed' }), 1);
  await clinic.reschedule(ann, _id, later, '09:00');
  const confirmed = (await (await clinic.setStatus(drGrey, _id, 'Confirmed')).json()) as Appointment;
  assert.deepEqual([confirmed.status, 'movedFrom' in confirmed], ['Confirmed', false]);
  const record = await clinic.appointments.findOne({});
  assert.deepEqual([record?.status, record && 'movedFrom' in record, record?.sequence], ['Confirmed', false, 5]);
});

test('an admin can confirm a moved appointment too; after moving it back the patient can confirm it again', async () => {
  const { _id } = await clinic.book();
  await clinic.setStatus(drGrey, _id, 'Confirmed');
  await clinic.reschedule(ann, _id, later, '09:30');
  assert.equal(await verdict(clinic.setStatus('admin', _id, 'Confirmed')), '200');
  await clinic.reschedule(ann, _id, later, '10:00');
  assert.equal(await verdict(clinic.setStatus(ann, _id, 'Confirmed')), '403 forbidden');
  await clinic.reschedule(ann, _id, later, '09:30');
  assert.equal(await verdict(clinic.setStatus(ann, _id, 'Confirmed')), '200');
});

test('a patient’s confirmation never confirms their own concurrent move', async () => {
  for (let round = 0; round < 10; round += 1) {
    await clinic.appointments.deleteMany({});
    const { _id } = await clinic.book();
    await Promise.all([clinic.reschedule(ann, _id, later, '10:00'), clinic.setStatus(ann, _id, 'Confirmed')]);
    const record = await clinic.appointments.findOne({});
    assert.deepEqual(
      [record?.status, record?.time, record?.movedFrom],
      ['Pending', '10:00', { date: clinic.soon, time: '09:00' }],
    );
  }
});

for (const [what, act] of [
  ['moved back to where it was', (id: string) => clinic.reschedule(ann, id, clinic.soon, '09:00')],
  ['moved by its doctor', (id: string) => clinic.reschedule(drGrey, id, later, '10:00')],
  ['moved by an admin', (id: string) => clinic.reschedule('admin', id, later, '10:00')],
  ['cancelled', (id: string) => clinic.setStatus(ann, id, 'Cancelled')],
] as const) {
  test(`one moved by its patient and then ${what} is no longer marked`, async () => {
    const { _id } = await clinic.book();
    assert.deepEqual(((await (await clinic.reschedule(ann, _id, later, '09:30')).json()) as Appointment).movedFrom, {
      date: clinic.soon,
      time: '09:00',
    });
    const answer = await act(_id);
    assert.equal(answer.status, 200);
    assert.equal('movedFrom' in ((await answer.json()) as Appointment), false);
    assert.equal('movedFrom' in ((await clinic.appointments.findOne({})) ?? {}), false);
  });
}

test('the report and the calendar follow a patient’s move of a confirmed appointment', async () => {
  const { _id } = await clinic.book();
  await clinic.setStatus(drGrey, _id, 'Confirmed');
  await clinic.reschedule(ann, _id, later, '10:00');
  const report = await read<AppointmentReport>(
    clinic.as('admin'),
    `/appoinments/report?from=${clinic.soon}&to=${later}`,
  );
  assert.deepEqual(report.totals, { all: 1, pending: 1, confirmed: 0, cancelled: 0 });
  assert.deepEqual(
    report.byDay.map(({ date, pending }) => [date, pending]),
    [
      [clinic.soon, 0],
      [later, 1],
    ],
  );
  const file = await (await clinic.as(ann)(`/appoinments/${_id}/calendar`)).text();
  assert.match(file, /SEQUENCE:2\r\n/);
  assert.match(file, /STATUS:TENTATIVE\r\n/);
});
