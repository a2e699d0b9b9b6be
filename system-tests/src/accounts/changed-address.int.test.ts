// Somebody changes their address; reception and others go on with the released one at once. Services learn of it from
// svc-identity, not from the person's next request.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addDays, clinicMoment } from '@clinic/contracts';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { demoPassword } from '@clinic/demo-data';
import { nextSecond, waitUntil } from '@clinic/service-kit/testing/wait-until';
import { ObjectId } from 'mongodb';
import type { AppointmentRecord } from '../../../svc-clinic/src/appointments/appointment-record.ts';
import type { UserRecord } from '../../../svc-identity/src/users/user-record.ts';
import { firebasePeople, type FirebasePeople } from '../../../svc-identity/src/testing/firebase-people.ts';
import type { MessageRecord } from '../../../svc-messages/src/ledger/message-record.ts';
import { readJson } from '@clinic/service-kit/testing/read-json';
import { bystanders, people, startThreeServices, type ThreeServices } from '../support/three-services.ts';
import { orderableMedicine } from '../support/orderable.ts';

type At = ReturnType<ThreeServices['from']>;

let services: ThreeServices;
let firebase: FirebasePeople;
let reception: At;
let pharmacist: At;
let anyone: At;
let doctor: Doctor;

before(async () => {
  services = await startThreeServices({ messages: 'sending' });
  firebase = firebasePeople(services.emulatorUrl, 'demo-three-services', demoPassword);
  anyone = services.from('');
  reception = services.from(await services.signIn(people.admin.email));
  pharmacist = services.from(await services.signIn(people.pharmacist.email));
  const [found] = await readJson<Doctor[]>(anyone('clinic')(`/doctors?email=${people.doctor.email}`));
  doctor = found ?? assert.fail('no doctor');
});
after(() => services.close());

let days = 40;
let moves = 0;

const appointments = () => services.databases.clinic.collection<AppointmentRecord>('appointments');
const stored = async ({ _id }: Pick<Appointment, '_id'>): Promise<AppointmentRecord> =>
  (await appointments().findOne({ _id: new ObjectId(_id) })) ?? assert.fail('no such appointment');

function book(by: At, email: string): Promise<Response> {
  days += 1;
  return by('clinic')('/appoinments', {
    method: 'POST',
    json: {
      patientname: 'Amina Khatun',
      patientemail: email,
      age: 35,
      address: '12 Lake Road',
      number: '+880 1555 010400',
      doctorname: doctor.name,
      doctoremail: doctor.email,
      reason: 'A secret of the patient',
      date: addDays(clinicMoment(new Date(), 'Asia/Dhaka').date, days),
      time: '10:00',
    },
  });
}

/** A patient with a confirmed address and a session. */
async function somebody(): Promise<{ readonly email: string; readonly id: string; readonly at: At }> {
  const email = bystanders[moves] ?? assert.fail('too few people');
  const at = services.from(await services.signIn(email));
  const user = await services.databases.identity.collection<UserRecord>('users').findOne({ email });
  return { email, id: user?._id.toHexString() ?? assert.fail('no user'), at };
}

/** Moves an account to a new address: follows the mailed link and signs in. @returns the address and their browser */
async function move(email: string): Promise<{ readonly to: string; readonly at: At }> {
  moves += 1;
  const to = `moved${moves}@elsewhere.example`;
  await firebase.changeEmail(email, to);
  await nextSecond();
  return { to, at: services.from(await services.signIn(to)) };
}

/** Somebody new takes a released address and confirms it. */
async function take(email: string): Promise<{ readonly id: string; readonly at: At }> {
  await firebase.signUp(email);
  await firebase.confirmEmail(email);
  const at = services.from(await services.signIn(email));
  const user = await services.databases.identity.collection<UserRecord>('users').findOne({ email });
  return { id: user?._id.toHexString() ?? assert.fail('no user'), at };
}

