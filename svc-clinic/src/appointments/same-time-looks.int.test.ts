import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type Look } from '@clinic/contracts';
import { looksWritten } from '@clinic/service-kit';
import { readJson } from '@clinic/service-kit/testing/read-json';
import type { Appointment } from '../contract/schemas.ts';
import { admin, ann, ben, drGrey, drHouse } from '../testing/people.ts';
import { read, sharedClinic, type Who } from '../testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();
await clinic.addDoctor({ name: 'Dr. House', email: drHouse.email });

const looksAt = async (patient: { readonly role: 'patient'; readonly email: string }): Promise<string[]> => {
  await looksWritten(clinic.db);
  const looks = await read<Look[]>(clinic.as(patient), `/appoinments/looks?email=${patient.email}`);
  return looks.map(({ by, how, what }) => `${by.role} ${how} ${what}`).toSorted();
};

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
  assert.deepEqual(await looksAt(ann), ['admin opened appointments', 'doctor opened appointments']);
});

const series = (who: Who, path: string, method: string, json: object) =>
  clinic.as(who)(`/appoinments/${path}`, { method, json });
const onDay = (days: number, time: string) => ({ date: addDays(clinic.soon, days), time });

test('a doctor who reads in a rejected series when the patient is elsewhere is noted', async () => {
  const { _id: from } = await clinic.book({ patientemail: ben.email, ...onDay(20, '09:00') });
  await clinic.book({ patientemail: ben.email, doctoremail: drHouse.email, ...onDay(27, '09:00') });
  const rejected = await series(drGrey, 'series', 'POST', { from, dates: [onDay(27, '09:00')] });
  assert.equal(rejected.status, 400);
  assert.deepEqual(await looksAt(ben), ['doctor opened appointments']);
});

test('so is one who moves a series', async () => {
  const cleo = { role: 'patient', email: 'cleo@mail.example' } as const;
  const { _id: from } = await clinic.book({ patientemail: cleo.email, ...onDay(20, '10:00') });
  const dates = [onDay(27, '10:00'), onDay(34, '10:00')];
  const [first] = await readJson<[Appointment]>(series(admin, 'series', 'POST', { from, dates }), 201);
  await clinic.book({ patientemail: cleo.email, doctoremail: drHouse.email, ...onDay(27, '09:30') });
  const change = { act: 'move', ...onDay(27, '09:30') };
  const rejected = await series(drGrey, `${first._id}/series`, 'PATCH', { seen: dates[0], change });
  assert.equal(rejected.status, 400);
  assert.deepEqual(await looksAt(cleo), ['admin opened appointments', 'doctor opened appointments']);
});
