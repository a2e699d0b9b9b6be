import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  addDays,
  clinicMoment,
  type Appointment,
  type Doctor,
  type Medicine,
  type Order,
  type User,
} from '@clinic/contracts';
import type { CallResponse } from '@clinic/contracts';
import { erasedEmail } from '@clinic/contracts/erased-person';
import type { HistoryEvent } from '@clinic/service-kit';
import type { TestFetch } from '@clinic/service-kit/testing';
import { ObjectId } from 'mongodb';
import { feedIsLive, people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { register, type Newcomer } from './newcomer.ts';

// Deletes a person like the page All Users does: locked first, then erased by each service, the account last.

let services: ThreeServices;
let dataDir: string;
let admin: ReturnType<ThreeServices['from']>;
let doctor: Doctor;
const today = clinicMoment(new Date(), 'Asia/Dhaka').date;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'erasure-'));
  services = await startThreeServices({ dataDir, keepAnswersMs: 2_000 });
  admin = services.from(await services.signIn(people.admin.email));
  const doctors = await read<Doctor[]>(services.from('')('clinic')('/doctors'));
  doctor = doctors.find(({ email }) => email === people.doctor.email) ?? assert.fail('the demo has no doctor');
});
after(async () => {
  await services.close();
  await rm(dataDir, { recursive: true });
});

async function read<T>(answering: Promise<Response>, status?: number): Promise<T> {
  const answer = await answering;
  const text = await answer.text();
  if (status === undefined ? !answer.ok : answer.status !== status)
    throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
const post = <T>(to: TestFetch, path: string, json: object): Promise<T> => read<T>(to(path, { method: 'POST', json }));

let day = 100;
async function bookFor(person: Newcomer): Promise<Appointment> {
  day += 1;
  return post(person.at('clinic'), '/appoinments', {
    patientname: `${person.firstName} ${person.lastName}`,
    patientemail: person.email,
    age: 78,
    address: person.street,
    number: person.phone,
    reason: `Dizzy since moving to ${person.street}`,
    date: addDays(today, day),
    time: doctor.availableTimes[0],
    doctoremail: doctor.email,
  });
}
const orderBody = (person: Newcomer, medicineId: string) => ({
  items: [{ medicineId, quantity: 3 }],
  deliveryAddress: person.street,
  customeremail: person.email,
  customerPhone: person.phone,
});

async function aMedicine(): Promise<{ medicineId: string; quantity: number }> {
  const medicines = await read<Medicine[]>(services.from('')('pharmacy')('/medicine'));
  const { medicine } =
    medicines.find(
      ({ status, medicine: { expiryDate, quantity } }) =>
        status === 'in stock' && expiryDate > '2027-06' && Number(quantity.$numberInt) >= 100,
    ) ?? assert.fail('nothing in stock');
  return { medicineId: medicine.medicineId, quantity: Number(medicine.quantity.$numberInt) };
}

type Erased = CallResponse<'eraseClinicData'>;
const erase = (service: 'clinic' | 'pharmacy', email: string, userId: string): Promise<Erased> =>
  post(admin(service), service === 'clinic' ? '/appoinments/erasure' : '/orderMedi/erasure', { email, userId });

/** The whole deletion, as the page does it. */
async function deletePerson(email: string): Promise<string> {
  const { userId } = await post<{ userId: string }>(admin('identity'), `/users/${email}/erasure`, {});
  for (const service of ['clinic', 'pharmacy'] as const) while (!(await erase(service, email, userId)).done);
  const finished = await read<CallResponse<'finishErasure'>>(
    admin('identity')(`/users/${email}`, { method: 'DELETE' }),
  );
  assert.deepEqual(finished, { userId, signInAccount: 'deleted' });
  return userId;
}

/** All stored data, including the sign-in accounts. */
async function everything(): Promise<string> {
  const accounts = await fetch(
    `${services.emulatorUrl}/identitytoolkit.googleapis.com/v1/projects/demo-three-services/accounts:batchGet?maxResults=500`,
    { headers: { Authorization: 'Bearer owner' } },
  );
  return [
    ...(await Promise.all((['identity', 'clinic', 'pharmacy'] as const).map((service) => services.dump(service)))),
    await accounts.text(),
  ]
    .join('\n')
    .toLowerCase();
}

/** The person's texts still in a file of the databases or accounts, with the file's name. */
async function leftInFiles(texts: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // One byte per character, so that bytes that aren't text survive.
    const content = (await readFile(path, 'latin1')).toLowerCase();
    left.push(
      ...texts.filter((text) => content.includes(text.toLowerCase())).map((text) => `${text} in ${entry.name}`),
    );
  }
  return left;
}

