import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FreeTimes } from '../contract/schemas.ts';
import { ann, ben, drGrey } from '../testing/people.ts';
import { hoursAt, sharedClinic, verdict } from '../testing/test-clinic.ts';

const clinic = await sharedClinic({ CLINIC_OPENING_HOURS: '08:00-20:00' });

test('patients see, book and move to times within the opening hours only; the doctor and an admin also others', async () => {
  const doctor = await clinic.addDoctor(hoursAt(['03:00', '08:00', '09:00', '19:30', '19:45', '21:00']));
  const free = await clinic.anonymous(`/doctors/${doctor._id.toHexString()}/free-times?date=${clinic.soon}`);
  assert.deepEqual(((await free.json()) as FreeTimes).times, ['08:00', '09:00', '19:30']);
  for (const time of ['03:00', '21:00'])
    assert.equal(await verdict(clinic.requestBooking(ann, { patientemail: ann.email, time })), '400 validation_failed');
  const { _id } = await clinic.book({ patientemail: ann.email, time: '09:00' });
  assert.equal(await verdict(clinic.reschedule(ann, _id, clinic.soon, '21:00')), '400 validation_failed');
  assert.equal((await clinic.reschedule(drGrey, _id, clinic.soon, '21:00')).status, 200);
  assert.equal((await clinic.requestBooking('admin', { patientemail: ben.email, time: '03:00' })).status, 201);
});
