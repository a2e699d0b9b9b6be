import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clinicCalls } from '../contract/calls.ts';
import { demoAccounts, demoWaiting, fullyBookedDoctor } from '@clinic/demo-data';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { collectionsOf } from '../collections.ts';
import { sharedClinic } from '../testing/test-clinic.ts';
import { seedClinic } from './seed-clinic.ts';

/** Forty around the day of the start, and all times of a fully booked doctor. */
const booked = 72;

const clinic = await sharedClinic({ DEMO_MODE: 'true' });

test('a demo starts with doctors, pharmacists and appointments that fit the contract', async () => {
  const admin = clinic.as('admin');
  const read = async (path: string): Promise<unknown> => (await admin(path)).json();
  const doctors = clinicCalls.listDoctors.response.parse(await read('/doctors'));
  const pharmacists = clinicCalls.listPharmacists.response.parse(await read('/pharmacists'));
  const appointments = clinicCalls.listAppointments.response.parse(await read('/appoinments'));
  assert.deepEqual(
    [doctors, pharmacists, appointments].map((list) => Array.isArray(list) && list.length),
    [18, 5, booked],
  );
  for (const { _id, status } of appointments) {
    const history = clinicCalls.getAppointmentHistory.response.parse(await read(`/appoinments/${_id}/history`));
    assert.equal(history[0]?.after['status'], status);
  }
});

test('a fully booked doctor has a waitlist, and nobody on it is offered a time', async () => {
  const admin = clinic.as('admin');
  const read = async (path: string): Promise<unknown> => (await admin(path)).json();
  const found = clinicCalls.listDoctors.response.parse(await read(`/doctors?email=${fullyBookedDoctor}`));
  const [doctor = assert.fail()] = [found].flat();
  assert.deepEqual([doctor.isAvailable, doctor.nextFree], [true, null]);
  await waitUntil(async () => (await collectionsOf(clinic.db).freedTimes.countDocuments({})) === 0);
  const waiting = clinicCalls.listWaitingForDoctor.response.parse(await read(`/doctors/${doctor._id}/waitlist`));
  assert.deepEqual(
    waiting.map(({ patientemail, status }) => [patientemail, status]),
    demoWaiting.map(({ email }) => [email, 'waiting']),
  );
});

test('the history of demo appointments can be searched by person', async () => {
  const appointments = await clinic.appointments
    .find({ people: demoAccounts.patient }, { projection: { _id: 1 } })
    .toArray();
  const events = clinicCalls.listClinicEvents.response.parse(
    await (await clinic.as('admin')(`/appoinments/events?person=${demoAccounts.patient}`)).json(),
  );
  assert.ok(appointments.length >= 8);
  assert.deepEqual(
    new Set(events.map(({ record }) => record.id)),
    new Set(appointments.map(({ _id }) => _id.toHexString())),
  );
});

test('seeding again, even concurrently, adds nothing', async () => {
  await Promise.all([seedClinic(clinic.context), seedClinic(clinic.context)]);
  assert.deepEqual(
    [await clinic.doctors.countDocuments({}), await clinic.appointments.countDocuments({})],
    [18, booked],
  );
});

test('replicas that start together seed an empty database once', async () => {
  for (const name of ['doctors', 'pharmacists', 'appointments', 'waitlist', 'events', 'markers'])
    await clinic.db.collection<{ _id: unknown }>(name).deleteMany({});
  await Promise.all(Array.from({ length: 4 }, () => seedClinic(clinic.context)));
  assert.deepEqual(
    [await clinic.doctors.countDocuments({}), await clinic.appointments.countDocuments({})],
    [18, booked],
  );
});