/** Waits until the files contain none of the texts. */
async function filesForget(texts: readonly string[]): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const left = await leftInFiles(texts);
    if (left.length === 0) return;
    assert.ok(performance.now() < deadline, `still there: ${left.join('; ')}`);
    await delay(200);
  }
}

/** What must never change in the history: that something happened, when, to which record, and by which id. */
async function whatHappened(): Promise<string[]> {
  const databases = Object.values(services.databases);
  const events = (
    await Promise.all(databases.map((db) => db.collection<HistoryEvent>('events').find().toArray()))
  ).flat();
  return events
    .map(({ _id, at, action, call, actor, record, requestId }) =>
      JSON.stringify([_id, at, action, call, actor?.id, actor?.role, record.type, requestId]),
    )
    .toSorted();
}

test(
  'a deleted person is gone everywhere, and the totals of clinic and pharmacy still balance',
  { timeout: 120_000 },
  async () => {
    const zeb = await register(services);
    const { _id: userId } = await read<User>(zeb.at('identity')(`/users/${zeb.email}`));
    const [past, confirmed, pending, cancelled] = [
      await bookFor(zeb),
      await bookFor(zeb),
      await bookFor(zeb),
      await bookFor(zeb),
    ];
    const newStatus = (to: TestFetch, id: string, status: string) =>
      read(to(`/update-appoinment/${id}`, { method: 'PATCH', json: { newStatus: status } }));
    await newStatus(admin('clinic'), confirmed._id, 'Confirmed');
    await newStatus(zeb.at('clinic'), cancelled._id, 'Cancelled');
    await newStatus(admin('clinic'), past._id, 'Confirmed');
    await services.databases.clinic
      .collection('appointments')
      .updateOne({ _id: new ObjectId(past._id) }, { $set: { date: addDays(today, -30) } });
    const { medicineId, quantity } = await aMedicine();
    const order = (): Promise<Order> => post(zeb.at('pharmacy'), '/orderMedi', orderBody(zeb, medicineId));
    const [delivered, waiting] = [await order(), await order()];
    await read(admin('pharmacy')(`/orderMedi/${delivered._id}`, { method: 'PATCH', json: { newStatus: 'Delivered' } }));
    // A rejected sign-in names them, too.
    await services.from('')('identity')('/jwt', {
      method: 'POST',
      json: { email: zeb.email },
      headers: { Authorization: 'Bearer nonsense' },
    });
    const uid = String((await services.databases.identity.collection('users').findOne({ email: zeb.email }))?.['uid']);
    const before = await whatHappened();
    assert.ok((await everything()).includes('quillfeather'));
    const traces = [
      zeb.email,
      zeb.firstName,
      zeb.lastName,
      zeb.phone,
      zeb.phone.replaceAll(/\D/g, ''),
      zeb.dateOfBirth,
      zeb.street,
      uid,
    ];
    assert.equal(
      new Set((await leftInFiles(traces)).map((found) => found.slice(0, found.lastIndexOf(' in ')))).size,
      traces.length,
    );

    assert.equal(await deletePerson(zeb.email), userId);

    const left = await everything();
    for (const trace of traces) assert.ok(!left.includes(trace.toLowerCase()), `${trace} is still stored`);
    await filesForget(traces);
    assert.ok(!(await read<User[]>(admin('identity')('/users'))).some(({ _id }) => _id === userId));

    const email = erasedEmail(userId);
    const appointments = await read<Appointment[]>(admin('clinic')(`/appoinments?email=${encodeURIComponent(email)}`));
    const kept = new Map(appointments.map((appointment) => [appointment._id, appointment]));
    assert.equal(kept.size, 4);
    assert.deepEqual(
      [past, confirmed, pending, cancelled].map(({ _id }) => kept.get(_id)?.status),
      ['Confirmed', 'Cancelled', 'Cancelled', 'Cancelled'],
    );
    const { patientname, age, address, number, doctorname } = kept.get(past._id) ?? assert.fail();
    assert.deepEqual(
      { patientname, age, address, number, doctorname },
      { patientname: 'Deleted person', age: 0, address: '', number: '', doctorname: doctor.name },
    );
    // Other patients can book both freed slots.
    const other = await register(services);
    for (const { date, time } of [confirmed, pending]) {
      await post(other.at('clinic'), '/appoinments', {
        patientname: 'Other',
        patientemail: other.email,
        age: 30,
        address: 'x',
        number: '12345',
        date,
        time,
        doctoremail: doctor.email,
      });
    }

    const orders = await read<Order[]>(admin('pharmacy')(`/orderMedi?email=${encodeURIComponent(email)}`));
    assert.deepEqual(
      new Map(orders.map(({ _id, status }) => [_id, status])),
      new Map([
        [waiting._id, 'Cancelled'],
        [delivered._id, 'Delivered'],
      ]),
    );
    assert.deepEqual(
      orders.map(({ items }) => items),
      [waiting.items, delivered.items],
    );
    assert.ok(orders.every(({ deliveryAddress, customerPhone }) => deliveryAddress === '' && customerPhone === ''));
    const stock = (await read<Medicine[]>(admin('pharmacy')(`/medicine?medicineIds=${medicineId}`)))[0]?.medicine
      .quantity.$numberInt;
    assert.equal(Number(stock), quantity - 3, 'units not shipped are back in stock, delivered ones are sold');

    const history = await whatHappened();
    assert.deepEqual(
      before.filter((event) => !history.includes(event)),
      [],
      'past events stay unchanged',
    );
    const events = await read<{ action: string; people: string[] }[]>(
      admin('identity')(`/access-events/all?person=${encodeURIComponent(email)}`),
    );
    assert.deepEqual(
      events.slice(0, 2).map(({ action }) => action),
      ['deleted', 'deletion started'],
    );
  },
);

