import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ObjectId } from 'mongodb';
import type { User } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { followData } from '../access/watched.ts';
import { register } from '../privacy/newcomer.ts';
import { openSessionWithGoogle } from '../support/google.ts';
import { people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { orderableMedicine } from '../support/orderable.ts';
import type { ServiceName } from '../support/every-call.ts';

// Attacks by people who enter an address that isn't theirs, and by people who lost their rights. Each runs against the
// real services.

let services: ThreeServices;
let admin: Browser;
before(async () => {
  services = await startThreeServices();
  admin = at(await services.signIn(people.admin.email));
  // Let the demo's own doctors get their records first, so that later changes are those of the tests.
  const doctors = await services.databases.identity.collection('users').distinct('email', { role: 'doctor' });
  await waitUntil(async () => {
    const without = { doctorEmail: { $in: doctors }, doctorAccountId: { $exists: false } };
    return (await services.databases.clinic.collection('appointments').countDocuments(without)) === 0;
  });
});
after(() => services.close());

type Browser = (service: ServiceName, method: string, path: string, json?: unknown) => Promise<Response>;
const at =
  (cookie: string): Browser =>
  (service, method, path, json) =>
    services.from(cookie)(service)(path, { method, ...(json !== undefined && { json }) });
const bodyOf = async <T>(answer: Promise<Response>): Promise<T> => {
  const response = await answer;
  assert.ok(response.ok, `answered ${response.status}: ${await response.clone().text()}`);
  return (await response.json()) as T;
};
const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status;

let slots = 0;
/** A different slot each time, some days from now. */
function slot(): { date: string; time: string } {
  slots += 1;
  const date = new Date(Date.now() + (20 + slots) * 86_400_000).toISOString().slice(0, 10);
  return { date, time: '10:00' };
}
const booking = (patientemail: string, doctoremail: string) => ({
  patientname: 'Pat Ient',
  patientemail,
  age: 40,
  address: '1 Secret Road',
  number: '+880 1700 123456',
  doctoremail,
  ...slot(),
});
const profileOf = (email: string, role: 'doctor' | 'pharmacist' = 'doctor') => ({
  name: 'Dr. New',
  email,
  qualification: 'MBBS',
  specialization: 'Dermatology',
  experience: 3,
  role,
});
const doctorOf = async (email: string): Promise<Doctor> => {
  const [doctor] = await bodyOf<Doctor[]>(admin('clinic', 'GET', `/doctors?email=${email}`));
  return doctor ?? assert.fail(`there is no doctor ${email}`);
};
const userOf = (email: string): Promise<User> => bodyOf(admin('identity', 'GET', `/users/${email}`));
const giveRole = async (email: string, newRole: string): Promise<number> =>
  statusOf(admin('identity', 'PATCH', `/update-role/${(await userOf(email))._id}`, { newRole }));

test('a stranger who registers a doctor’s address gets none of the doctor’s records, and the doctor gets all of them', async () => {
  const email = 'new.doctor@clinic.example';
  assert.equal(await statusOf(admin('clinic', 'POST', '/doc-pharma', profileOf(email))), 201);
  const doctor = await doctorOf(email);
  await bodyOf(admin('clinic', 'PATCH', `/doctors/${doctor._id}`, { availableTimes: ['10:00'] }));
  const patient = at(await services.signIn(people.patient.email));
  const appointment = await bodyOf<Appointment>(
    patient('clinic', 'POST', '/appoinments', booking(people.patient.email, email)),
  );
  const stranger = at((await register(services, { email })).cookie);

  assert.deepEqual(await bodyOf(stranger('clinic', 'GET', `/appoinments?email=${email}`)), []);
  assert.deepEqual(await bodyOf(stranger('clinic', 'GET', `/doc-pharma/${email}`)), []);
  const copy = JSON.stringify(await bodyOf(stranger('clinic', 'GET', `/appoinments/export?email=${email}`)));
  for (const secret of ['Secret Road', '123456', people.patient.email, appointment._id, doctor._id])
    assert.ok(!copy.includes(secret), secret);
  // After the export, which counts towards the stranger's own limit of the day.
  const data = followData(services);
  await data.changesIn('clinic');
  const rejected: readonly (readonly [string, string, unknown?])[] = [
    ['GET', `/appoinments/unconfirmed?email=${email}`],
    ['GET', `/appoinments/${appointment._id}/history`],
    ['GET', `/appoinments/${appointment._id}/calendar`],
    ['GET', `/doctors/${doctor._id}/outside-times`],
    ['PATCH', `/update-appoinment/${appointment._id}`, { newStatus: 'Confirmed' }],
    ['PATCH', `/update-appoinment/${appointment._id}`, { newStatus: 'Cancelled' }],
    ['PATCH', `/appoinments/${appointment._id}`, slot()],
    ['PATCH', `/doctors/${doctor._id}`, { isAvailable: false }],
    ['PATCH', `/doctors/${doctor._id}`, { availableTimes: ['03:00'] }],
  ];
  for (const [method, path, json] of rejected)
    assert.equal(await statusOf(stranger('clinic', method, path, json)), 403, `${method} ${path}`);
  for (const role of ['doctor', 'admin']) assert.equal(await giveRole(email, role), 403);
  // That they asked for a copy is counted in `persons`.
  const changes = (await data.changesIn('clinic')).filter(({ key }) => !key.startsWith('persons '));
  assert.deepEqual(changes, []);
  await data.close();

  const owner = at(await openSessionWithGoogle(services, email));
  assert.equal(await giveRole(email, 'doctor'), 200);
  const really = at(await openSessionWithGoogle(services, email));
  await waitUntil(async () => (await bodyOf<Doctor[]>(really('clinic', 'GET', `/doc-pharma/${email}`))).length === 1);
  await waitUntil(async () =>
    (await bodyOf<Appointment[]>(really('clinic', 'GET', `/appoinments?email=${email}`))).some(
      ({ _id }) => _id === appointment._id,
    ),
  );
  assert.equal(
    await statusOf(really('clinic', 'PATCH', `/update-appoinment/${appointment._id}`, { newStatus: 'Confirmed' })),
    200,
  );
  assert.equal(
    await statusOf(really('clinic', 'PATCH', `/doctors/${doctor._id}`, { availableTimes: ['09:00', '10:00'] })),
    200,
  );
  // The session from before the role was given, and the stranger's.
  assert.equal(await statusOf(owner('clinic', 'GET', `/appoinments/unconfirmed?email=${email}`)), 401);
  await waitUntil(async () => (await statusOf(stranger('clinic', 'GET', `/appoinments?email=${email}`))) === 401);
});

test('what staff booked for an address is visible to its owner, and to nobody who only typed it', async () => {
  const email = 'grandmother@mail.example';
  const booked = await bodyOf<Appointment>(
    admin('clinic', 'POST', '/appoinments', booking(email, people.doctor.email)),
  );
  const stranger = at((await register(services, { email })).cookie);
  assert.deepEqual(await bodyOf(stranger('clinic', 'GET', `/appoinments?email=${email}`)), []);
  for (const json of [{ newStatus: 'Cancelled' }, { newStatus: 'Confirmed' }])
    assert.equal(await statusOf(stranger('clinic', 'PATCH', `/update-appoinment/${booked._id}`, json)), 403);
  // The stranger's own bookings are theirs, but earlier ones still aren't.
  const own = await bodyOf<Appointment>(
    stranger('clinic', 'POST', '/appoinments', booking(email, people.doctor.email)),
  );
  assert.deepEqual(
    (await bodyOf<Appointment[]>(stranger('clinic', 'GET', `/appoinments?email=${email}`))).map(({ _id }) => _id),
    [own._id],
  );

  const owner = at(await openSessionWithGoogle(services, email));
  // What the stranger booked stays with the account that was given up when the owner came.
  assert.deepEqual(
    (await bodyOf<Appointment[]>(owner('clinic', 'GET', `/appoinments?email=${email}`))).map(({ _id }) => _id),
    [booked._id],
  );
  // That account is deleted by itself, with what it booked.
  const { clinic, identity } = services.databases;
  await waitUntil(async () => {
    const left = await clinic.collection('appointments').findOne({ _id: new ObjectId(own._id) });
    assert.deepEqual([left?.['status'], left?.['patientName']], ['Cancelled', 'Deleted person']);
    assert.equal(await identity.collection('users').countDocuments({ erasingSince: { $exists: true } }), 0);
  });
  const next = await bodyOf<Appointment>(admin('clinic', 'POST', '/appoinments', booking(email, people.doctor.email)));
  assert.ok(
    (await bodyOf<Appointment[]>(owner('clinic', 'GET', `/appoinments?email=${email}`))).some(
      ({ _id }) => _id === next._id,
    ),
  );
});

test('a squatter on a customer’s address sees no order, and no order is assigned before the address is confirmed', async () => {
  const email = 'customer@mail.example';
  const first = await register(services, { email });
  const order = await bodyOf<Order>(
    first.at('pharmacy')('/orderMedi', {
      method: 'POST',
      json: {
        items: [
          { medicineId: (await orderableMedicine(services.from('')('pharmacy'))).medicine.medicineId, quantity: 1 },
        ],
        deliveryAddress: first.street,
        customeremail: email,
        customerPhone: first.phone,
      },
    }),
  );
  const others = [at(await services.signIn(people.patient.email)), at((await register(services)).cookie)];
  for (const other of others) {
    assert.equal(await statusOf(other('pharmacy', 'GET', `/orderMedi?email=${email}`)), 403);
    assert.equal(await statusOf(other('pharmacy', 'GET', `/orderMedi/${order._id}/history`)), 403);
    assert.equal(
      await statusOf(other('pharmacy', 'PATCH', `/orderMedi/${order._id}`, { newStatus: 'Cancelled' })),
      403,
    );
  }
});

/** A separate doctor for a test, with an appointment ahead. */
async function practisingDoctor(name: string) {
  const email = `${name}@clinic.example`;
  assert.equal(await statusOf(admin('clinic', 'POST', '/doc-pharma', profileOf(email))), 201);
  await openSessionWithGoogle(services, email);
  assert.equal(await giveRole(email, 'doctor'), 200);
  const browser = at(await openSessionWithGoogle(services, email));
  const profile = await doctorOf(email);
  await waitUntil(
    async () =>
      (await statusOf(
        browser('clinic', 'PATCH', `/doctors/${profile._id}`, { availableTimes: ['10:00'], isAvailable: true }),
      )) === 200,
  );
  const appointment = await bodyOf<Appointment>(
    admin('clinic', 'POST', '/appoinments', booking(people.otherPatient.email, email)),
  );
  return { email, browser, profile, appointment };
}

const leavings: Readonly<Record<string, (email: string) => Promise<number>>> = {
  'lost the role': (email) => giveRole(email, 'patient'),
  'was switched off': (email) => statusOf(admin('identity', 'PATCH', `/users/${email}/access`, { disabled: true })),
};
for (const [what, leave] of Object.entries(leavings)) {
  test(`a doctor who ${what} can’t read or change anything any more, and nobody can book them`, async () => {
    const { email, browser, profile, appointment } = await practisingDoctor(`leaver-${what.replace(/\W/g, '-')}`);
    assert.equal((await doctorOf(email)).isAvailable, true);
    assert.equal(await leave(email), 200);
    await waitUntil(async () => !(await doctorOf(email)).isAvailable);
    await waitUntil(async () => (await statusOf(browser('clinic', 'GET', `/appoinments?email=${email}`))) === 401);
    const patient = at(await services.signIn(people.patient.email));
    assert.equal(await statusOf(patient('clinic', 'POST', '/appoinments', booking(people.patient.email, email))), 400);
    assert.equal((await doctorOf(email)).nextFree, null);

    if (what === 'lost the role') {
      const former = at(await openSessionWithGoogle(services, email));
      assert.deepEqual(await bodyOf(former('clinic', 'GET', `/appoinments?email=${email}`)), []);
      assert.equal(await statusOf(former('clinic', 'GET', `/appoinments/unconfirmed?email=${email}`)), 403);
      assert.equal(await statusOf(former('clinic', 'GET', `/appoinments/${appointment._id}/history`)), 403);
      assert.equal(
        await statusOf(former('clinic', 'PATCH', `/update-appoinment/${appointment._id}`, { newStatus: 'Confirmed' })),
        403,
      );
      assert.equal(await statusOf(former('clinic', 'PATCH', `/doctors/${profile._id}`, { isAvailable: true })), 403);
      assert.equal((await doctorOf(email)).isAvailable, false);
      const copy = JSON.stringify(await bodyOf(former('clinic', 'GET', `/appoinments/export?email=${email}`)));
      for (const secret of ['Secret Road', '123456', people.otherPatient.email])
        assert.ok(!copy.includes(secret), secret);
      assert.equal(await giveRole(email, 'doctor'), 200);
    } else {
      assert.equal(await statusOf(admin('identity', 'PATCH', `/users/${email}/access`, { disabled: false })), 200);
    }
    await waitUntil(async () => (await doctorOf(email)).isAvailable);
  });
}
