import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Look } from '@clinic/contracts';
import { looksWritten } from '@clinic/service-kit';
import { ann, ben, drGrey } from './testing/people.ts';
import { sharedClinic, type Who } from './testing/test-clinic.ts';

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

test('records patients found by a search, and calendar files, but not a doctor’s own day or a patient’s own list', async () => {
  const { _id } = await clinic.book({ patientemail: ben.email, patientname: 'Ben Ode', time: '09:30' });
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

test('records whose other appointments a plan of the desk takes into account, but not a doctor’s own', async () => {
  const plan = async (who: Who, path: string, json: object) => {
    const answer = await clinic.as(who)(path, { method: 'POST', json });
    assert.equal(answer.status, 200, `${path}: ${await answer.text()}`);
  };
  const { _id } = await clinic.book();
  const series = { first: { date: clinic.soon, time: '10:00' }, every: { unit: 'weeks', count: 1 }, count: 2 };
  const plans = {
    'desk@clinic.example': ['/appoinments/day/times', { appointments: [_id] }],
    'office@clinic.example': ['/appoinments/series/preview', { from: _id, ...series }],
  } as const;
  for (const [path, body] of Object.values(plans)) await plan(drGrey, path, body);
  assert.deepEqual(await lookedAt(ann.email), []);
  for (const [email, [path, body]] of Object.entries(plans)) await plan({ role: 'admin', email }, path, body);
  assert.deepEqual(
    await lookedAt(ann.email),
    Object.keys(plans).map((email) => `${email} opened appointments`),
  );
});
