import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, type User } from '@clinic/contracts';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { erasedEmail, erasedName } from '@clinic/contracts/erased-person';
import type { TestFetch } from '@clinic/service-kit/testing';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import { feedIsLive } from '../support/three-services.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { bookingOf, register } from './newcomer.ts';
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
  deletionOver,
  startDeletion,
  everything,
  leftInFiles,
  filesForget,
  whatHappened,
  startForTests,
} from './deletions.ts';

startForTests();

test(
  'a deletion removes the person everywhere, and the totals of clinic and pharmacy still balance',
  { timeout: 300_000 },
  async () => {
    const zeb = await register(services);
    const { _id: userId } = await readJson<User>(zeb.at('identity')(`/users/${zeb.email}`));
    const [past, confirmed, pending, cancelled] = [
      await bookFor(zeb),
      await bookFor(zeb),
      await bookFor(zeb),
      await bookFor(zeb),
    ];
    const newStatus = (to: TestFetch, id: string, status: string) =>
      readJson(to(`/update-appoinment/${id}`, { method: 'PATCH', json: { newStatus: status } }));
    await newStatus(admin('clinic'), confirmed._id, 'Confirmed');
    await newStatus(zeb.at('clinic'), cancelled._id, 'Cancelled');
    await newStatus(admin('clinic'), past._id, 'Confirmed');
    await services.databases.clinic
      .collection('appointments')
      .updateOne({ _id: new ObjectId(past._id) }, { $set: { date: addDays(today, -30) } });
    const { medicineId, quantity } = await aMedicine();
    const order = (): Promise<Order> => post(zeb.at('pharmacy'), '/orderMedi', orderBody(zeb, medicineId));
    const [delivered, waiting] = [await order(), await order()];
    await readJson(
      admin('pharmacy')(`/orderMedi/${delivered._id}`, { method: 'PATCH', json: { newStatus: 'Delivered' } }),
    );
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

    // Messages that svc-messages takes in meanwhile are dropped once they are stored.
    await waitUntil(async () => {
      const left = await everything();
      for (const trace of traces) assert.ok(!left.includes(trace.toLowerCase()), `${trace} is still stored`);
    });
    await filesForget(traces);
    assert.ok(!(await readJson<User[]>(admin('identity')('/users'))).some(({ _id }) => _id === userId));

    const email = erasedEmail(userId);
    const appointments = await readJson<Appointment[]>(
      admin('clinic')(`/appoinments?email=${encodeURIComponent(email)}`),
    );
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

    const orders = await readJson<Order[]>(admin('pharmacy')(`/orderMedi?email=${encodeURIComponent(email)}`));
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
    const stock = (await readJson<Medicine[]>(admin('pharmacy')(`/medicine?medicineIds=${medicineId}`)))[0]?.medicine
      .quantity.$numberInt;
    assert.equal(Number(stock), quantity - 3, 'units not shipped are back in stock, delivered ones are sold');

    const history = await whatHappened();
    assert.deepEqual(
      before.filter((event) => !history.includes(event)),
      [],
      'past events stay unchanged',
    );
    const events = await readJson<{ action: string; people: string[] }[]>(
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
  { timeout: 300_000 },
  async () => {
    const zeb = await register(services);
    await bookFor(zeb);
    const userId = await deletePerson(zeb.email);
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
    assert.notEqual((await readJson<User>(again.at('identity')(`/users/${again.email}`)))._id, userId);
    assert.deepEqual(await readJson(again.at('clinic')(`/appoinments?email=${again.email}`)), []);
    await bookFor(again);
  },
);

test(
  'once a deletion has begun, no credentials let anybody in as that person, and nobody can cancel it',
  { timeout: 300_000 },
  async () => {
    const zeb = await register(services);
    // Something is left to do for as long as this takes.
    await services.stop('pharmacy');
    const userId = await startDeletion(zeb.email);
    await waitUntil(async () => {
      assert.equal((await zeb.at('identity')('/jwt/session')).status, 401);
      assert.equal((await zeb.at('clinic')(`/appoinments?email=${zeb.email}`)).status, 401);
    });
    assert.equal((await zeb.at('identity')('/jwt/refresh', { method: 'POST' })).status, 403);
    const signIn = await services.from('')('identity')('/jwt', {
      method: 'POST',
      json: { email: zeb.email },
      headers: { Authorization: `Bearer ${zeb.idToken}` },
    });
    assert.equal(signIn.status, 403);
    const on = await admin('identity')(`/users/${zeb.email}/access`, { method: 'PATCH', json: { disabled: false } });
    assert.deepEqual([on.status, ((await on.json()) as { code: string }).code], [409, 'transition_refused']);
    const listed = await readJson<User[]>(admin('identity')(`/users?q=${zeb.email}`));
    assert.deepEqual(
      listed.map(({ _id, erasing, disabled }) => ({ _id, erasing, disabled })),
      [{ _id: userId, erasing: true, disabled: true }],
    );
    await services.start('pharmacy');
    await deletionOver(userId);
    await feedIsLive(services.urls.pharmacy);
    assert.equal((await zeb.at('pharmacy')(`/orderMedi?email=${zeb.email}`)).status, 401);
  },
);

test(
  'what staff made for an address without an account is deleted everywhere, and never an account instead',
  { timeout: 300_000 },
  async () => {
    const zeb = await register(services);
    const erase = (email: string) =>
      admin('identity')(`/users/${email}/erasure?withoutAccount=true`, { method: 'POST', json: {} });
    const refused = await erase(zeb.email);
    assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [409, 'transition_refused']);
    assert.equal((await zeb.at('identity')('/jwt/session')).status, 200);

    const [email, lastName, phone, street] = [
      'walk.in@nowhere.example',
      'Walkinson',
      '+880 1999 777666',
      '9 Desk Road',
    ];
    const person = { ...zeb, email, lastName, phone, street };
    const visit = { date: addDays(today, 60) };
    const booked = await post<Appointment>(admin('clinic'), '/appoinments', bookingOf(person, doctor, visit));
    const { medicineId } = await aMedicine();
    await post(admin('pharmacy'), '/orderMedi/counter', {
      ...orderBody(person, medicineId),
      recipientName: `Zebediah ${lastName}`,
      prescription: { date: today, prescriber: 'Dr. Grey' },
    });
    const traces = [email, lastName, '1999777666', '1999 777666', street].map((text) => text.toLowerCase());
    const answers = await Promise.all([erase(email), erase(email)]);
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { userId: string }).userId));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(new Set(ids).size, 1);
    const { services: done } = await deletionOver(ids[0] ?? assert.fail());
    for (const name of ['clinic', 'pharmacy'])
      assert.equal(done.find(({ service }) => service === name)?.records, 1, name);
    // Messages that svc-messages takes in meanwhile are dropped once they are stored.
    await waitUntil(async () => {
      const left = await everything();
      assert.deepEqual(
        traces.filter((text) => left.includes(text)),
        [],
      );
    });
    const visits = await readJson<Appointment[]>(
      admin('clinic')(`/appoinments?email=${encodeURIComponent(erasedEmail(ids[0] ?? ''))}`),
    );
    assert.deepEqual(
      visits.map(({ _id, status, patientname }) => [_id, status, patientname]),
      [[booked._id, 'Cancelled', erasedName]],
    );
  },
);
