import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Doctor, Pharmacist, Problem } from '@clinic/contracts';
import { drGrey, drHouse, startTestClinic, verdict, type TestClinic } from '../test-clinic.ts';

let clinic: TestClinic;
before(async () => {
  clinic = await startTestClinic();
});
after(() => clinic.close());
beforeEach(async () => {
  for (const collection of ['doctors', 'pharmacists', 'events']) await clinic.db.collection(collection).deleteMany({});
});

const profile = { name: 'Meredith Grey', email: drGrey.email, qualification: 'MD', specialization: 'Cardiologist', experience: 9, role: 'doctor' };
const create = (who: Parameters<TestClinic['as']>[0], json: unknown) => clinic.as(who)('/doc-pharma', { method: 'POST', json });

test('an admin creates a doctor whom patients find at once', async () => {
  const answer = await create('admin', { ...profile, email: 'Grey@Clinic.Example' });
  assert.equal(answer.status, 201);
  const doctor = (await answer.json()) as Doctor;
  assert.deepEqual([doctor.email, doctor.education, doctor.isAvailable, doctor.availableTimes], [drGrey.email, 'Cardiologist', true, []]);
  assert.deepEqual(await (await clinic.anonymous('/doctors')).json(), [doctor]);
  assert.deepEqual(await (await clinic.as(drGrey)(`/doc-pharma/${drGrey.email}`)).json(), [doctor]);
  const event = await clinic.db.collection('events').findOne({ 'record.type': 'doctor', 'record.id': doctor._id });
  assert.deepEqual([event?.['action'], event?.['actor'].email], ['created', 'admin@clinic.example']);
});

test('an admin creates a pharmacist, who is listed for admins only', async () => {
  const answer = await create('admin', { ...profile, name: 'Olivia Pym', email: 'olivia@clinic.example', role: 'pharmacist', specialization: 'Oncology' });
  assert.equal(answer.status, 201);
  const pharmacist = (await answer.json()) as Pharmacist;
  assert.deepEqual([pharmacist.experienceYears, pharmacist.status, pharmacist.specialization], [9, 'active', 'Oncology']);
  assert.deepEqual(await (await clinic.as('admin')('/pharmacists?q=onco&limit=5')).json(), [pharmacist]);
  assert.deepEqual(await (await clinic.as('admin')('/pharmacists?q=cardio')).json(), []);
  assert.equal(await verdict(clinic.anonymous('/pharmacists')), '401 unauthenticated');
  assert.equal(await verdict(clinic.as(drGrey)('/pharmacists')), '403 forbidden');
});

test('an e-mail has one profile of a kind, also when two admins are fast', async () => {
  const verdicts = await Promise.all(Array.from({ length: 5 }, () => verdict(create('admin', profile))));
  assert.deepEqual(verdicts.toSorted(), ['201', ...Array.from({ length: 4 }, () => '409 duplicate')]);
  const refused = (await (await create('admin', profile)).json()) as Problem;
  assert.deepEqual(refused.errors?.map(({ field }) => field), ['email']);
  assert.equal(await clinic.doctors.countDocuments({}), 1);
  assert.equal((await create('admin', { ...profile, role: 'pharmacist' })).status, 201);
});

test('each wrong field is named', async () => {
  for (const [field, value] of Object.entries({ name: '', email: 'x', qualification: ' ', specialization: 7, experience: -1, role: 'admin' })) {
    const problem = (await (await create('admin', { ...profile, [field]: value })).json()) as Problem;
    assert.deepEqual([problem.status, problem.errors?.map((error) => error.field)], [400, [field]], field);
  }
  assert.equal(await clinic.doctors.countDocuments({}), 0);
});

test('only admins create profiles, and doctors read their own only', async () => {
  assert.equal(await verdict(clinic.anonymous('/doc-pharma', { method: 'POST', json: profile })), '401 unauthenticated');
  for (const who of ['patient', 'pharmacist', 'doctor'] as const) assert.equal(await verdict(create(who, profile)), '403 forbidden');
  assert.equal(await clinic.doctors.countDocuments({}), 0);
  assert.equal(await verdict(clinic.as(drHouse)(`/doc-pharma/${drGrey.email}`)), '403 forbidden');
  assert.deepEqual(await (await clinic.as(drGrey)(`/doc-pharma/${drGrey.email}`)).json(), []);
});
