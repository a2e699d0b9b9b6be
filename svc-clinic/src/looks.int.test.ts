import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Look } from '@clinic/contracts';
import { looksWritten } from '@clinic/service-kit';
import { ann, ben, book, drGrey, sharedClinic, verdict, type Who } from './testing/test-clinic.ts';

const clinic = await sharedClinic();
await clinic.addDoctor();

/** The views of a person's records, as admins see them. */
async function lookedAt(email: string): Promise<string[]> {
  await looksWritten(clinic.db);
  const looks = (await (await clinic.as('admin')(`/appoinments/looks?email=${email}`)).json()) as Look[];
  return looks.map(({ by, how, what }) => `${by.email} ${how} ${what}`).toSorted();
}

async function read(who: Who, path: string): Promise<void> {
  const answer = await clinic.as(who)(path);
  assert.equal(answer.status, 200, path);
  await answer.text();
}

test('shows a patient which staff opened, searched or exported their appointments', async () => {
  const { _id } = await book(clinic);
  await read(drGrey, `/appoinments/${_id}/history`);
  await read('admin', `/appoinments?email=${ann.email}`);
  assert.deepEqual(await lookedAt(ann.email), [
    'admin@clinic.example opened appointments',
    'grey@clinic.example opened appointments',
  ]);
  await read('admin', `/appoinments/export?email=${ann.email}`);
  assert.deepEqual(await lookedAt(ann.email), [
    'admin@clinic.example exported appointments',
    'grey@clinic.example opened appointments',
  ]);
  const own = (await (await clinic.as(ann)(`/appoinments/looks?email=${ann.email}`)).json()) as Look[];
  assert.deepEqual(own.map(({ by }) => JSON.stringify(by)).toSorted(), ['{"role":"admin"}', '{"role":"doctor"}']);
  assert.equal(await verdict(clinic.as(ben)(`/appoinments/looks?email=${ann.email}`)), '403 forbidden');
});

test('records patients found by a search, and calendar files, but not a doctor’s own day or a patient’s own list', async () => {
  const { _id } = await book(clinic, { patientemail: ben.email, patientname: 'Ben Ode', time: '09:30' });
  await read(drGrey, `/appoinments?email=${drGrey.email}`);
  await read(ben, `/appoinments?email=${ben.email}`);
  await read(ben, `/appoinments/${_id}/calendar`);
  assert.deepEqual(await lookedAt(ben.email), []);
  await read('admin', '/appoinments?q=ode&limit=5');
  await read(drGrey, `/appoinments/${_id}/calendar`);
  assert.deepEqual(await lookedAt(ben.email), [
    'admin@clinic.example searched appointments',
    'grey@clinic.example opened appointments',
  ]);
});