const messages = () => services.databases.messages.collection<MessageRecord>('messages');
/** The addresses to which mails of a kind about a record went. */
async function mailed(kind: string, about: string): Promise<readonly (string | undefined)[]> {
  const sent = await waitUntil(async () => {
    const rows = await messages()
      .find({ kind, status: 'sent', $or: [{ visit: about }, { 'data.order.id': about }] })
      .toArray();
    return rows.length > 0 && rows;
  });
  return sent.map(({ to }) => to.email);
}

test('a visit that reception books for a released address never belongs to who gave it up', async () => {
  const ann = await somebody();
  const own = await readJson<Appointment>(book(ann.at, ann.email));
  const moved = await move(ann.email);
  // At once, before Ann's browser or anybody else tells svc-clinic anything.
  const visits = await Promise.all([1, 2, 3].map(async () => readJson<Appointment>(book(reception, ann.email))));
  for (const visit of visits) assert.equal((await stored(visit)).patientId, undefined);

  const seen = await readJson<Appointment[]>(moved.at('clinic')(`/appoinments?email=${moved.to}`));
  assert.deepEqual(
    seen.filter(({ _id }) => visits.some((visit) => visit._id === _id)),
    [],
  );
  for (const { _id } of visits) {
    const cancel = await moved.at('clinic')(`/update-appoinment/${_id}`, {
      method: 'PATCH',
      json: { newStatus: 'Cancelled' },
    });
    assert.ok([403, 404].includes(cancel.status), `${cancel.status}`);
    assert.equal((await stored({ _id })).status, 'Pending');
  }

  // Ann's own visit follows her, and the others wait for the owner of the address.
  await waitUntil(async () => (await stored(own)).patientEmail === moved.to);
  assert.equal((await stored(own)).patientId, ann.id);
  const bob = await take(ann.email);
  await waitUntil(async () => {
    for (const visit of visits) assert.equal((await stored(visit)).patientId, bob.id);
  });
  assert.equal((await stored(own)).patientId, ann.id);
  assert.ok(!JSON.stringify(await readJson(bob.at('clinic')(`/appoinments?email=${ann.email}`))).includes(own._id));
});

/** What the clinic has changed waits for a minute, for Undo. */
const heldMessage = async (kind: string, visit: string) =>
  (await waitUntil(async () => (await messages().findOne({ kind, visit })) ?? false))._id;
const sendNow = (_id: Awaited<ReturnType<typeof heldMessage>>) =>
  messages().updateOne({ _id }, { $set: { dueAt: new Date(), nextAttemptAt: new Date() } });

test('mails go to the address that the person has when they are sent', async () => {
  const ann = await somebody();
  const { medicine } = await orderableMedicine(anyone('pharmacy'));
  const visit = await readJson<Appointment>(book(ann.at, ann.email));
  const order = await readJson<Order>(
    ann.at('pharmacy')('/orderMedi', {
      method: 'POST',
      json: {
        items: [{ medicineId: medicine.medicineId, quantity: 1 }],
        deliveryAddress: '12 Lake Road',
        customeremail: ann.email,
        customerPhone: '+880 1555 010400',
      },
    }),
  );
  assert.deepEqual(await mailed('appointment-booked', visit._id), [ann.email]);
  // A reminder that waits.
  const waiting = await waitUntil(async () => (await messages().findOne({ visit: visit._id, lane: 1 })) ?? false);
  const { to } = await move(ann.email);
  await readJson(
    reception('clinic')(`/update-appoinment/${visit._id}`, { method: 'PATCH', json: { newStatus: 'Confirmed' } }),
  );
  await readJson(
    pharmacist('pharmacy')(`/orderMedi/${order._id}`, { method: 'PATCH', json: { newStatus: 'Shipped' } }),
  );
  await sendNow(await heldMessage('appointment-confirmed', visit._id));
  assert.deepEqual(await mailed('appointment-confirmed', visit._id), [to]);
  assert.deepEqual(await mailed('order-shipped', order._id), [to]);
  await sendNow(waiting._id);
  assert.deepEqual(await mailed('appointment-reminder', visit._id), [to]);
  await readJson(
    reception('clinic')(`/update-appoinment/${visit._id}`, { method: 'PATCH', json: { newStatus: 'Cancelled' } }),
  );
  await sendNow(await heldMessage('appointment-cancelled', visit._id));
  assert.deepEqual(await mailed('appointment-cancelled', visit._id), [to]);
  // Lists and searches of the staff show the new address, too.
  const [shown] = await readJson<Order[]>(pharmacist('pharmacy')(`/orderMedi?email=${to}`));
  assert.equal(shown?._id, order._id);
});