test(
  'a repeated deletion has nothing left to do, and someone who returns starts from scratch',
  { timeout: 60_000 },
  async () => {
    const zeb = await register(services);
    await bookFor(zeb);
    const userId = await deletePerson(zeb.email);
    for (const service of ['clinic', 'pharmacy'] as const)
      assert.deepEqual(await erase(service, zeb.email, userId), { done: true, records: 0, cancelled: 0, events: 0 });
    assert.equal((await admin('identity')(`/users/${zeb.email}`, { method: 'DELETE' })).status, 404);
    assert.equal((await admin('identity')(`/users/${zeb.email}/erasure`, { method: 'POST', json: {} })).status, 404);
    // A proof from the old account is no longer valid.
    const old = await services.from('')('identity')('/jwt', {
      method: 'POST',
      json: { email: zeb.email },
      headers: { Authorization: `Bearer ${zeb.idToken}` },
    });
    assert.equal(old.status, 401);
    const again = await register(services, { email: zeb.email });
    assert.notEqual((await read<User>(again.at('identity')(`/users/${again.email}`)))._id, userId);
    assert.deepEqual(await read(again.at('clinic')(`/appoinments?email=${again.email}`)), []);
    await bookFor(again);
  },
);

test(
  'once it has begun nobody gets in as that person, with any credentials, and nobody can cancel it',
  { timeout: 60_000 },
  async () => {
    const zeb = await register(services);
    const { userId } = await post<{ userId: string }>(admin('identity'), `/users/${zeb.email}/erasure`, {});
    const began = performance.now();
    for (const [service, path] of [
      ['identity', '/jwt/session'],
      ['clinic', `/appoinments?email=${zeb.email}`],
      ['pharmacy', `/orderMedi?email=${zeb.email}`],
    ] as const) {
      while ((await zeb.at(service)(path)).status !== 401)
        assert.ok(performance.now() - began < 5_000, `${service} still lets them in`);
    }
    assert.equal((await zeb.at('identity')('/jwt/refresh', { method: 'POST' })).status, 403);
    const signIn = await services.from('')('identity')('/jwt', {
      method: 'POST',
      json: { email: zeb.email },
      headers: { Authorization: `Bearer ${zeb.idToken}` },
    });
    assert.equal(signIn.status, 403);
    const on = await admin('identity')(`/users/${zeb.email}/access`, { method: 'PATCH', json: { disabled: false } });
    assert.deepEqual([on.status, ((await on.json()) as { code: string }).code], [409, 'transition_refused']);
    const listed = await read<User[]>(admin('identity')(`/users?q=${zeb.email}`));
    assert.deepEqual(
      listed.map(({ _id, erasing, disabled }) => ({ _id, erasing, disabled })),
      [{ _id: userId, erasing: true, disabled: true }],
    );
    await deletePerson(zeb.email);
  },
);

