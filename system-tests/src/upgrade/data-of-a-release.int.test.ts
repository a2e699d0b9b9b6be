import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import type { Session, User } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import type { StockCheck } from '@clinic/svc-pharmacy/contract/stock-schemas';
import { demoAccounts } from '@clinic/demo-data';
import { openSessionWithGoogle } from '../support/google.ts';
import { startThreeServices, type ThreeServices } from '../support/three-services.ts';
import type { ServiceName } from '../support/every-call.ts';

// Data of release 0.1.0, in which records belonged to an email address only. `fixtures/data-0.1.0.tgz` is the data
// directory of its demo with these added: an appointment that the admin booked for later@mail.example, who had no
// account; one of the demo's patient; one of unconfirmed@mail.example, who had registered without confirming; an order
// of each of the two. All dates are in the past, so nothing here depends on today.

const archive = join(import.meta.dirname, '..', '..', 'fixtures', 'data-0.1.0.tgz');
const unconfirmed = { email: 'unconfirmed@mail.example', password: 'Quiet-4821' };
const later = 'later@mail.example';

let dataDir: string;
let services: ThreeServices;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'release-0.1.0-'));
  await promisify(execFile)('tar', ['-xzf', archive, '-C', dataDir]);
  services = await startThreeServices({ dataDir, projectId: 'demo-clinic' });
});
after(async () => {
  await services.close();
  await rm(dataDir, { recursive: true });
});

const read = async <T>(cookie: string, service: ServiceName, path: string): Promise<T> => {
  const answer = await services.from(cookie)(service)(path);
  assert.equal(answer.status, 200, `${path} answered ${answer.status}`);
  return (await answer.json()) as T;
};
const appointmentsOf = (cookie: string, email: string): Promise<Appointment[]> =>
  read(cookie, 'clinic', `/appoinments?email=${email}`);
const ordersOf = (cookie: string, email: string): Promise<Order[]> =>
  read(cookie, 'pharmacy', `/orderMedi?email=${email}`);
const ids = (records: readonly { readonly _id: string }[]): string[] => records.map(({ _id }) => _id).toSorted();

test('each demo account has the same rights as before', async () => {
  for (const [role, email] of Object.entries(demoAccounts)) {
    const { user } = await read<Session>(await services.signIn(email), 'identity', '/jwt/session');
    assert.deepEqual(
      [user.role, user.emailVerified, user.held, user.profileNeeded],
      [role, true, undefined, undefined],
      email,
    );
  }
  const admin = await services.signIn(demoAccounts.admin);
  const users = await read<User[]>(admin, 'identity', '/users');
  assert.ok(users.length > 10);
  assert.equal((await read<Appointment[]>(admin, 'clinic', '/appoinments')).length, 43);
  assert.ok((await read<Order[]>(admin, 'pharmacy', '/orderMedi')).length > 2);
});

