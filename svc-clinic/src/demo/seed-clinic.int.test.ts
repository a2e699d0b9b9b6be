import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls } from '@clinic/contracts/calls';
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
  const doctors = calls.listDoctors.response.parse(await read('/doctors'));
  const pharmacists = calls.listPharmacists.response.parse(await read('/pharmacists'));
  const appointments = calls.listAppointments.response.parse(await read('/appoinments'));
  assert.deepEqual(
    [doctors, pharmacists, appointments].map((list) => Array.isArray(list) && list.length),
    [18, 5, booked],
  );
  for (const { _id, status } of appointments) {
    const history = calls.getAppointmentHistory.response.parse(await read(`/appoinments/${_id}/history`));
    assert.equal(history[0]?.after['status'], status);
  }
});

test('a fully booked doctor has a waitlist, and nobody on it is offered a time', async () => {
  const admin = clinic.as('admin');
  const read = async (path: string): Promise<unknown> => (await admin(path)).json();
  const found = calls.listDoctors.response.parse(await read(`/doctors?email=${fullyBookedDoctor}`));
  const [doctor = assert.fail()] = [found].flat();
  assert.deepEqual([doctor.isAvailable, doctor.nextFree], [true, null]);
  await waitUntil(async () => (await collectionsOf(clinic.db).freedTimes.countDocuments({})) === 0);
  const waiting = calls.listWaitingForDoctor.response.parse(await read(`/doctors/${doctor._id}/waitlist`));
  assert.deepEqual(
    waiting.map(({ patientemail, status }) => [patientemail, status]),
    demoWaiting.map(({ email }) => [email, 'waiting']),
  );
});

test('the history of demo appointments can be searched by person', async () => {
  const appointments = await clinic.appointments
    .find({ people: demoAccounts.patient }, { projection: { _id: 1 } })
    .toArray();
  const events = calls.listClinicEvents.response.parse(
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
