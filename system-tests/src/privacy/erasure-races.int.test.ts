import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type User } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { erasedEmail } from '@clinic/contracts/erased-person';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { feedIsLive, people } from '../support/three-services.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { prove, register } from './newcomer.ts';
import {
  services,
  admin,
  doctor,
  today,
  post,
  bookFor,
  orderBody,
  aMedicine,
  deletePerson,
  deletionOf,
  deletionOver,
  startDeletion,
  everything,
  startForTests,
} from './deletions.ts';

startForTests();

test(
  'bookings, orders and their messages that race the deletion are either stored and erased with the rest, or rejected',
  { timeout: 300_000 },
  async () => {
    const zeb = await register(services);
    const { medicineId, quantity } = await aMedicine();
    let over = false;
    const made = { appointments: 0, orders: 0 };
    /** A service that is too busy can't say whether it went through. */
    const unsure = { appointments: 0, orders: 0 };
    const assertAll = (what: keyof typeof made, stored: number): void =>
      assert.ok(stored >= made[what] && stored <= made[what] + unsure[what], `${what}: ${stored}`);
    const keepDoing = async (what: keyof typeof made, once: () => Promise<Response>): Promise<void> => {
      while (!over) {
        const { status } = await once();
        if (status === 201) made[what] += 1;
        else if (status === 401) return;
        else if (status === 503) unsure[what] += 1;
        else assert.equal(status, 409);
      }
    };
    const racing = [
      ...[0, 1, 2].map((index) => {
        let next = 400 + index * 500;
        return keepDoing('appointments', () => {
          next += 1;
          return zeb.at('clinic')('/appoinments', {
            method: 'POST',
            json: {
              patientname: zeb.firstName,
              patientemail: zeb.email,
              age: 78,
              address: zeb.street,
              number: zeb.phone,
              date: addDays(today, next),
              time: doctor.availableTimes[0],
              doctoremail: doctor.email,
            },
          });
        });
      }),
      ...[0, 1].map(() =>
        keepDoing('orders', () =>
          zeb.at('pharmacy')('/orderMedi', {
            method: 'POST',
            json: { ...orderBody(zeb, medicineId), items: [{ medicineId, quantity: 1 }] },
          }),
        ),
      ),
    ];
    await waitUntil(() => made.appointments >= 3 && made.orders >= 3);
    const userId = await deletePerson(zeb.email);
    over = true;
    await Promise.all(racing);

    // Messages that svc-messages takes in meanwhile are dropped once they are stored.
    await waitUntil(async () => !(await everything()).includes(zeb.lastName.toLowerCase()));
    const { clinic, pharmacy, messages } = services.databases;
    assertAll(
      'appointments',
      await clinic.collection('appointments').countDocuments({ patientEmail: erasedEmail(userId) }),
    );
    assert.equal(
      await clinic
        .collection('appointments')
        .countDocuments({ patientEmail: erasedEmail(userId), status: { $ne: 'Cancelled' } }),
      0,
    );
    assertAll(
      'orders',
      await pharmacy.collection('orders').countDocuments({ customerEmail: erasedEmail(userId), status: 'Cancelled' }),
    );
    assert.equal((await aMedicine()).quantity, quantity);
    await waitUntil(async () => (await messages.collection('messages').countDocuments({ 'to.account': userId })) === 0);
  },
);

test('an interrupted deletion continues where it stopped', { timeout: 300_000 }, async () => {
  const zeb = await register(services);
  await bookFor(zeb);
  const stateOf = async (userId: string, service: string) =>
    (await deletionOf(userId)).services.find((one) => one.service === service);
  // Nobody but the service itself knows what it keeps: until it is back, the account stays.
  await services.stop('pharmacy');
  const userId = await startDeletion(zeb.email);
  await waitUntil(async () => assert.equal((await stateOf(userId, 'clinic'))?.state, 'done'));
  assert.equal((await stateOf(userId, 'clinic'))?.cancelled, 1);
  assert.equal((await stateOf(userId, 'pharmacy'))?.state, 'waiting');
  assert.equal((await deletionOf(userId)).account.state, 'waiting');
  await services.stopIdentity();
  await services.restartIdentity();
  await Promise.all([feedIsLive(services.urls.clinic), feedIsLive(services.urls.identity)]);
  const [listed] = await readJson<User[]>(admin('identity')(`/users?q=${zeb.email}`));
  assert.equal(listed?.erasing, true);
  await services.start('pharmacy');
  const over = await deletionOver(userId);
  assert.deepEqual(
    over.services.map(({ service, state }) => [service, state]),
    [
      ['clinic', 'done'],
      ['messages', 'done'],
      ['pharmacy', 'done'],
    ],
  );
  await feedIsLive(services.urls.pharmacy);
  await waitUntil(async () => !(await everything()).includes(zeb.lastName.toLowerCase()));
});

test(
  'a deleted doctor’s profile and bookings are removed, and patients keep the name of who treated them',
  { timeout: 300_000 },
  async () => {
    const former = await prove(services, await register(services));
    const profile = {
      name: 'Dr. Zora Unrepeatable',
      email: former.email,
      qualification: 'MD',
      specialization: 'Dermatology',
      experience: 3,
      role: 'doctor',
    };
    const { _id } = await post<Doctor>(admin('clinic'), '/doc-pharma', profile);
    // Nobody can book a doctor without hours.
    const hours = { availableTimes: ['09:30', '10:00', '10:30'] };
    assert.equal((await admin('clinic')(`/doctors/${_id}`, { method: 'PATCH', json: hours })).status, 200);
    const patient = await register(services);
    const booking = (ahead: number) =>
      post<Appointment>(patient.at('clinic'), '/appoinments', {
        patientname: 'Pat',
        patientemail: patient.email,
        age: 30,
        address: 'x',
        number: '12345',
        date: addDays(today, ahead),
        time: '10:00',
        doctoremail: former.email,
      });
    const [coming, past] = [await booking(5), await booking(6)];
    // Nobody can book in the past, so write the booking directly.
    await services.databases.clinic
      .collection('appointments')
      .updateOne({ _id: new ObjectId(past._id) }, { $set: { date: addDays(today, -5) } });
    const userId = await deletePerson(former.email);
    // The services' copies of the account feed follow within a second.
    await waitUntil(async () => assert.ok(!(await everything()).includes(former.email)));
    const theirs = await readJson<Appointment[]>(patient.at('clinic')(`/appoinments?email=${patient.email}`));
    const shown = (id: string) =>
      theirs
        .filter(({ _id }) => _id === id)
        .map(({ status, doctorname, doctoremail }) => ({ status, doctorname, doctoremail }))[0];
    assert.deepEqual(shown(coming._id), {
      status: 'Cancelled',
      doctorname: profile.name,
      doctoremail: erasedEmail(userId),
    });
    assert.deepEqual(shown(past._id), {
      status: 'Pending',
      doctorname: profile.name,
      doctoremail: erasedEmail(userId),
    });
    assert.ok(
      !(await readJson<Doctor[]>(services.from('')('clinic')('/doctors'))).some(({ name }) => name === profile.name),
    );
  },
);

test('staff can’t delete themselves, and the last admin stays', async () => {
  const codeOf = async (answering: Promise<Response>): Promise<string> =>
    ((await (await answering).json()) as { code: string }).code;
  assert.equal(
    await codeOf(admin('identity')(`/users/${people.admin.email}/erasure`, { method: 'POST', json: {} })),
    'own_account',
  );
  assert.equal(await codeOf(admin('identity')(`/users/${people.admin.email}`, { method: 'DELETE' })), 'staff_account');
});