test('patient and doctor see and change the same appointments and orders as before', async () => {
  const admin = await services.signIn(demoAccounts.admin);
  for (const email of [demoAccounts.patient, demoAccounts.doctor]) {
    const own = await services.signIn(email);
    const appointments = await appointmentsOf(own, email);
    assert.ok(appointments.length > 0, email);
    assert.deepEqual(ids(appointments), ids(await appointmentsOf(admin, email)), email);
    assert.deepEqual(ids(await ordersOf(own, email)), ids(await ordersOf(admin, email)), email);
    for (const { _id } of appointments)
      assert.equal((await services.from(own)('clinic')(`/appoinments/${_id}/history`)).status, 200);
  }
  const doctor = await services.signIn(demoAccounts.doctor);
  const [waiting] = await read<Appointment[]>(
    doctor,
    'clinic',
    `/appoinments/unconfirmed?email=${demoAccounts.doctor}`,
  );
  assert.ok(waiting);
  const change = async (path: string, json: object): Promise<number> =>
    (await services.from(doctor)('clinic')(path, { method: 'PATCH', json })).status;
  // It is over, so it stays Pending; what is known of its patient can still be corrected.
  assert.equal(await change(`/update-appoinment/${waiting._id}`, { newStatus: 'Confirmed' }), 409);
  assert.equal(await change(`/appoinments/${waiting._id}/details`, { patientname: 'Corrected' }), 200);
  const [profile] = await read<Doctor[]>(doctor, 'clinic', `/doc-pharma/${demoAccounts.doctor}`);
  assert.ok(profile);
  assert.equal(profile.isAvailable, true);
  for (const isAvailable of [false, true]) assert.equal(await change(`/doctors/${profile._id}`, { isAvailable }), 200);

  const patient = await services.signIn(demoAccounts.patient);
  const orders = await ordersOf(patient, demoAccounts.patient);
  assert.ok(orders.length > 0);
  for (const { _id } of orders)
    assert.equal((await services.from(patient)('pharmacy')(`/orderMedi/${_id}/history`)).status, 200);
  assert.equal((await read<StockCheck>(admin, 'pharmacy', '/medicine/stock-check')).different, 0);
  const pharmacist = await services.signIn(demoAccounts.pharmacist);
  const [medicine] = await read<Medicine[]>(pharmacist, 'pharmacy', '/medicine?limit=1');
  assert.ok(medicine);
  assert.equal(
    (
      await services.from(pharmacist)('pharmacy')(`/medicine/${medicine._id.$oid}`, {
        method: 'PATCH',
        json: { restock: 1 },
      })
    ).status,
    200,
  );
});

test('people who had registered without confirming keep what they made themselves', async () => {
  const own = await services.signIn(unconfirmed.email, unconfirmed.password);
  const { user } = await read<Session>(own, 'identity', '/jwt/session');
  assert.deepEqual([user.role, user.emailVerified], ['patient', false]);
  const [appointment, ...others] = await appointmentsOf(own, unconfirmed.email);
  assert.deepEqual([appointment?.patientname, others.length], ['Una Confirmed', 0]);
  assert.equal((await services.from(own)('clinic')(`/appoinments/${appointment?._id}/history`)).status, 200);
  const [order, ...more] = await ordersOf(own, unconfirmed.email);
  assert.deepEqual([order?.deliveryAddress, more.length], ['2 Road', 0]);
  assert.equal((await services.from(own)('pharmacy')(`/orderMedi/${order?._id}/history`)).status, 200);
});

test('what was booked for an address belongs to nobody until somebody confirms it', async () => {
  const admin = await services.signIn(demoAccounts.admin);
  const [booked] = await appointmentsOf(admin, later);
  assert.equal(booked?.patientname, 'Later Person');
  const signUp = await fetch(`${services.emulatorUrl}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=test`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: later, password: 'Stranger-Danger-9', returnSecureToken: true }),
  });
  assert.equal(signUp.status, 200);
  const stranger = await services.signIn(later, 'Stranger-Danger-9');
  assert.deepEqual(await appointmentsOf(stranger, later), []);
  assert.equal((await services.from(stranger)('clinic')(`/appoinments/${booked._id}/history`)).status, 403);
  assert.equal(
    (
      await services.from(stranger)('clinic')(`/update-appoinment/${booked._id}`, {
        method: 'PATCH',
        json: { newStatus: 'Cancelled' },
      })
    ).status,
    403,
  );

  const owner = await openSessionWithGoogle(services, later);
  assert.deepEqual(ids(await appointmentsOf(owner, later)), [booked._id]);
  assert.equal((await services.from(owner)('clinic')(`/appoinments/${booked._id}/history`)).status, 200);
});

test('a second start changes nothing', async () => {
  await services.close();
  services = await startThreeServices({ dataDir, projectId: 'demo-clinic' });
  const own = await services.signIn(demoAccounts.patient);
  const admin = await services.signIn(demoAccounts.admin);
  assert.deepEqual(
    ids(await appointmentsOf(own, demoAccounts.patient)),
    ids(await appointmentsOf(admin, demoAccounts.patient)),
  );
  for (const service of ['identity', 'clinic', 'pharmacy'] as const) {
    const changes = await services.databases[service].collection('schemaChanges').find().toArray();
    assert.ok(changes.length > 0, service);
    assert.ok(
      changes.every(({ finishedAt }) => finishedAt instanceof Date),
      service,
    );
  }
});
