import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '@clinic/contracts';
import type { OutsideAppointment } from '../contract/schedule-schemas.ts';
import { newId } from '@clinic/service-kit';
import type { ObjectId } from 'mongodb';
import { ann, ben, drGrey } from '../testing/people.ts';
import { hoursAt, read, sharedClinic, storedAppointment, verdict } from '../testing/test-clinic.ts';
import { keptPromises, promiseVisits } from './keep-promises.ts';

const clinic = await sharedClinic();
const hours = hoursAt(['09:00', '10:00'], 60);
const doctor = await clinic.addDoctor({ ...hours, location: 'Level 3' });
const path = `/doctors/${doctor._id.toHexString()}`;
beforeEach(async () => {
  await clinic.empty('appointments', 'events');
  await clinic.doctors.updateOne({}, { $set: { ...hours, location: 'Level 3' } });
});

/** An appointment as the previous release stores it. */
async function former(time: string, fields: object = {}, date = clinic.soon): Promise<ObjectId> {
  const { duration: _duration, place: _place, cells: _cells, ...row } = storedAppointment({ date, time });
  const _id = newId();
  await clinic.appointments.insertOne({ ...row, ...fields, _id });
  return _id;
}

const migrate = () => promiseVisits(5).up(clinic.context);
const follow = (...ids: ObjectId[]) =>
  keptPromises(clinic.context.settings).rewrite({ db: clinic.db, stopping: new AbortController().signal }, ids);

test('appointments of the previous release get length and place from the hours in force, again and again alike', async () => {
  const ids = [await former('09:00'), await former('13:00'), await former('09:00', {}, addDays(clinic.today, -300))];
  await migrate();
  const migrated = await clinic.appointments
    .find({ _id: { $in: ids } })
    .sort({ date: -1, time: 1 })
    .toArray();
  assert.deepEqual(
    migrated.map(({ duration, place, cells }) => [duration, place, cells?.length]),
    [
      ['PT60M', 'Level 3', 60],
      ['PT60M', 'Level 3', 60],
      // Nobody can book in the past.
      ['PT60M', 'Level 3', undefined],
    ],
  );
  await migrate();
  const again = await clinic.appointments
    .find({ _id: { $in: ids } })
    .sort({ date: -1, time: 1 })
    .toArray();
  assert.deepEqual(again, migrated);
});

test('two that overlap are both kept, and one is listed for staff until it moves', async () => {
  await former('09:00');
  await former('09:30', { patientEmail: ben.email });
  await migrate();
  assert.equal(await clinic.appointments.countDocuments({ status: 'Confirmed' }), 2);
  const marked = await clinic.appointments.find({ overlaps: true }).toArray();
  assert.deepEqual([marked.length, marked[0]?.cells], [1, undefined]);
  const second = marked[0]?._id ?? assert.fail();
  // One at 9:30 was outside the hours anyway.
  await clinic.appointments.updateOne(
    { overlaps: { $ne: true } },
    { $set: { keptAt: { date: clinic.soon, time: '09:30' } } },
  );
  const preview = async (): Promise<OutsideAppointment[]> => {
    const schedule = await read<object>(clinic.as(drGrey), `${path}/schedule`);
    const answer = await clinic.as(drGrey)(`${path}/schedule/preview`, { method: 'POST', json: schedule });
    return ((await answer.json()) as { outside: OutsideAppointment[] }).outside;
  };
  assert.deepEqual(
    (await preview()).map(({ _id, why, promised }) => [_id, why, promised]),
    [[second.toHexString(), ['overlap'], { minutes: 60, place: 'Level 3' }]],
  );
  // Its time is nobody else's.
  await clinic.doctors.updateOne({}, { $set: hoursAt(['09:50'], 15) });
  assert.equal(await verdict(clinic.requestBooking(ben, { patientemail: ben.email, time: '09:50' })), '409 slot_taken');
  await clinic.doctors.updateOne({}, { $set: hours });
  const moved = await clinic.as('admin')(`/appoinments/${second.toHexString()}`, {
    method: 'PATCH',
    json: { date: addDays(clinic.soon, 1), time: '09:00' },
  });
  assert.equal(moved.status, 200);
  assert.deepEqual(await preview(), []);
});

test('what a replica of the previous release books or moves gets its promise a moment later', async () => {
  const booked = await former('09:00');
  const { _id } = await clinic.book({ time: '10:00' });
  const own = await clinic.appointments.findOne({ status: 'Pending' });
  assert.equal(own?._id.toHexString(), _id);
  await clinic.appointments.updateOne({ _id: own?._id ?? booked }, { $set: { date: addDays(clinic.soon, 1) } });
  assert.equal(await follow(booked, own?._id ?? booked), 2);
  assert.equal(await follow(booked, own?._id ?? booked), 0);
  for (const row of await clinic.appointments.find({}).toArray()) assert.equal(row.cells?.length, 60);
  // Now its former time is free and the new one taken.
  assert.equal(await verdict(clinic.requestBooking(ann, { time: '10:00' })), '201');
});