/** The links of the mail about a booking, as calls. */
async function linksOf(email: string, visit: Appointment): Promise<readonly string[]> {
  await mailed('appointment-booked', visit._id);
  return waitUntil(async () => {
    const list = await readJson<{ readonly _id: string }[]>(
      anyone('messages')(`/messages/mailbox?limit=200&q=${email}`),
    );
    const mails = await Promise.all(
      list.map(async ({ _id }) => readJson<{ readonly text: string }>(anyone('messages')(`/messages/mailbox/${_id}`))),
    );
    const links = mails.flatMap(({ text }) => [
      ...[...text.matchAll(/\/message-actions\/([^\s?]+)/g)].map(([, token]) => `/messages/actions/${token}`),
      ...[...text.matchAll(/\/unsubscribe\/([^\s?]+)/g)].map(([, token]) => `/messages/unsubscribe/${token}`),
    ]);
    return links.length >= 3 && links;
  });
}

/** The calendar's secret address of somebody. */
const calendarOf = async (at: At): Promise<string> =>
  (await readJson<{ readonly path: string }>(at('clinic')('/appoinments/calendar-feed', { method: 'POST', json: {} })))
    .path;

const ends: Readonly<Record<string, (person: { email: string; at: At }) => Promise<unknown>>> = {
  'a change of address': ({ email }) => move(email),
  'a log-out everywhere': async ({ email, at }) => {
    moves += 1;
    assert.equal((await at('identity')(`/users/${email}/sessions`, { method: 'DELETE' })).status, 204);
  },
  'the account being switched off': async ({ email }) => {
    moves += 1;
    await readJson(reception('identity')(`/users/${email}/access`, { method: 'PATCH', json: { disabled: true } }));
  },
};
for (const [what, end] of Object.entries(ends))
  test(`links in mails and the calendar’s address end with ${what}`, async () => {
    const ann = await somebody();
    const visit = await readJson<Appointment>(book(ann.at, ann.email));
    const links = await linksOf(ann.email, visit);
    const calendar = await calendarOf(ann.at);
    for (const path of links) {
      const answer = await anyone('messages')(path);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
      assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
    }
    assert.equal((await anyone('clinic')(calendar)).status, 200);
    await nextSecond();
    await end(ann);
    await waitUntil(async () => {
      for (const path of links) {
        assert.equal((await anyone('messages')(path)).status, 404, path);
        assert.equal((await anyone('messages')(path, { method: 'POST', json: {} })).status, 404, path);
      }
      assert.equal((await anyone('clinic')(calendar)).status, 404);
    });
    assert.equal((await stored(visit)).status, 'Pending');
  });

test('what changes while svc-identity is stopped is known once it is back, and reception waits until then', async () => {
  const ann = await somebody();
  const own = await readJson<Appointment>(book(ann.at, ann.email));
  await services.stopIdentity();
  const refused = await book(reception, ann.email);
  assert.equal(refused.status, 503);
  await services.restartIdentity();
  const moved = await move(ann.email);
  await waitUntil(async () => {
    const answer = await book(reception, ann.email);
    assert.equal(answer.status, 201);
    assert.equal((await stored((await answer.json()) as Appointment)).patientId, undefined);
  });
  await waitUntil(async () => (await stored(own)).patientEmail === moved.to);
});
