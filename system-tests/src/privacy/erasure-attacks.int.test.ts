import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@clinic/contracts';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { waitUntil } from '@clinic/service-kit/testing/wait-until';
import { readJson } from '@clinic/service-kit/testing/read-json';
import {
  admin,
  aMedicine,
  bookFor,
  deletePerson,
  doctor,
  everything,
  orderBody,
  post,
  services,
  today,
  startForTests,
} from './deletions.ts';
import { prove, register, type Newcomer } from './newcomer.ts';

// Deletions by plain requests, by people who aren't who they say they are; then what is stored is read back.

startForTests();

const erasures = {
  clinic: '/appoinments/erasure',
  pharmacy: '/orderMedi/erasure',
  messages: '/messages/erasure',
} as const;
/** What people have in the services; messages and copies of accounts go on changing in the background. */
const stored = (): Promise<string[]> =>
  Promise.all(
    (
      [
        ['clinic', 'appointments'],
        ['clinic', 'doctors'],
        ['clinic', 'events'],
        ['pharmacy', 'orders'],
        ['pharmacy', 'events'],
        ['messages', 'preferences'],
      ] as const
    ).map(async ([service, name]) =>
      JSON.stringify(await services.databases[service].collection(name).find().sort({ _id: 1 }).toArray()),
    ),
  );

/** Somebody without an account, booked by the reception. */
const bookWalkIn = (email: string, ahead: number): Promise<Appointment> =>
  post(admin('clinic'), '/appoinments', {
    patientname: 'Walter Walkin',
    patientemail: email,
    age: 50,
    address: '1 Walk-in Way',
    number: '+880 1777 000111',
    date: addDays(today, ahead),
    time: doctor.availableTimes[0],
    doctoremail: doctor.email,
  });

const exportsOf = async ({ email, at }: Newcomer): Promise<string> =>
  (
    await Promise.all([
      at('identity')(`/users/${email}/export`),
      at('clinic')(`/appoinments/export?email=${email}`),
      at('pharmacy')(`/orderMedi/export?email=${email}`),
      at('messages')(`/messages/export?email=${email}`),
    ])
  )
    .map(async (answer) => {
      assert.equal(answer.status, 200);
      return answer.text();
    })
    .reduce(async (all, text) => `${await all}${await text}`, Promise.resolve(''));

const idOf = async ({ email, at }: Newcomer): Promise<string> =>
  (await readJson<{ _id: string }>(at('identity')(`/users/${email}`)))._id;

test(
  'a stranger with somebody’s address can’t have anything erased, whatever the request says',
  { timeout: 300_000 },
  async () => {
    const email = 'walter.walkin@nowhere.example';
    const { _id } = await bookWalkIn(email, 700);
    const profile = {
      name: 'Dr. Nora Noaccount',
      email: 'nora.noaccount@nowhere.example',
      qualification: 'MD',
      specialization: 'Dermatology',
      experience: 3,
      role: 'doctor',
    };
    await post(admin('clinic'), '/doc-pharma', profile);
    const stranger = await register(services, { email });
    const other = await register(services, { email: profile.email });
    // The services take over new accounts in the background.
    await waitUntil(async () => {
      for (const service of ['clinic', 'pharmacy', 'messages'] as const) {
        const following = services.databases[service].collection('knownAccounts');
        assert.equal(await following.countDocuments({ pending: { $exists: true } }), 0);
      }
    });
    const before = await stored();
    for (const who of [stranger, other]) {
      const userId = await idOf(who);
      for (const [service, path] of Object.entries(erasures) as [keyof typeof erasures, string][])
        for (const emailConfirmed of [true, false, undefined]) {
          const json = { email: who.email, userId, emailConfirmed };
          const answer = await who.at(service)(path, { method: 'POST', json });
          assert.deepEqual(
            [answer.status, await answer.json()],
            [200, { done: true, records: 0, cancelled: 0, events: 0 }],
          );
        }
      // Somebody else's account, under one's own address.
      const theirs = {
        email: who.email,
        userId: await idOf(who === stranger ? other : stranger),
        emailConfirmed: true,
      };
      assert.equal((await who.at('clinic')(erasures.clinic, { method: 'POST', json: theirs })).status, 403);
    }
    assert.deepEqual(await stored(), before);

    // Their own deletion is about their own account alone.
    for (const who of [stranger, other])
      assert.equal((await who.at('identity')(`/users/${who.email}`, { method: 'DELETE' })).status, 200);
    await waitUntil(async () => {
      const listed = await Promise.all([email, profile.email].map((one) => admin('identity')(`/users/${one}`)));
      assert.deepEqual(
        listed.map(({ status }) => status),
        [404, 404],
      );
    });
    const [visit] = await readJson<Appointment[]>(admin('clinic')(`/appoinments?email=${email}`));
    assert.deepEqual([visit?._id, visit?.status, visit?.patientname], [_id, 'Pending', 'Walter Walkin']);
    assert.ok((await services.dump('clinic')).includes(profile.name));
  },
);

