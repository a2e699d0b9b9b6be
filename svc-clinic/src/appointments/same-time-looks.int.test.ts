import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Look } from '@clinic/contracts';
import { looksWritten } from '@clinic/service-kit';
import { admin, ann, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();
await clinic.addDoctor({ name: 'Dr. House', email: drHouse.email });

test('staff who read in a rejection when the patient is elsewhere are noted, where the patient finds it', async () => {
  const date = addDays(clinic.soon, 1);
  const { _id } = await clinic.book();
  await clinic.book({ doctoremail: drHouse.email, date });
  const elsewhere = { doctoremail: drHouse.email };
  assert.equal((await clinic.requestBooking(ann, elsewhere)).status, 409);
  await looksWritten(clinic.db);
  assert.deepEqual(await clinic.db.collection('looks').find().toArray(), []);

  const move = { method: 'PATCH', json: { date, time: '09:00' } };
  assert.equal((await clinic.requestBooking(admin, elsewhere)).status, 409);
  assert.equal((await clinic.as(drGrey)(`/appoinments/${_id}`, move)).status, 409);
  await looksWritten(clinic.db);
  const looks = await read<Look[]>(clinic.as(ann), `/appoinments/looks?email=${ann.email}`);
  assert.deepEqual(looks.map(({ by, how, what }) => `${by.role} ${how} ${what}`).toSorted(), [
    'admin opened appointments',
    'doctor opened appointments',
  ]);
});