test(
  'bookings and orders that race the deletion are either stored and erased with the rest, or rejected',
  { timeout: 120_000 },
  async () => {
    const zeb = await register(services);
    const { medicineId, quantity } = await aMedicine();
    let over = false;
    const made = { appointments: 0, orders: 0 };
    const keepDoing = async (what: keyof typeof made, once: () => Promise<Response>): Promise<void> => {
      while (!over) {
        const { status } = await once();
        if (status === 201) made[what] += 1;
        else if (status === 401) return;
        else assert.ok([409, 503].includes(status), `answered ${status}`);
      }
    };
    const racing = [
      ...[0, 1, 2].map((lane) => {
        let next = 400 + lane * 500;
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
    while (made.appointments < 3 || made.orders < 3) await new Promise((resolve) => setImmediate(resolve));
    const userId = await deletePerson(zeb.email);
    over = true;
    await Promise.all(racing);

    assert.ok(!(await everything()).includes(zeb.lastName.toLowerCase()));
    const { clinic, pharmacy } = services.databases;
    assert.equal(
      await clinic.collection('appointments').countDocuments({ patientEmail: erasedEmail(userId) }),
      made.appointments,
    );
    assert.equal(
      await clinic
        .collection('appointments')
        .countDocuments({ patientEmail: erasedEmail(userId), status: { $ne: 'Cancelled' } }),
      0,
    );
    assert.equal(
      await pharmacy.collection('orders').countDocuments({ customerEmail: erasedEmail(userId), status: 'Cancelled' }),
      made.orders,
    );
    assert.equal((await aMedicine()).quantity, quantity);
  },
);

test('an interrupted deletion continues where it stopped', { timeout: 60_000 }, async () => {
  const zeb = await register(services);
  await bookFor(zeb);
  const { userId } = await post<{ userId: string }>(admin('identity'), `/users/${zeb.email}/erasure`, {});
  assert.equal((await erase('clinic', zeb.email, userId)).cancelled, 1);
  // Identity is down: the page shows what is left to do, and the admin retries later.
  await services.stopIdentity();
  await services.restartIdentity();
  await Promise.all([feedIsLive(services.urls.clinic), feedIsLive(services.urls.pharmacy)]);
  const [listed] = await read<User[]>(admin('identity')(`/users?q=${zeb.email}`));
  assert.equal(listed?.erasing, true);
  assert.equal(await deletePerson(zeb.email), userId);
  assert.ok(!(await everything()).includes(zeb.lastName.toLowerCase()));
});

test(
  'a deleted doctor’s profile and bookings are removed, and patients keep the name of who treated them',
  { timeout: 60_000 },
  async () => {
    const former = await register(services);
    const profile = {
      name: 'Dr. Zora Unrepeatable',
      email: former.email,
      qualification: 'MD',
      specialization: 'Dermatology',
      experience: 3,
      role: 'doctor',
    };
    await post(admin('clinic'), '/doc-pharma', profile);
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
    const left = await everything();
    assert.ok(!left.includes(former.email));
    const theirs = await read<Appointment[]>(patient.at('clinic')(`/appoinments?email=${patient.email}`));
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
      !(await read<Doctor[]>(services.from('')('clinic')('/doctors'))).some(({ name }) => name === profile.name),
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