test('DELETE /users alone deletes everywhere: visits, slots, orders and stock', { timeout: 300_000 }, async () => {
  const zeb = await register(services);
  const visit = await bookFor(zeb);
  const { medicineId, quantity } = await aMedicine();
  await post<Order>(zeb.at('pharmacy'), '/orderMedi', orderBody(zeb, medicineId));
  const answer = await zeb.at('identity')(`/users/${zeb.email}`, { method: 'DELETE' });
  assert.equal(answer.status, 200);
  await waitUntil(async () => {
    const left = await everything();
    for (const trace of [zeb.email, zeb.lastName, zeb.phone, zeb.street, zeb.dateOfBirth])
      assert.ok(!left.includes(trace.toLowerCase()), `${trace} is still stored`);
  });
  assert.equal((await aMedicine()).quantity, quantity);
  const next = await register(services);
  // The slot is free again.
  await post(next.at('clinic'), '/appoinments', {
    patientname: 'Next',
    patientemail: next.email,
    age: 30,
    address: 'x',
    number: '12345',
    date: visit.date,
    time: visit.time,
    doctoremail: doctor.email,
  });
});

test(
  'an address that changes hands takes nothing with it, into no export and no deletion',
  { timeout: 300_000 },
  async () => {
    const first = await prove(services, await register(services));
    const oldEmail = first.email;
    await bookFor(first);
    const { medicineId } = await aMedicine();
    await post<Order>(first.at('pharmacy'), '/orderMedi', orderBody(first, medicineId));
    const moved = await prove(services, first, `moved.${oldEmail}`);
    await bookFor(moved);
    const second = await prove(services, await register(services, { email: oldEmail }));
    await bookFor(second);

    const copy = await exportsOf(second);
    for (const foreign of [first.lastName, first.phone, first.street, first.dateOfBirth, moved.email])
      assert.ok(!copy.includes(foreign), `the next owner’s export has ${foreign}`);
    const own = await exportsOf(moved);
    for (const mine of [first.lastName, first.phone, first.street]) assert.ok(own.includes(mine));
    assert.ok(!own.includes(second.lastName) && !own.includes(second.phone));

    await deletePerson(second.email);
    const afterwards = await exportsOf(moved);
    assert.ok(!afterwards.includes('Deleted person'), 'the former owner’s history was rewritten');
    for (const event of await services.databases.clinic
      .collection('events')
      .find({ accounts: await idOf(moved) })
      .toArray())
      assert.ok(!JSON.stringify(event).includes(await idOf(moved).then((id) => `deleted-${id}`)));

    await deletePerson(moved.email);
    await waitUntil(async () => {
      const left = await everything();
      for (const { email, lastName, phone, street, dateOfBirth } of [first, moved, second])
        for (const trace of [email, lastName, phone, phone.replaceAll(/\D/g, ''), street, dateOfBirth])
          assert.ok(!left.includes(trace.toLowerCase()), `${trace} is still stored`);
    });
  },
);
